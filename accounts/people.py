"""Every change to a person: the only writer of users, and the bell that ends their open sockets.

The group ``user.<id>`` is heard by each socket of that person, which then asks its session again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.http import int_to_base36

from accounts import forgotten, live, names, zones
from accounts.models import FirstAdminLink, TableSettings, User
from accounts.refusal import N_, Refusal

FIRST_ADMIN_LINK_LASTS = timedelta(minutes=30)


class NameTaken(Refusal):
    """Somebody carries this name, or one that looks like it."""

    def __init__(self) -> None:
        super().__init__("name_taken", names.TAKEN)


class DeadLink(Refusal):
    """The first administrator's link is unknown, too old, used, or no longer needed."""

    def __init__(self) -> None:
        super().__init__("dead_link", N_("This link has expired or has already been used."))


def keep(user: User) -> None:
    """Save a new or changed person and have their sockets look again.

    Two people taking one name at the same instant both pass the forms; the database says no to
    the second, who hears it here as a refusal. Another address is to be confirmed anew.
    """
    before = User.objects.filter(pk=user.pk or 0).values_list("email", flat=True).first()
    if before is not None and before != user.email.lower():
        user.email_confirmed = False
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        if User.objects.named(user.username).exclude(pk=user.pk).exists():
            raise NameTaken from error
        raise
    ring(user.pk)


def set_password(user: User, password: str) -> None:
    """A new password ends every other session, so the sockets of those sessions end too.

    Whoever has one is no guest any more, however they came by it.
    """
    user.set_password(password)
    user.is_guest, user.guest_seen_at = False, None
    keep(user)
    forgotten.settle(user.pk)


def choose_time_zone(user_id: int, name: str) -> None:
    """Show somebody all times as in this zone from now on. Raises BadZone."""
    zones.check(name)
    User.objects.filter(pk=user_id).update(time_zone=name)


def choose_table_settings(user_id: int, chosen: Mapping[str, bool]) -> None:
    """Keep how somebody wants to see a table, for all their devices; two at once leave one row."""
    TableSettings.objects.update_or_create(user_id=user_id, defaults=dict(chosen))


def table_settings_of(user_id: int | None) -> TableSettings | None:
    """What somebody chose, or nothing: then their browser says."""
    return TableSettings.objects.filter(user_id=user_id or 0).first()


def ring(user_id: int) -> None:
    """Have every socket of this person ask its session again, once the change is written."""
    # No partial: Django names a failed function in its log, and a partial has no name.
    transaction.on_commit(lambda: live.ring(f"user.{user_id}"), robust=True)


def reset_path(user: User) -> str:
    """The address where this person chooses a new password. Dies once used or signed in."""
    token = PasswordResetTokenGenerator().make_token(user)
    return reverse(
        "account_reset_password_from_key",
        kwargs={"uidb36": int_to_base36(user.pk), "key": token},
    )


# --- the first administrator


def make_first_admin_link() -> str | None:
    """A fresh secret for the host's link, or nothing when the site already has a superuser."""
    if _has_superuser():
        return None
    token = secrets.token_urlsafe(32)
    FirstAdminLink.objects.create(token_hash=_hash(token), made_at=timezone.now())
    return token


def is_first_admin_link(token: str) -> bool:
    """Whether this secret would still make a superuser."""
    return not _has_superuser() and any(
        _opens(link, token) for link in FirstAdminLink.objects.filter(token_hash=_hash(token))
    )


def make_first_admin(token: str, name: str, password: str) -> User:
    """Make the host's superuser and spend the link. DeadLink or NameTaken change nothing.

    All links are locked before the check, so of two uses at once the second finds the superuser
    the first one made.
    """
    with transaction.atomic():
        links = [link for link in FirstAdminLink.locked() if _opens(link, token)]
        if not links or _has_superuser():
            raise DeadLink
        user = User(username=names.tidy(name), is_staff=True, is_superuser=True)
        user.set_password(password)
        keep(user)
        links[0].used_at = timezone.now()
        links[0].save(update_fields=["used_at"])
    return user


def _opens(link: FirstAdminLink, token: str) -> bool:
    return (
        secrets.compare_digest(link.token_hash, _hash(token))
        and link.used_at is None
        and timezone.now() - link.made_at < FIRST_ADMIN_LINK_LASTS
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _has_superuser() -> bool:
    return User.objects.filter(is_superuser=True).exists()
