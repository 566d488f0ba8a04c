"""The move that ends a hand, stored and seen by one way there and back, and any move that is not.

As of a usual move (strokes.py), what playing.py asks one after the other behind locks is here a
condition: where one does not hold nothing is stored, and the move is made the long way, which says
why not.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.db import IntegrityError, connection

from accounts import hot, meters, sessions
from games import facts, live, positions, reading
from games.engine.position import IDLE_TURNS
from games.table import playing
from games.table.looks import Seen, by_session, look_by_session, of_a_stored_move
from games.table.strokes import Click, foresee, stroke_of
from scoring import ledger

# A condition (hot.store_if): it is this move that was stored, at this moment.
_IS_STORED = """
SELECT 1 / COUNT(*) FROM games_move
 WHERE hand_id = %s AND ply = %s AND seat = %s AND text = %s AND made_at = %s"""


class Made(NamedTuple):
    """What came of a move that is stored.

    ``seen``: what its onlookers see then; none where it could not be drawn, for which a bell will
    do; None where the bell has told them to look. ``over``: the sheet of a game that is over by it,
    whose bonuses are still to be sent for.
    """

    seen: list[Seen] | None
    over: int | None = None


def make_and_show(click: Click) -> Made:
    """Make any move, and draw up what its onlookers see. Raises as make_move, and SignedOut."""
    return _end_and_show(click) or _the_long_way(click)


def _end_and_show(click: Click) -> Made | None:
    move = None if connection.in_atomic_block else foresee(click)
    if move is None or move.after.outcome is None or move.before.sheet is None:
        return None
    frame, after, sheet, made_at = move.before, move.after, move.before.sheet, hot.now()
    idle = after.idle_turns >= IDLE_TURNS
    written = ledger.foresee_hand(
        sheet, frame.hand_number, playing.result_of(move.after.outcome, idle)
    )
    over = [playing.ending(frame.game_id)] if written.over else []
    passes = [one.held for one in click.onlookers]
    stroke = stroke_of(move)
    stored = stroke.hand_id, stroke.ply, stroke.seat, stroke.text, made_at
    try:
        read = hot.store_if(
            facts.strokes([stroke], made_at), [(_IS_STORED, stored), *written.conditions],
            [playing.closing(frame.game_id), *written.writes, *over],
            sessions.asking(passes),
            (facts.ONE_TABLE, [click.table_id]),
            *ledger.asking([sheet.id]),
        )
    except IntegrityError:  # without its words, as in playing.py
        return None
    if read is None:
        return None
    meters.MOVES.inc()
    positions.keep_position(frame.hand_id or 0, after)
    positions.keep_ended(frame.game_id, frame.hand_number, after)
    live.ring_room(frame.room_id)
    seen = of_a_stored_move(click.table_id, lambda: _seen(click, *read))
    return Made(seen, sheet.id if written.over else None)


def _seen(click: Click, speaking: hot.Rows, lying: hot.Rows, *written: hot.Rows) -> list[Seen]:
    passes = [one.held for one in click.onlookers]
    speaks = dict(zip(passes, sessions.answered(passes, speaking), strict=True))
    frame = reading.frame_of_rows(lying, written)
    return by_session(click.table_id, click.onlookers, speaks, frame)


def _the_long_way(click: Click) -> Made:
    with playing.whole(click.table_id, click.at):
        moved = playing.move(
            click.table_id, click.mover.user_id, click.text, click.at, click.game_id, click.mover
        )
    if moved.told:
        return Made(None)
    look = partial(look_by_session, click.table_id, click.onlookers, moved.sheet_id)
    return Made(of_a_stored_move(click.table_id, look))
