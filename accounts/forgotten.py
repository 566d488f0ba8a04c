"""Forgotten passwords where no mail is sent: who waits for a link. The only writer of these.

Whoever asks gives a name and is told the same whether anybody carries it. The host sees the name,
makes sure who it is by means of their own, and hands a link over.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import ResetRequest, User

WAITS = timedelta(days=7)


def ask(name: str) -> None:
    """Have whoever carries this name wait for a link; nobody is told whether somebody does.

    Asking again waits for as long again. Guests and others without a password have none to forget.
    """
    _overdue().delete()
    people = User.objects.named(name).filter(is_active=True)
    person = people.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).first()
    if person is not None:
        now = {"asked_at": timezone.now()}
        ResetRequest.objects.update_or_create(user=person, defaults=now)


def waiting() -> QuerySet[ResetRequest]:
    """Who waits for a link, the oldest first."""
    asked = ResetRequest.objects.filter(asked_at__gt=timezone.now() - WAITS, user__is_active=True)
    return asked.select_related("user").order_by("asked_at", "pk")


def waiting_for(actor: User) -> QuerySet[ResetRequest]:
    """Those of them whom this member of the staff may help."""
    if actor.is_superuser:
        return waiting()
    if not actor.has_perm("accounts.change_user"):
        return waiting().none()
    return waiting().filter(user__is_staff=False, user__is_superuser=False)


def settle(user_id: int) -> None:
    """They wait no more: a link was made, or they are in."""
    ResetRequest.objects.filter(user_id=user_id).delete()


def _overdue() -> QuerySet[ResetRequest]:
    return ResetRequest.objects.filter(asked_at__lte=timezone.now() - WAITS)
