"""The usual move, which ends no hand and moves no clock: stored and seen by one way there and back.

Those that come while others are on their way go together. What playing.py asks one after the other
behind the lock is here a condition of the row. Where it does not hold, or where this process does
not know the table as it lies, nothing is stored, and the move is made the long way, which says why
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, connection

from accounts import hot, meters, sessions
from accounts.sessions import Pass
from games import facts, presence, reading
from games.engine import position as play
from games.engine.moves import IllegalMove
from games.engine.position import Position
from games.frames import Frame
from games.presence import Here
from games.table.looks import Onlooker, Seen, by_session, of_a_stored_move


class Click(NamedTuple):
    """A move somebody makes, from the place they stood at, and who is shown it."""

    table_id: int
    mover: Pass
    text: str
    at: tuple[int, int]
    game_id: int | None
    onlookers: Sequence[Onlooker] = ()


class Foreseen(NamedTuple):
    """A click, and the table as it lies before and after it."""

    click: Click
    before: Frame
    after: Position


def make_and_look(clicks: Sequence[Click]) -> list[list[Seen] | None]:
    """Make moves at different tables, and draw up what the onlookers of each see then.

    None for a move that was not stored; no views at all for one that was but cannot be shown, for
    which a bell will do.
    """
    foreseen = [foresee(click) for click in clicks]
    usual = [one for one in foreseen if one is not None and one.after.outcome is None]
    if not usual or connection.in_atomic_block:
        return [None for _ in clicks]
    passes = [one.held for each in usual for one in each.click.onlookers]
    made_at = hot.now()
    strokes = facts.strokes([stroke_of(one) for one in usual], made_at)
    try:
        hands, speaking = hot.store(strokes, sessions.asking(passes))
    except IntegrityError:  # without its words, as in playing.py
        return [None for _ in clicks]
    stored = {hand_id for (hand_id,) in hands}
    made = [one for one in usual if one.before.hand_id in stored]
    meters.MOVES.inc(len(made))
    frames = {
        one.click.table_id: reading.move_on(one.before, one.after, made_at) for one in made
    }
    here = _here(list(frames.values()))
    speaks = dict(zip(passes, sessions.answered(passes, speaking), strict=True))
    shown = {one.click.table_id: _seen(one.click, frames, speaks, here) for one in made}
    return [shown.get(click.table_id) for click in clicks]


def foresee(click: Click) -> Foreseen | None:
    """The table after a move, as it was last seen; None: it is none, or more than that hangs on it.
    """
    frame = reading.known(click.table_id)
    if frame is None or frame.position is None or frame.state != "playing" or frame.time:
        return None
    if click.at != (frame.hand_number, frame.ply) or click.game_id not in (None, frame.game_id):
        return None
    seat = frame.seat_of(click.mover.user_id)
    if frame.position.to_act != seat or any(chair.bot for chair in frame.seats):
        return None
    try:
        after = play.apply(frame.position, click.text)
    except IllegalMove:
        return None
    return Foreseen(click, frame, after)


def stroke_of(move: Foreseen) -> facts.Stroke:
    """The move as it is stored."""
    entry, mover = move.after.log[-1], move.click.mover
    return facts.Stroke(
        move.before.hand_id or 0, move.before.game_id, move.before.changes,
        move.after.ply, entry.seat, entry.move,
        mover.user_id, mover.session_key, mover.password, mover.times_signed_out,
    )  # fmt: skip


def _here(frames: Sequence[Frame]) -> dict[int, Here]:
    people = {frame.table_id: [chair.user_id for chair in frame.seats] for frame in frames}
    try:
        return presence.lately(people)
    except presence.Unreachable:
        return {}


def _seen(
    click: Click, frames: dict[int, Frame], speaks: dict[Pass, bool], here: dict[int, Here]
) -> list[Seen]:
    frame, there = frames[click.table_id], here.get(click.table_id)
    return of_a_stored_move(
        click.table_id,
        lambda: by_session(click.table_id, click.onlookers, speaks, frame, there),
    )
