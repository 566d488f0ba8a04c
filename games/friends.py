"""Friends, and whom one wants nothing of: the only writer of these.

A block is never told: whatever it stops looks as if it had been done, or as if it were not there.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import people
from accounts.models import User
from accounts.refusal import N_, Refusal
from games import room_letters, rooms, table
from games.blocks import apart, are_apart
from games.models import Block, FriendLink, Friendship, Member, Room, RoomInvitation

UNANSWERED_AT_MOST = 20  # of what one asked
INVITED_AT_MOST = 50  # invitations one sent that wait
BLOCKS_AT_MOST = 500
FRIENDS_AT_MOST = 500  # made by a link, which may have come into many hands
TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the page of friends."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Circle:
    """Who is around somebody."""

    friends: list[Person]
    asking: list[Person]  # who wait for this person's answer
    asked: list[Person]  # for whose answer they wait
    blocked: list[Person]


def circle_of(user_id: int) -> Circle:
    """Everybody around this person, by name."""
    friends: list[Person] = []
    asking: list[Person] = []
    asked: list[Person] = []
    for one in _pairs(user_id).select_related("asker", "asked"):
        mine = one.asker_id == user_id
        other = one.asked if mine else one.asker
        group = friends if one.accepted_at else asked if mine else asking
        group.append(Person(other.pk, other.username))
    blocks = Block.objects.filter(user_id=user_id).select_related("blocked")
    blocked = [Person(one.blocked_id, one.blocked.username) for one in blocks]
    return Circle(*(sorted(each, key=_by_name) for each in (friends, asking, asked, blocked)))


def _by_name(person: Person) -> str:
    return person.name.casefold()


def asking(user_id: int) -> list[Person]:
    """Who wait for this person's answer."""
    waiting = Friendship.objects.filter(asked_id=user_id, accepted_at=None).order_by("pk")
    return [Person(*row) for row in waiting.values_list("asker_id", "asker__username")]


def ask(user_id: int, name: str) -> None:
    """Ask somebody to be a friend, by their name; who asked first is accepted by it.

    Raises Refusal: no_such_person, yourself, too_many.
    """
    found = User.objects.named(name.replace("\0", "")).filter(is_active=True, is_guest=False)
    other = found.first()
    if other is None:
        raise Refusal("no_such_person", N_("Nobody here has this name."))
    if other.pk == user_id:
        raise Refusal("yourself", N_("You are your own best friend already."))
    if Friendship.objects.filter(asker_id=user_id, accepted_at=None).count() >= UNANSWERED_AT_MOST:
        raise Refusal(
            "too_many", N_("Many of your requests wait for an answer. Let them be answered first.")
        )
    if are_apart(user_id, [other.pk]):
        return
    if not accept(user_id, other.pk):
        try:
            with transaction.atomic():
                Friendship.objects.create(asker_id=user_id, asked=other)
        except IntegrityError:
            return  # asked or friends already
    people.ring(other.pk)


def accept(user_id: int, asker_id: int) -> bool:
    """Become friends with somebody who asked; whether they had."""
    waiting = Friendship.objects.filter(asker_id=asker_id, asked_id=user_id, accepted_at=None)
    accepted = bool(waiting.update(accepted_at=timezone.now()))
    if accepted:
        people.ring(asker_id)
        people.ring(user_id)
    return accepted


def end(user_id: int, other_id: int) -> None:
    """Be friends no more, decline, or take back what one asked."""
    _pairs(user_id).filter(Q(asker_id=other_id) | Q(asked_id=other_id)).delete()
    people.ring(user_id)


def block(user_id: int, other_id: int, on: bool) -> None:
    """Want nothing of somebody any more, or again something. Raises Refusal: too_many."""
    if not on:
        Block.objects.filter(user_id=user_id, blocked_id=other_id).delete()
        return
    known = User.objects.filter(pk=other_id, deleted_at=None, bot="")
    if user_id == other_id or not known.exists():
        raise Refusal("no_such_person", N_("Nobody here has this name."))
    if Block.objects.filter(user_id=user_id).count() >= BLOCKS_AT_MOST:
        raise Refusal("too_many", N_("You block too many people already."))
    with transaction.atomic():
        Block.objects.get_or_create(user_id=user_id, blocked_id=other_id)
        end(user_id, other_id)
        table.part(user_id, other_id)
        RoomInvitation.objects.filter(user_id=user_id, by_id=other_id).delete()
        RoomInvitation.objects.filter(user_id=other_id, by_id=user_id).delete()


# --- the link that makes friends


def link_of(user_id: int) -> str | None:
    """The token of somebody's link, if they made one."""
    return FriendLink.objects.filter(user_id=user_id).values_list("token", flat=True).first()


