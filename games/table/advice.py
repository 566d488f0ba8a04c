"""A hint for whoever plays against the computer: what their own seat may know goes out to be
weighed, off every thread of a database, and what comes back is for that seat alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.refusal import N_
from games import dealing
from games.engine.bots import Score, weigh
from games.engine.rules import PlayRules
from games.engine.view import View
from games.reading import frame_of
from games.table import clock
from games.table.bots import score_of, views_of
from games.table.rights import Refused, not_yours, require_member, stale

PLAYOUTS = 500


@dataclass(frozen=True, slots=True)
class Question:
    """A decision to be weighed: where it stands, and what its seat has seen."""

    at: tuple[int, int]
    game_id: int
    views: Sequence[View]
    rules: PlayRules
    score: Score


def ask_advice(table_id: int, user_id: int, game_id: int | None = None) -> Question:
    """The decision this person has to make now, in a game against the computer.

    Raises Refused: not_found, not_a_player, no_hints (against people), no_game, not_your_turn.
    """
    frame = frame_of(table_id)
    seat = None if frame is None else frame.seat_of(user_id)
    if frame is None or seat is None:
        require_member(table_id, user_id)
        raise not_yours()
    if not any(chair.bot for chair in frame.seats):
        raise Refused("no_hints", N_("Hints are for games against the computer."))
    if game_id not in (None, frame.game_id):
        raise stale()
    if frame.adjourned:
        raise clock.adjourned()
    if frame.state != "playing" or frame.position is None:
        raise Refused("no_game", N_("No hand is being played at this table."))
    if frame.position.to_act != seat:
        raise Refused("not_your_turn", N_("It is not your turn."))
    return Question(
        at=(frame.hand_number, frame.ply),
        game_id=frame.game_id,
        views=views_of(frame, seat),
        rules=frame.rules.play,
        score=score_of(frame, seat),
    )


def advise(question: Question) -> dict[str, Any]:
    """What the best move is, and by how many points of this hand the next one is worse."""
    weighed = weigh(
        question.views, question.rules, question.score, dealing.chance(), PLAYOUTS
    )
    best, *others = weighed
    return {
        "at": list(question.at),
        "game": question.game_id,
        "move": best.move,
        "points": round(best.points, 1),
        "next": others[0].move if others else None,
        "lead": round(best.points - others[0].points, 1) if others else None,
    }
