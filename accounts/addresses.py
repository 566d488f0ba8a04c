"""E-mail addresses said to be somebody's: the letter that asks, and the answer.

The only writer of the answer. The link names the person and the address, so that one to an address
given up since says nothing.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.core import signing
from django.core.cache import cache
from django.urls import reverse

from accounts import letters
from accounts.models import User

LASTS = timedelta(days=3)
A_LETTER_EACH = 60  # seconds
# Anybody may say an address is theirs: no more a day go to one address, nor because of one person.
LETTERS_A_DAY, DAY = 10, 24 * 3600

_links = signing.TimestampSigner(salt="the link that confirms an address")


def ask(user: User, base: str) -> bool:
    """Write to somebody's address whether it is theirs; whether a letter left.

    ``base`` is where the site answers. At most one a minute, and a few a day: nobody is flooded
    from here.
    """
    if not user.email or not cache.add(f"address-asked:{user.pk}", 1, A_LETTER_EACH):
        return False
    if not _may_write(user, user.email):
        return False
    token = _links.sign_object([user.pk, user.email])
    link = base + reverse("accounts:confirm_address", args=[token])
    return letters.post(user, user.email, "accounts/email/confirm_address", {"link": link}, {})


def tell_changed(user: User, old: str) -> None:
    """Write to the address somebody had before, so that a thief's change is seen."""
    if old and _may_write(user, old):
        letters.post(user, old, "accounts/email/address_changed", {}, {})


def _may_write(user: User, address: str) -> bool:
    """Count a letter; whether it is not one too many for the address, nor for the person."""
    whom = hashlib.sha256(address.lower().encode()).hexdigest()
    counts = [_count(f"address-letters:{key}") for key in (user.pk, whom)]
    return max(counts) <= LETTERS_A_DAY


def _count(key: str) -> int:
    cache.add(key, 0, DAY)
    try:
        return cache.incr(key)
    except ValueError:  # the day ended between the two calls
        cache.set(key, 1, DAY)
        return 1


def person_of(token: str) -> User | None:
    """Whose address this link confirms; None for a link that is none, too old, or overtaken."""
    try:
        number, email = _links.unsign_object(token, max_age=LASTS)
    except (signing.BadSignature, ValueError):
        return None
    return User.objects.filter(pk=number, email=email, is_active=True).first()


def confirm(user: User) -> None:
    """The address is theirs: said by whoever holds the link, so by who reads mail there."""
    same = User.objects.filter(pk=user.pk, email=user.email)
    same.update(email_confirmed=True)