def make_link(user_id: int) -> None:
    """Make somebody's link; the one they have stays."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    FriendLink.objects.get_or_create(user_id=user_id, defaults={"token": token})


def revoke_link(user_id: int) -> None:
    """Let somebody's link lead nowhere from now on; friends stay."""
    FriendLink.objects.filter(user_id=user_id).delete()


def owner_of(token: str, user_id: int | None) -> Person | None:
    """Whose link this is; None where it leads nowhere, or the two want nothing of each other."""
    links = FriendLink.objects.filter(token=token.replace("\0", ""), user__is_active=True)
    found = links.values_list("user_id", "user__username").first()
    if found is None or (user_id is not None and are_apart(user_id, [found[0]])):
        return None
    return Person(*found)


def are_friends(user_id: int, other_id: int) -> bool:
    """Whether these two are friends now."""
    pair = Q(asker_id=other_id) | Q(asked_id=other_id)
    return _pairs(user_id).filter(pair, accepted_at__isnull=False).exists()


def follow_link(token: str, user_id: int) -> Person:
    """Become friends with whoever made this link; they wanted it when they gave it. Twice is once.

    Raises Refusal: dead_link, yourself, guest, too_many.
    """
    owner = owner_of(token, user_id)
    if owner is None:
        raise Refusal(
            "dead_link", N_("This link leads nowhere any more. Ask your friend for another.")
        )
    if owner.id == user_id:
        raise Refusal("yourself", N_("You are your own best friend already."))
    if not User.objects.filter(pk=user_id, is_guest=False).exists():
        raise Refusal("guest", N_("For this, choose a password first. Your games stay yours."))
    if _pairs(owner.id).filter(accepted_at__isnull=False).count() >= FRIENDS_AT_MOST:
        raise Refusal("too_many", N_("%(name)s has too many friends already."), name=owner.name)
    pair = _pairs(user_id).filter(Q(asker_id=owner.id) | Q(asked_id=owner.id))
    now = timezone.now()
    if not pair.filter(accepted_at=None).update(accepted_at=now) and not pair.exists():
        try:
            with transaction.atomic():
                Friendship.objects.create(asker_id=user_id, asked_id=owner.id, accepted_at=now)
        except IntegrityError:
            pair.filter(accepted_at=None).update(accepted_at=now)  # asked at this very moment
    people.ring(owner.id)
    people.ring(user_id)
    return owner


def _pairs(user_id: int) -> QuerySet[Friendship]:
    return Friendship.objects.filter(Q(asker_id=user_id) | Q(asked_id=user_id))


# --- a friend into a room


def invite(room_id: int, user_id: int, friend_id: int) -> None:
    """Ask a friend into a room of one's own; they see it at once. Twice is once.

    Raises Refusal: not_found (no such room for who asks), no_friend, too_many.
    """
    rooms.require_entry(room_id, user_id)
    if not are_friends(user_id, friend_id):
        raise Refusal("no_friend", N_("You invite your friends only."))
    if RoomInvitation.objects.filter(by_id=user_id).count() >= INVITED_AT_MOST:
        raise Refusal(
            "too_many", N_("Many of your invitations wait for an answer. Let them be answered.")
        )
    if not Member.objects.filter(room_id=room_id, user_id=friend_id).exists():
        made, new = RoomInvitation.objects.get_or_create(
            room_id=room_id, user_id=friend_id, defaults={"by_id": user_id}
        )
        people.ring(friend_id)
        if new:
            room_letters.ring_invitation(made.pk)


def invited(user_id: int) -> list[RoomInvitation]:
    """The rooms this person is asked into, newest first."""
    mine = RoomInvitation.objects.filter(user_id=user_id).select_related("room", "by")
    return list(mine.order_by("-pk"))


def answer(invitation_id: int, user_id: int, come: bool) -> int | None:
    """Come in, or decline; returns the room come into. Raises Refusal: not_found."""
    with transaction.atomic():
        found = RoomInvitation.objects.filter(pk=invitation_id, user_id=user_id).first()
        if found is None:
            raise Refusal("not_found", N_("There is no such invitation."))
        link = Room.objects.values_list("invitation", flat=True).get(pk=found.room_id)
        # Whoever invited must still belong there: who was removed opens no door.
        come = come and rooms.may_enter(found.room_id, found.by_id)
        room_id = rooms.join_room(link, user_id) if come else None
        RoomInvitation.objects.filter(pk=invitation_id).delete()
        people.ring(user_id)
    return room_id


def forget(user_id: int) -> None:
    """Nothing is left of whoever deletes their account."""
    _pairs(user_id).delete()
    apart(user_id).delete()
    FriendLink.objects.filter(user_id=user_id).delete()
    RoomInvitation.objects.filter(Q(user_id=user_id) | Q(by_id=user_id)).delete()
