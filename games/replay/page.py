"""A replayed hand laid out for its page, at one of its moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.looking import line_view
from games.replay import chart, ending, frames, words
from games.replay.finding import Replayed
from games.replay.hands import deadwood_of, sides
from games.replay.words import Sentence
from scoring import ledger
from scoring.rules import Line

NEAR = 60  # moves told before and after the one shown: a hand can have thousands


@dataclass(frozen=True, slots=True)
class Moment:
    """A line of the list of moves: what was done, and what then counted against each player."""

    ply: int
    said: Sentence
    deadwood: Sequence[int]


def laid_out(hand: Replayed, ply: int, user_id: int | None) -> dict[str, Any]:
    """Everything the page shows after ``ply`` moves; a ply beyond the last is the last."""
    sheet = ledger.read_sheet(hand.sheet_id)
    ply = min(ply, len(hand.views) - 1)
    view = hand.views[ply]
    line = next((line for line in sheet.lines if line.hand == hand.number), None)
    order = _order(sheet, user_id)
    names = [sheet.names[seat] for seat in order]
    moments = _moments(hand, sheet.names, order, ply)
    return {
        "sheet": sheet,
        "corrected": ledger.current_of(sheet.id) != sheet.id,
        "number": hand.number,
        "before": hand.before,
        "after": hand.after,
        "names": names,
        "shown": [sheet.shown[seat] for seat in order],
        "ply": ply,
        "last": len(hand.views) - 1,
        "moments": moments,
        "earlier": moments[0].ply,
        "later": moments[-1].ply if moments[-1].ply < len(hand.views) - 1 else None,
        "said": next(moment.said for moment in moments if moment.ply == ply),
        "view": view,
        "sides": sides(view, sheet.names, order[::-1]),
        "top": words.shown(view["pile"][0]) if view["pile"] else None,
        "doubled": view["spade"] and hand.doubles_spades,
        "headline": ending.headline(hand.last, line, sheet.names),
        "account": ending.account(hand.last, sheet),
        "chart": chart.drawn(_courses(hand, order), view["knock_limit"], ply),
        "told": _told(hand, sheet, line, order, moments[0].ply, moments[-1].ply),
    }


def _order(sheet: ledger.SheetReading, user_id: int | None) -> list[int]:
    """The seats, the reader's own first: it is drawn below."""
    own = [seat.seat for seat in sheet.seats if user_id is not None and seat.user_id == user_id]
    return own + [seat.seat for seat in sheet.seats if seat.seat not in own]


def _moments(
    hand: Replayed, names: Sequence[str], order: Sequence[int], ply: int
) -> list[Moment]:
    """The moves near the one shown, the deal first."""
    first, last = max(0, ply - NEAR), min(len(hand.views) - 1, ply + NEAR)
    return [
        Moment(
            at,
            words.move_said(hand.views[at], names) if at else words.deal_said(hand.views[0], names),
            [deadwood_of(hand.views[at], seat) for seat in order],
        )
        for at in range(first, last + 1)
    ]


def _courses(hand: Replayed, order: Sequence[int]) -> list[list[int]]:
    return [[deadwood_of(view, seat) for view in hand.views] for seat in order]


def _told(
    hand: Replayed,
    sheet: ledger.SheetReading,
    line: Line | None,
    order: Sequence[int],
    first: int,
    last: int,
) -> dict[str, Any]:
    """What the script draws the moments from, in the shape of a table's view."""
    points = [
        sum(e.points for e in sheet.lines if e.seat == seat and e.hand and e.hand <= hand.number)
        for seat in order
    ]
    kept = ("dealer", "knock_limit", "gin_only", "oklahoma", "spade", "upcard")
    return {
        "seats": [
            {"seat": seat, "name": sheet.names[seat], "points": total}
            for seat, total in zip(order, points, strict=True)
        ],
        "game": {"doubles_spades": hand.doubles_spades},
        "number": hand.number,
        "hand": {name: hand.last[name] for name in kept},
        "hand_line": None if line is None else line_view(line),
        "result": hand.last["result"],
        "first": first,
        "last": len(hand.views) - 1,
        "frames": frames.packed(hand.views[first : last + 1]),
    }
