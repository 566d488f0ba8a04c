"""Coming in: by a link, by a code, or through the open door of a public room."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.refusal import N_, Refusal
from games import admission, live, presets, table
from games.models import Member, Room, Table
from games.reading import frames_of
from games.rooms.opening import CODE_LENGTH
from games.rooms.rights import no_such_room
from games.stakes.offers import Offer
from scoring.rules.stakes import Stakes


def invitation(token: str) -> dict[str, Any] | None:
    """What an invitation link tells whoever holds it, or None if there is no such link."""
    room = Room.objects.filter(invitation=token, practice=False).first()
    if room is None:
        return None
    host = User.objects.filter(pk=admission.host_of(room.pk) or 0).first()
    return {
        "room_id": room.pk,
        "room": room.name,
        "inviter": host.username if host else "",
        "rules": presets.RuleSet.from_dict(room.rules),
        "stakes": Stakes.from_dict(room.stakes),
        "offer": Offer.of(room.rules, room.stakes),
        "pace": room.pace,
        "guests": room.guests,
    }


def join_room(token: str, user_id: int, seen: str | None = None) -> int:
    """Make the holder of an invitation link a member; returns the room's id. Twice is once.

    ``seen``: as when sitting down, where coming in leads to a seat. Raises Refusal: changed_offer.
    """
    with transaction.atomic():
        room = _behind(invitation=token)
        if room is None:
            raise Refusal(
                "no_such_invitation", N_("This invitation is no longer valid. Ask for a new link.")
            )
        Offer.of(room.rules, room.stakes).require_seen(seen)
        return _join(room, user_id)


def join_by_code(code: str, user_id: int) -> int:
    """Make whoever types a room's code a member; returns the room's id."""
    with transaction.atomic():
        room = _behind(code=_plain(code))
        if room is None:
            raise _no_such_code()
        return _join(room, user_id)


def invitation_of(code: str) -> str:
    """The invitation a room's code stands for: whoever has one may have the other."""
    shared = Room.objects.filter(code=_plain(code), practice=False)
    found = shared.values_list("invitation", flat=True).first()
    if found is None:
        raise _no_such_code()
    return found


def _plain(code: str) -> str:
    """The code as it is kept: case, spaces and hyphens are free."""
    return "".join(code.upper().replace("-", " ").split())[: CODE_LENGTH + 1]


def _no_such_code() -> Refusal:
    return Refusal("no_such_code", N_("No room has this code. Check it with your friend."))


def enter_public(room_id: int, user_id: int) -> None:
    """Become a member of a public room. Raises Refusal: not_found, for any other."""
    with transaction.atomic():
        room = _behind(pk=room_id, is_public=True)
        if room is None:
            raise no_such_room()
        _join(room, user_id)


def come_in(table_id: int, user_id: int, seen: str | None = None) -> int:
    """Sit down at a table, becoming a member first where the room is public; returns the seat.

    Refused at the table, one has not joined the room either.
    """
    with transaction.atomic():
        public = Table.objects.filter(pk=table_id, room__is_public=True)
        for room_id in public.values_list("room_id", flat=True):
            room = _behind(pk=room_id, is_public=True)
            if room is not None:
                _join(room, user_id)
        return table.sit_down(table_id, user_id, seen)


def _behind(**door: object) -> Room | None:
    """The room behind this door, locked: who removes a member shuts it behind them.

    Into a practice room there is none.
    """
    return Room.objects.select_for_update(no_key=True).filter(**door, practice=False).first()


def _join(room: Room, user_id: int) -> int:
    """Make somebody a member of this locked room, unless it takes no guests and they are one."""
    if not (admission.takes(room, user_id) or admission.is_member(room.pk, user_id)):
        raise Refusal(
            "no_guests", N_("This room takes no guests: only people with an account come in.")
        )
    try:
        with transaction.atomic():
            _member, joined = Member.objects.get_or_create(room_id=room.pk, user_id=user_id)
            if joined:
                live.ring_room(room.pk)
    except IntegrityError:  # the account or the room went away meanwhile
        raise no_such_room() from None
    return room.pk


def free_table(room_id: int, user_id: int) -> int | None:
    """The table a newcomer should be led to: their own, else the oldest with a free seat."""
    frames = frames_of(room_id=room_id)
    mine = [frame for frame in frames if frame.seat_of(user_id) is not None and not frame.ended]
    free = [frame for frame in frames if frame.state == "waiting"]
    return next((frame.table_id for frame in [*mine, *free]), None)


def room_of_table(table_id: int) -> int:
    """The room in which a table stands."""
    return Table.objects.values_list("room_id", flat=True).get(pk=table_id)
