"""Rooms: open, invite, join, and what a room's page shows. The only writer of rooms and members."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts import names
from accounts.refusal import N_, Refusal
from games import live, presets, table
from games.models import Game, Member, Room, Table
from games.reading import Frame, frames_of
from scoring import ledger

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no look-alikes: 0 O, 1 I L
CODE_LENGTH = 8
TABLES_AT_MOST = 200
FINISHED_AT_MOST = 30


def open_room(user_id: int, name: str, options: Mapping[str, Any], public: bool = False) -> int:
    """Open a room with its rules and a first table at which its owner sits; returns its id.

    Raises BadRules for an option set the rules do not know, Refusal for a name that is none.
    """
    rules = presets.rule_set(options)
    name = " ".join(name.split())
    if not name or len(name) > 60 or not names.shows_itself(name):
        raise Refusal("room_name", N_("Give the room a name of 1 to 60 characters."))
    with transaction.atomic():
        room = Room(
            name=name,
            owner_id=user_id,
            rules=rules.as_dict(),
            code=_new_code(),
            invitation=_new_invitation(),
            is_public=public,
        )
        room.save(force_insert=True)
        Member.objects.create(room=room, user_id=user_id)
        open_table(room.pk, user_id)
    return room.pk


def _new_invitation() -> str:
    return secrets.token_urlsafe(16)  # 128 bits


def _new_code() -> str:
    """A code no room has yet. The unique constraint has the last word."""
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not Room.objects.filter(code=code).exists():
            return code


def renew_invitation(room_id: int, user_id: int) -> None:
    """Revoke the link and the code of a room and make new ones. Its owner's right alone.

    Whoever waits at a table is shown the new ones there.
    """
    with transaction.atomic():
        room = _room(room_id, lock=True)
        if room.owner_id != user_id:
            raise _forbidden()
        room.invitation, room.code = _new_invitation(), _new_code()
        room.save(update_fields=["invitation", "code"])
        waiting = Game.objects.filter(table__room_id=room_id, started_at=None)
        for table_id in waiting.values_list("table_id", flat=True):
            live.ring_after_commit(table_id)


def invitation(token: str) -> dict[str, Any] | None:
    """What an invitation link tells whoever holds it, or None if there is no such link."""
    room = Room.objects.select_related("owner").filter(invitation=token).first()
    if room is None:
        return None
    return {
        "room_id": room.pk,
        "room": room.name,
        "inviter": room.owner.username if room.owner else "",
        "rules": presets.RuleSet.from_dict(room.rules),
    }


def join_room(token: str, user_id: int) -> int:
    """Make the holder of an invitation link a member; returns the room's id. Twice is once."""
    room = Room.objects.filter(invitation=token).first()
    if room is None:
        raise Refusal(
            "no_such_invitation", N_("This invitation is no longer valid. Ask for a new link.")
        )
    return _join(room.pk, user_id)


def join_by_code(code: str, user_id: int) -> int:
    """Make whoever types a room's code a member; returns the room's id.

    Case, spaces and hyphens are free.
    """
    plain = "".join(code.upper().replace("-", " ").split())[: CODE_LENGTH + 1]
    room = Room.objects.filter(code=plain).first()
    if room is None:
        raise Refusal("no_such_code", N_("No room has this code. Check it with your friend."))
    return _join(room.pk, user_id)


def _join(room_id: int, user_id: int) -> int:
    try:
        with transaction.atomic():
            Member.objects.get_or_create(room_id=room_id, user_id=user_id)
    except IntegrityError:  # the account went away meanwhile
        raise _forbidden() from None
    return room_id


def open_table(room_id: int, user_id: int) -> int:
    """Open one more table in a room and sit down at it; returns the table's id.

    A member who already waits alone at a table of this room is taken back there instead: a
    double click must not leave empty tables behind.
    """
    with transaction.atomic():
        room = _room(room_id, lock=True)
        _require_member(room, user_id)
        waiting = table.waiting_table_of(room_id, user_id)
        if waiting is not None:
            return waiting
        last = room.tables.aggregate(last=Max("number"))["last"] or 0
        if last >= TABLES_AT_MOST:
            raise Refusal("too_many_tables", N_("This room has too many tables. Open a new room."))
        opened = Table.objects.create(room=room, number=last + 1)
        table.lay(opened.pk)
        table.sit_down(opened.pk, user_id)
        return opened.pk


