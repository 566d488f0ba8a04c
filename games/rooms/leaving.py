"""Going: a member leaves or is removed, and a host passes the room on."""

from __future__ import annotations

from django.db import transaction

from accounts import live as bells
from accounts.refusal import N_, Refusal
from games import admission, live, table
from games.models import Game, Member, Room
from games.rooms.opening import change_links, pass_to
from games.rooms.rights import no_such_room, own_room, room_for


def pass_on(room_id: int, user_id: int, member_id: int) -> None:
    """Make another member the host. The present host's right alone."""
    with transaction.atomic():
        room = own_room(room_id, user_id)
        _require_other(room, user_id, member_id)
        pass_to(room, member_id)
        live.ring_room(room_id)


def remove_member(room_id: int, user_id: int, member_id: int) -> None:
    """End somebody's membership: they lose access at once, open windows included.

    The host's right alone. The link and the code are renewed, so that they do not come back by
    them. Raises Refusal: still_playing.
    """
    with transaction.atomic():
        room = own_room(room_id, user_id)
        _require_other(room, user_id, member_id)
        _go(room, member_id)
        change_links(room)


def leave(room_id: int, user_id: int) -> None:
    """End one's own membership. Raises Refusal: still_playing.

    A host who goes leaves the room to whoever has been a member longest. The last to go closes it:
    nobody comes in by its link, its code or the lobby any more.
    """
    with transaction.atomic():
        room = room_for(room_id, user_id, lock=True)
        next_host = heir(room, user_id)
        was_host = admission.host_of(room_id) == user_id
        _go(room, user_id)
        if next_host is None:
            pass_to(room, None)
            room.is_public = False
            room.save(update_fields=["is_public"])
            change_links(room)
        elif was_host:
            pass_to(room, next_host.user_id)


def hold_all(user_id: int) -> None:
    """Lock all somebody's rooms, memberships and games there, each kind by number.

    To be called before the first of them changes, by whoever is to leave every one.
    """
    mine = Member.objects.filter(user_id=user_id)
    theirs = Room.objects.filter(pk__in=mine.values("room"))
    held = [room.pk for room in theirs.order_by("pk").select_for_update(no_key=True)]
    list(mine.order_by("pk").select_for_update())
    table.hold_seats(held, user_id)


def heir(room: Room, user_id: int) -> Member | None:
    """Who runs the room once this host has left it: the other member longest there, if any."""
    others = room.members.exclude(user_id=user_id).select_related("user")
    return others.order_by("joined_at", "pk").first()


def why_not_gone(room_id: int, user_id: int) -> Refusal | None:
    """Why this member cannot leave or be removed now, if anything stands against it."""
    playing = Game.objects.filter(
        table__room_id=room_id, started_at__isnull=False, ended_at=None, seats__user_id=user_id
    )
    for number in playing.values_list("table__number", flat=True)[:1]:
        return Refusal(
            "still_playing",
            N_("A game is still being played at table %(number)s. Finish it or resign first."),
            number=number,
        )
    return None


def _go(room: Room, user_id: int) -> None:
    """Take a member out of a locked room: their waiting seats, their places in line, their key."""
    membership = Member.objects.filter(room=room, user_id=user_id)
    membership.select_for_update().first()  # nothing of theirs is laid anew meanwhile
    table.clear_seats(room.pk, user_id)
    refusal = why_not_gone(room.pk, user_id)  # with all games locked: nobody sits down meanwhile
    if refusal is not None:
        raise refusal
    membership.delete()
    live.ring_room(room.pk)
    transaction.on_commit(lambda: bells.ring(f"user.{user_id}"), robust=True)


def _require_other(room: Room, user_id: int, member_id: int) -> None:
    if member_id == user_id or not room.members.filter(user_id=member_id).exists():
        raise no_such_room()
