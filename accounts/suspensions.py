"""Shutting people out and letting them in again: the only writer of suspensions.

Somebody suspended is signed out everywhere at once, sockets included, and what they played stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts import people
from accounts.models import Suspension, User
from accounts.refusal import N_, Refusal


class BadSuspension(Refusal):
    """A suspension without a reason, or one that would be over already."""


def suspend(
    users: Iterable[User], reason: str, until: datetime | None = None, by: User | None = None
) -> None:
    """Shut people out at once, until a moment or until somebody reinstates them.

    Their sessions end for good: whoever is let in again signs in again. One who is suspended
    already is so from now on for this reason and as long as said here.
    """
    reason, now = reason.strip(), timezone.now()
    if not reason:
        raise BadSuspension("no_reason", N_("Say why: it stands in the journal."))
    if until is not None and until <= now:
        raise BadSuspension("over_already", N_("This moment is past: choose a later day."))
    with transaction.atomic():
        for user in _locked(users):
            _end(user, now, by)
            Suspension.objects.create(user=user, reason=reason, since=now, until=until, by=by)
            User.objects.filter(pk=user.pk).update(
                is_active=False, times_signed_out=F("times_signed_out") + 1
            )
            people.ring(user.pk)


def reinstate(users: Iterable[User], by: User | None = None) -> list[User]:
    """Let suspended people in again; gives those who were. Nobody else is brought back by this."""
    with transaction.atomic():
        found = [user for user in _locked(users) if _end(user, timezone.now(), by)]
        for user in found:
            User.objects.filter(pk=user.pk).update(is_active=True)
            people.ring(user.pk)
    return found


def lift_over() -> int:
    """Reinstate everybody whose suspension has lasted as long as it was to; how many these are."""
    over = Suspension.objects.filter(ended_at=None, until__lte=timezone.now())
    return len(reinstate([each.user for each in over.select_related("user")]))


def of(user_id: int) -> Suspension | None:
    """The suspension somebody is under now."""
    return Suspension.objects.filter(user_id=user_id, ended_at=None).first()


def _end(user: User, now: datetime, by: User | None) -> bool:
    return bool(
        Suspension.objects.filter(user=user, ended_at=None).update(ended_at=now, ended_by=by)
    )


def _locked(users: Iterable[User]) -> list[User]:
    """These people, locked one after the other in one order, so that two of us cannot cross.

    Who has deleted their account is shut out for good, and nobody any more.
    """
    found = User.objects.filter(pk__in=[user.pk for user in users], deleted_at=None, bot="")
    return list(found.select_for_update(no_key=True).order_by("pk"))
