"""Who may enter a room, look at its tables and sit down there: every such rule, once."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Exists, F, OuterRef, Subquery, When

from accounts import guests
from games.models import Member, Room


@dataclass(frozen=True, slots=True)
class Terms:
    """How one person stands to one room."""

    member: bool = False
    public: bool = False
    spectators: bool = False

    @property
    def may_enter(self) -> bool:
        """See the room's page: its members, and anyone where it is public."""
        return self.member or self.public

    @property
    def may_watch(self) -> bool:
        """Look at a game one does not play in."""
        return self.may_enter and self.spectators

    def may_look(self, running: bool) -> bool:
        """Look at a table where one does not sit. Members may always look for a seat."""
        return self.may_watch or (self.member and not running)


def terms_of(room_id: int, user_id: int | None) -> Terms:
    """How this person stands to this room, in one statement; strangers to all if neither is."""
    if user_id is None:
        return Terms()
    member = Exists(Member.objects.filter(room=OuterRef("pk"), user_id=user_id))
    rows = Room.objects.filter(pk=room_id).values_list(member, "is_public", "spectators")
    for is_member, public, spectators in rows:
        return Terms(bool(is_member), public, spectators)
    return Terms()


def host() -> Subquery:
    """Who runs a room, as an expression of its row: its owner while they are a member of it.

    Where the owner's account is gone, whoever has been a member longest stands in: derived, so
    that a room needs nobody to notice. A room without members has no host.
    """
    owner_first = Case(When(user_id=F("room__owner_id"), then=0), default=1)
    members = Member.objects.filter(room=OuterRef("pk")).order_by(owner_first, "joined_at", "pk")
    return Subquery(members.values("user_id")[:1])


def host_of(room_id: int) -> int | None:
    """Who runs this room now; to be asked after its lock is held, where one is needed."""
    return Room.objects.filter(pk=room_id).values_list(host(), flat=True).first()


def takes(room: Room, user_id: int) -> bool:
    """Whether the room takes this person in: some take no guests."""
    return room.guests or not guests.is_guest(user_id)


def is_member(room_id: int, user_id: int | None) -> bool:
    """Whether this person belongs to the room."""
    return user_id is not None and Member.objects.filter(room_id=room_id, user_id=user_id).exists()
