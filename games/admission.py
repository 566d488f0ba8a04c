"""Who may enter a room, look at its tables and sit down there: every such rule, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Case, F, OuterRef, Subquery, When

from accounts import guests, hot
from games.models import Member, Room

# Raw, since whoever plays asks it again and again.
_TERMS = """
SELECT EXISTS (SELECT 1 FROM games_member m WHERE m.room_id = r.id AND m.user_id = %s),
       r.is_public, r.spectators
  FROM games_room r WHERE r.id = %s
"""


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


def on_terms(
    seated: bool, started: bool, ended: bool, in_room: Callable[[], Terms]
) -> Terms | None:
    """On what terms somebody may look at a table, or None if they may not.

    ``in_room``: how they stand to its room, asked only where that decides it.
    """
    if seated and not ended:
        return Terms(member=True)  # nobody leaves a room in the middle of a game
    terms = in_room()
    return terms if terms.may_look(running=started and not ended) else None


def terms_of(room_id: int, user_id: int | None) -> Terms:
    """How this person stands to this room, in one statement; strangers to all if neither is."""
    if user_id is None:
        return Terms()
    (found,) = hot.rows((_TERMS, [user_id, room_id]))
    return Terms(*map(bool, found[0])) if found else Terms()


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
