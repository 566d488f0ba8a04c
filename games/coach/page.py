"""What the coach says on the page of a replayed hand, to the one player it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.coach import words
from games.coach.asking import Asked, askable
from games.coach.decisions import AT_MOST, plain
from games.coach.verdicts import (
    COSTLY,
    COSTLY_FIRST_KNOCK,
    Judged,
    Verdict,
    counted,
    judged,
    moments,
)
from games.engine.bots import Weighed
from games.models import Analysis
from games.positions import rules_of
from games.replay.finding import Replayed, View
from games.replay.words import Sentence

SHOWN = 3  # alternatives a decision
LISTED = 30  # decisions, the nearest to the move shown: a long hand has many more


@dataclass(frozen=True, slots=True)
class Option:
    """A move that could be made, and what it was worth."""

    said: Sentence
    worth: str
    made: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A decision as the page tells it."""

    ply: int
    verdict: Verdict
    word: str
    made: Sentence
    worth: str
    better: Sentence | None
    better_worth: str
    options: Sequence[Option]
    at: str  # where its mark stands along the slider


def laid_out(
    hand: Replayed, sheet_id: int, user_id: int | None, ply: int
) -> dict[str, Any] | None:
    """The coach's part of the page; None for whoever did not play this hand."""
    asked = askable(user_id, sheet_id, hand.number)
    return None if asked is None else _laid_out(hand, asked, ply)


def progress_of(user_id: int, sheet_id: int, number: int) -> dict[str, Any] | None:
    """How far the coach is with a hand; None for whoever did not play it."""
    asked = askable(user_id, sheet_id, number)
    return None if asked is None else _progress(_analysis(asked))


def _analysis(asked: Asked) -> Analysis | None:
    return Analysis.objects.filter(hand_id=asked.hand_id, seat=asked.seat).first()


def _progress(analysis: Analysis | None) -> dict[str, Any]:
    if analysis is None:
        return {"state": "none"}
    return {"state": analysis.state, "done": analysis.done, "total": analysis.total}


def _laid_out(hand: Replayed, asked: Asked, ply: int) -> dict[str, Any]:
    analysis = _analysis(asked)
    page = {**_progress(analysis), "ply": ply, "cut_short": hand.last["result"] is None}
    if analysis is None or analysis.state != Analysis.State.READY:
        return page
    first_knock = rules_of(asked.game_id).scoring.format == "first_knock"
    every = _judged(hand, analysis, COSTLY_FIRST_KNOCK if first_knock else COSTLY)
    places = 2 if first_knock else 1  # of a hand that is worth one point
    remarks = [_remark(hand, asked.seat, one, places) for one in every]
    mattered = {one.ply for one in moments(every)}
    return page | {
        "playouts": analysis.playouts,
        "remarks": _near(remarks, ply),
        "only_near": len(remarks) > LISTED,
        "moments": [one for one in remarks if one.ply in mattered],
        "signs": {one.ply: one for one in remarks if one.verdict in ("doubtful", "costly")},
        "counts": [words.counted(*one) for one in counted(every).items() if one[1]],
        "not_all": analysis.total >= AT_MOST,
    }


def _near(remarks: list[Remark], ply: int) -> list[Remark]:
    before = sum(one.ply < ply for one in remarks)
    first = max(0, min(before - LISTED // 2, len(remarks) - LISTED))
    return remarks[first : first + LISTED]


def _judged(hand: Replayed, analysis: Analysis, costly: float) -> list[Judged]:
    rows = analysis.weighings.values_list("ply", "moves")
    found = []
    for ply, moves in rows:
        (entry,) = hand.views[ply]["log"]
        found.append(judged(ply, plain(entry["move"]), [Weighed(*one) for one in moves], costly))
    return [one for one in found if one is not None]


def _option(before: View, seat: int, move: Weighed, one: Judged, places: int) -> Option:
    said = words.option(before, seat, move.move)
    return Option(said, words.worth(move, places), move is one.made)


def _remark(hand: Replayed, seat: int, one: Judged, places: int) -> Remark:
    before = hand.views[one.ply - 1]
    better = one.verdict in ("doubtful", "costly")
    listed = [] if one.verdict == "right" and len(one.moves) == 2 else list(one.moves[:SHOWN])
    if listed and one.made not in listed:
        listed.append(one.made)
    return Remark(
        ply=one.ply,
        verdict=one.verdict,
        word=words.verdict(one.verdict),
        made=words.made(before, seat, one.made.move),
        worth=words.worth(one.made, places),
        better=words.better(before, seat, one) if better else None,
        better_worth=words.worth(one.best, places) if better else "",
        options=[_option(before, seat, each, one, places) for each in listed],
        at=f"{100 * one.ply / (len(hand.views) - 1):.2f}%",
    )
