"""The usual move, which ends no hand and moves no clock: stored and seen by one way there and back.

What playing.py asks one after the other behind the lock is here a condition of the row. Where it
does not hold, or where this process does not know the table, nothing is stored, and the move is
made the long way, which says why not.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, connection
from django.utils import timezone

from accounts import hot, meters, sessions
from accounts.sessions import Pass
from games import facts, positions, presence, reading
from games.engine import position as play
from games.engine.moves import IllegalMove
from games.engine.position import Position
from games.frames import Frame
from games.looking import View
from games.table.looks import Looker, look_together
from games.table.rights import Refused
from games.table.summons import summon

logger = logging.getLogger(__name__)


class Onlooker(NamedTuple):
    """Somebody who looks at the table from this process, by their session."""

    held: Pass
    language: str


Seen = View | Refused | sessions.SignedOut


def make_and_look(
    table_id: int,
    mover: Pass,
    text: str,
    at: tuple[int, int],
    game_id: int | None,
    onlookers: Sequence[Onlooker],
) -> list[Seen] | None:
    """Make a move, and draw up what each of these sees then; None: nothing was stored.

    No views at all, where they could not be drawn up: the move is stored, and a bell will do.
    """
    known = reading.known(table_id)
    after = None if known is None else _foreseen(known, mover.user_id, text, at, game_id)
    if known is None or after is None or connection.in_atomic_block:
        return None
    passes = [one.held for one in onlookers]
    look = (sessions.asking(passes), (facts.ONE_TABLE, [table_id])) if passes else ()
    try:
        found = hot.store(facts.lock(table_id), _stroke(known, mover, after), *look)
    except IntegrityError:  # somebody was quicker; without its words, as in playing.py
        return None
    if found is None:
        return None
    meters.MOVES.inc()
    positions.keep_position(known.hand_id or 0, after)
    if not onlookers:
        return []
    try:
        return _seen(table_id, onlookers, sessions.answered(passes, found[0]), found[1])
    except Exception:
        logger.exception("Table %s: a stored move could not be shown at once", table_id)
        return []


def _foreseen(
    frame: Frame, user_id: int, text: str, at: tuple[int, int], game_id: int | None
) -> Position | None:
    """The position after the move, if it is a usual one at the table as it was last seen."""
    position, seat = frame.position, frame.seat_of(user_id)
    usual = frame.state == "playing" and frame.time is None
    usual = usual and not any(chair.bot for chair in frame.seats)
    same = at == (frame.hand_number, frame.ply) and game_id in (None, frame.game_id)
    if position is None or not (usual and same) or position.to_act != seat:
        return None
    try:
        after = play.apply(position, text)
    except IllegalMove:
        return None
    return after if after.outcome is None else None


def _stroke(frame: Frame, mover: Pass, after: Position) -> hot.Statement:
    entry = after.log[-1]
    made_at = connection.ops.adapt_datetimefield_value(timezone.now())
    row = [after.ply, entry.seat, entry.move, made_at]
    place = [frame.hand_id, frame.game_id, mover.user_id, entry.seat, after.ply - 1]
    return facts.STROKE, [*row, *place, *sessions.proof(mover)]


def _seen(
    table_id: int, onlookers: Sequence[Onlooker], speaks: Sequence[bool], rows: hot.Rows
) -> list[Seen]:
    frame = reading.frame_from([facts.Facts(*row) for row in rows])
    if frame.bot_to_act is not None:  # somebody left their place to it a moment ago
        summon(table_id)
    here = presence.known(table_id, [chair.user_id for chair in frame.seats])
    lookers = [
        Looker(one.held.user_id, one.language)
        for one, speaking in zip(onlookers, speaks, strict=True)
        if speaking
    ]
    seen = iter(look_together(table_id, lookers, frame, here))
    return [next(seen) if speaking else sessions.signed_out() for speaking in speaks]
