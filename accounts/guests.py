"""Guests: people who came in by an invitation under a name, without a password yet.

The browser they came in by is their only way back, until they choose a password: from then on they
are like anybody else and keep everything. Whoever never does, and has played nothing, expires.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import names, people
from accounts.models import User
from accounts.refusal import N_, Refusal

SEEN_EVERY = timedelta(days=1)
NEIGHBOURS = range(2, 100)
TRIES = 5


class GuestNameTaken(Refusal):
    """Somebody carries this name, or one like it; ``free`` is one nobody carries."""

    def __init__(self, free: str) -> None:
        super().__init__(
            "name_taken",
            N_("This name is taken, or looks too much like another. %(free)s is free."),
            free=free,
        )


class NoGuest(Refusal):
    """They have chosen a password already, in another window perhaps."""

    def __init__(self) -> None:
        super().__init__("no_guest", N_("You already have an account: nothing is lost."))


def arrive(name: str) -> User:
    """A new guest of this name. Raises BadName, or GuestNameTaken with a free one beside it."""
    name = names.tidy(name)
    names.check(name)
    user = User(username=name, is_guest=True, guest_seen_at=timezone.now())
    user.set_unusable_password()
    try:
        people.keep(user)
    except people.NameTaken:
        raise GuestNameTaken(neighbour(name)) from None
    return user


def arrive_unnamed(word: str) -> User:
    """A new guest who was not asked for a name: this word and a number."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                return arrive(f"{word} {secrets.randbelow(9000) + 1000}")
        except GuestNameTaken:
            continue
    raise Refusal("no_name", N_("No name was free. Try again."))


def neighbour(name: str) -> str:
    """A name nobody carries, as near to this one as can be: "Camille 2"."""
    stem = re.sub(r" \d{1,2}$", "", name)[: names.MOST - 3].rstrip()
    near = [f"{stem} {number}" for number in NEIGHBOURS]
    keys = [names.key(one) for one in near]
    taken = set(User.objects.filter(name_key__in=keys).values_list("name_key", flat=True))
    free = (one for one, key in zip(near, keys, strict=True) if key not in taken)
    return next(free, near[-1])


def claim(user_id: int, password: str, name: str = "") -> User:
    """Make a guest somebody with an account, by a password and, if they wish, another name.

    It stays the same person: their games, seats, rooms and sheets stay theirs. Raises NoGuest,
    NameTaken, BadName.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None or not user.is_guest:
            raise NoGuest
        if name:
            user.username = names.tidy(name)
            names.check(user.username)
        people.set_password(user, password)
    return user


def is_guest(user_id: int) -> bool:
    """Whether this person is a guest at this moment."""
    return User.objects.filter(pk=user_id, is_guest=True).exists()


def among(user_ids: list[int]) -> set[int]:
    """Those of these people who are guests."""
    found = User.objects.filter(pk__in=user_ids, is_guest=True)
    return set(found.values_list("pk", flat=True))


def seen(user: User) -> bool:
    """Note, once a day, that a guest is still here; whether it was noted now."""
    now = timezone.now()
    if not user.is_guest or now - (user.guest_seen_at or now) < SEEN_EVERY:
        return False
    return bool(User.objects.filter(pk=user.pk, is_guest=True).update(guest_seen_at=now))


def not_seen_since(moment: datetime) -> QuerySet[User]:
    """The guests who were last here before this moment; not those who are shut out."""
    return User.objects.filter(is_guest=True, is_active=True, guest_seen_at__lt=moment)