def free_table(room_id: int, user_id: int) -> int | None:
    """The table a newcomer should be led to: their own, else the oldest with a free seat."""
    frames = frames_of(room_id=room_id)
    mine = [frame for frame in frames if frame.seat_of(user_id) is not None and not frame.ended]
    free = [frame for frame in frames if frame.state == "waiting"]
    return next((frame.table_id for frame in [*mine, *free]), None)


def room_page(room_id: int, user_id: int) -> dict[str, Any]:
    """Everything a room's page shows to one of its members. Others are told there is no room."""
    room = _room(room_id)
    _require_member(room, user_id)
    members = room.members.select_related("user").order_by("joined_at", "pk")
    return {
        "id": room.pk,
        "name": room.name,
        "is_owner": room.owner_id == user_id,
        "is_member": True,
        "invite": room.invitation,
        "code": room.code,
        "public": room.is_public,
        "members": [
            {
                "name": member.user.username,
                "owner": member.user_id == room.owner_id,
                "you": member.user_id == user_id,
            }
            for member in members
        ],
        "tables": [table_row(frame, user_id) for frame in frames_of(room_id=room_id)],
        "finished": finished_games(room_id),
        "rules": presets.RuleSet.from_dict(room.rules),
    }


def finished_games(room_id: int) -> list[dict[str, Any]]:
    """The last games of a room that are over, newest first, in a fixed number of statements."""
    games = Game.objects.filter(table__room_id=room_id, ended_at__isnull=False)
    recent = list(games.order_by("-ended_at", "-pk").select_related("table")[:FINISHED_AT_MOST])
    sheets = ledger.read_sheets([game.sheet_id for game in recent if game.sheet_id is not None])
    return [
        {
            "sheet_id": game.sheet_id,
            "number": game.table.number,
            "ended_at": game.ended_at,
            "names": list(sheets[game.sheet_id].names),
            "points": list(sheets[game.sheet_id].standing.totals),
            "winner": sheets[game.sheet_id].standing.winner,
        }
        for game in recent
        if game.sheet_id is not None
    ]


def my_games(user_id: int) -> list[dict[str, Any]]:
    """The tables at which this person waits or plays, newest first."""
    frames = [frame for frame in frames_of(player_id=user_id) if not frame.ended]
    return [table_row(frame, user_id) for frame in reversed(frames)]


def my_rooms(user_id: int) -> list[dict[str, Any]]:
    """The rooms this person is a member of, newest first."""
    rooms = Room.objects.filter(members__user_id=user_id).order_by("-members__joined_at", "-pk")
    return [
        {
            "id": room.pk,
            "name": room.name,
            "owner": room.owner_id == user_id,
            "rules": presets.RuleSet.from_dict(room.rules),
        }
        for room in rooms
    ]


def table_row(frame: Frame, user_id: int) -> dict[str, Any]:
    """One line of a list of tables."""
    mine = frame.seat_of(user_id)
    return {
        "id": frame.table_id,
        "number": frame.table_number,
        "room": frame.room_name,
        "room_id": frame.room_id,
        "state": frame.state,
        "names": [seat.name for seat in frame.seats],
        "points": list(frame.points),
        "hand_number": frame.hand_number,
        "sheet_id": frame.sheet_id,
        "mine": mine is not None,
        "my_turn": mine is not None and frame.waits_for(mine),
    }


def may_enter(room_id: int, user_id: int | None) -> bool:
    """Whether this person may see what happens in the room."""
    return user_id is not None and Member.objects.filter(room_id=room_id, user_id=user_id).exists()


def require_entry(room_id: int, user_id: int) -> None:
    """Raise Refusal, not_found, for whoever may not see the room's page."""
    _require_member(_room(room_id), user_id)


def _room(room_id: int, lock: bool = False) -> Room:
    rooms = Room.objects.select_for_update() if lock else Room.objects
    room = rooms.filter(pk=room_id).first()
    if room is None:
        raise Refusal("not_found", N_("There is no such room."))
    return room


def _require_member(room: Room, user_id: int) -> None:
    # The same answer as for no room at all: ids tell a stranger nothing.
    if not may_enter(room.pk, user_id):
        raise Refusal("not_found", N_("There is no such room."))


def _forbidden() -> Refusal:
    return Refusal("forbidden", N_("Only the room's owner can do this."))
