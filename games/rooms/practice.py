"""Playing against the computer: in a practice room of one's own, or in any room one belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery

from accounts import bots
from accounts.models import User
from accounts.refusal import N_, Refusal
from games import table
from games.frames import Frame
from games.models import GameSeat, Room, Waiting
from games.presets import DEFAULT
from games.reading import frame_of, frames_of
from games.rooms.opening import open_room, open_table
from games.rooms.rights import room_for


def practice_room_of(user_id: int) -> int | None:
    """The room where this person plays against the computer, once they have."""
    rooms = Room.objects.filter(owner_id=user_id, practice=True, members__user_id=user_id)
    return rooms.values_list("pk", flat=True).first()


def practice_of(user_id: int) -> tuple[int | None, str]:
    """This person's practice room, and the level they last played against, in one statement."""
    rooms = Room.objects.filter(owner=OuterRef("pk"), practice=True, members__user=OuterRef("pk"))
    against = GameSeat.objects.filter(game__seats__user=OuterRef("pk"), user__bot__gt="")
    known = User.objects.filter(pk=user_id).values_list(
        Subquery(rooms.values("pk")[:1]),
        Subquery(against.order_by("-game_id").values("user__bot")[:1]),
    )
    room_id, level = known.first() or (None, None)
    return room_id, level or bots.USUAL


def practise(user_id: int, level: str, name: str) -> int:
    """Sit down against the computer in one's own practice room; returns the table's id.

    The room, opened under this name where there is none yet, is nobody else's, stands in no list
    and is used again. Raises Refusal: unknown_level.
    """
    room_id = practice_room_of(user_id)
    with transaction.atomic():
        bots.account_of(level)  # before anything is opened
        if room_id is None:
            room_id = _open(user_id, name)
        return against_computer(room_id, user_id, level)


def _open(user_id: int, name: str) -> int:
    try:
        with transaction.atomic():
            return open_room(user_id, name, {"preset": DEFAULT}, spectators=False, practice=True)
    except IntegrityError:  # two clicks at once: the other one opened it
        found = practice_room_of(user_id)
        if found is None:
            raise
        return found


def against_computer(
    room_id: int, user_id: int, level: str, rules: Mapping[str, Any] | None = None
) -> int:
    """Sit down against the computer in a room one belongs to; returns the table's id.

    A game that is being played against this level goes on; else the table where one waits is
    taken, or one where a game against the computer is over, before another is opened.
    """
    with transaction.atomic():
        room_for(room_id, user_id, lock=True)
        mine = [one for one in frames_of(room_id=room_id) if one.seat_of(user_id) is not None]
        for frame in mine:
            if frame.started and not frame.ended and level in _levels(frame):
                return frame.table_id
        waiting = table.waiting_table_of(room_id, user_id)
        over = [one.table_id for one in mine if one.ended and _levels(one)]
        over = [one for one in over if not Waiting.objects.filter(table_id=one).exists()]
        if waiting is None and over:
            waiting = over[0]
            table.lay_again(waiting, user_id)
            table.sit_down(waiting, user_id)
        if waiting is None:
            waiting = open_table(room_id, user_id)
        table.seat_bot(waiting, user_id, level, rules)
        return waiting


def bring_computer(table_id: int, user_id: int, level: str) -> int:
    """The computer in place of a friend: opposite who waits, or where a friend has left.

    Returns the table where that game is.
    """
    frame = frame_of(table_id)
    if frame is None or frame.state != "waiting":
        return go_on_with_computer(table_id, user_id, level)
    table.seat_bot(table_id, user_id, level)
    return table_id


def go_on_with_computer(table_id: int, user_id: int, level: str) -> int:
    """Play on against the computer where a friend has left; returns the table's id.

    By the same rules, but as a game of its own at a table of its own: the one that was left stays
    as it was written, and its players may take it up or play again there. Raises Refusal:
    not_left, not_found.
    """
    frame = frame_of(table_id)
    seat = None if frame is None else frame.seat_of(user_id)
    if frame is None or seat is None:
        raise Refusal("not_found", N_("There is no such table."))
    if frame.stakes.played_for:
        raise table.no_stakes_with_bots()
    if not table.friend_left(frame, seat):
        raise Refusal("not_left", N_("Nobody has left this game."))
    return against_computer(frame.room_id, user_id, level, frame.rules.as_dict())


def _levels(frame: Frame) -> set[str]:
    return {chair.bot for chair in frame.seats if chair.bot}
