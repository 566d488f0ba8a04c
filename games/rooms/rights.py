"""What every verb of a room asks first: is there such a room, and what is it to this person."""

from __future__ import annotations

from accounts.refusal import N_, Refusal
from games import admission
from games.models import Room


def may_enter(room_id: int, user_id: int | None) -> bool:
    """Whether this person is a member, to whom everything in the room is open."""
    return admission.is_member(room_id, user_id)


def require_entry(room_id: int, user_id: int) -> None:
    """Raise Refusal, not_found, for whoever is no member of the room."""
    if not may_enter(room_id, user_id):
        raise no_such_room()


def room_for(room_id: int, user_id: int, lock: bool = False) -> Room:
    """The room, for one of its members. Others get the same answer as for no room at all."""
    room = _find(room_id, lock)
    require_entry(room_id, user_id)
    return room


def own_room(room_id: int, user_id: int, lock: bool = True) -> Room:
    """The room, for its host alone: its owner, or who stands in for one who is gone."""
    room = _find(room_id, lock)
    require_entry(room_id, user_id)
    if admission.host_of(room_id) != user_id:
        raise Refusal("forbidden", N_("Only the room’s host can do this."))
    return room


def _find(room_id: int, lock: bool) -> Room:
    # Its key stays free: whoever has changed a table of the room asks for that as they commit.
    rooms = Room.objects.select_for_update(no_key=True) if lock else Room.objects
    room = rooms.filter(pk=room_id).first()
    if room is None:
        raise no_such_room()
    return room


def no_such_room() -> Refusal:
    # The same answer as for a room of strangers: ids tell nothing.
    return Refusal("not_found", N_("There is no such room."))
