"""Who makes room for the next in line where three or four share a table, and what is shown of it.

Values in, values out: the verbs are in table/line.py and table/seating.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.beside import Beside
from games.frames import Frame
from games.models import Rotation


def who_makes_room(rotation: str, winner: int | None, since: Sequence[int]) -> int | None:
    """The seat that goes to the end of the line after a game; None where nobody takes turns.

    ``since``: the number of the game with which each seat's player came to the table. Whoever has
    sat longest goes where each goes in turn, and where a game was won by nobody; of two who came
    together, the loser.
    """
    if rotation == Rotation.NONE:
        return None
    if winner is not None and rotation == Rotation.LOSER:
        return 1 - winner
    if winner is not None and rotation == Rotation.WINNER:
        return winner
    if len(set(since)) == 1:
        return 0 if winner is None else 1 - winner
    return min(range(len(since)), key=lambda seat: since[seat])


def line_view(frame: Frame, beside: Beside, user_id: int | None) -> dict[str, Any]:
    """The line of a table as one person sees it; ``next``: who changes places after this game."""
    return {
        "rotation": beside.rotation,
        "line": [
            {"name": one.name, "guest": one.guest, "you": one.user_id == user_id}
            for one in beside.line
        ],
        "next": _next(frame, beside, user_id),
    }


def _next(frame: Frame, beside: Beside, user_id: int | None) -> dict[str, Any] | None:
    if not frame.ended or not beside.line:
        return None
    winner = frame.sheet.standing.winner if frame.sheet else None
    since = [beside.since.get(chair.user_id or 0, 0) for chair in frame.seats]
    bots = (chair.seat for chair in frame.seats if chair.bot and beside.rotation != Rotation.NONE)
    out = next(bots, who_makes_room(beside.rotation, winner, since))
    if out is None:
        return None
    first = beside.line[0]
    return {
        "out": out,
        "name": first.name,
        "you": first.user_id == user_id,
        "ready": first.ready_after == frame.game_number,
    }
