"""Letters that a friend invites into a room: to whom, when, and once. Writes that it is settled.

As with letters about turns: what is rung after the commit is a task, and where the serving process
does its tasks itself, the sweep alone finds the invitations.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts import letters
from accounts.models import LetterWish
from games.admission import terms_of
from games.models import RoomInvitation

# Whoever sees it on their open page answers by then.
WRITTEN_AFTER = timedelta(minutes=1)
LATELY = timedelta(days=1)
LETTERS_A_DAY = 10  # to one person


def ring_invitation(invitation_id: int) -> None:
    """Have a new invitation told of after the present transaction, if letters are written."""
    letters.write_later("games.tasks.tell_invitation", invitation_id, WRITTEN_AFTER)


def untold() -> list[int]:
    """The invitations somebody asked to be told of, and that nobody has dealt with."""
    return list(_waiting(timezone.now()).order_by("pk").values_list("pk", flat=True))


def tell_invitation(invitation_id: int) -> bool:
    """Write to whoever is invited, unless that is settled or they answered; whether it left."""
    told = _settle(invitation_id)
    if told is None:
        return False
    return letters.send(
        told.user,
        "games/email/invitation",
        {"friend": told.by.username, "room": told.room.name,
         "link": settings.SITE_URL + reverse("home")},
    )  # fmt: skip


def _waiting(now: datetime) -> QuerySet[RoomInvitation]:
    """Invitations made lately, but not just now, to somebody who asked for letters about them."""
    asked = LetterWish.objects.filter(
        kind=LetterWish.Kind.ROOMS, user__is_active=True, user__email_confirmed=True
    ).values("user")
    made = (now - LATELY, now - WRITTEN_AFTER)
    return RoomInvitation.objects.filter(told_at=None, at__range=made, user__in=asked)


def _settle(invitation_id: int) -> RoomInvitation | None:
    """Note, once an invitation, that it is told of or need not be; the invitation, if it is due."""
    now = timezone.now()
    with transaction.atomic():
        open_ones = _waiting(now).select_for_update(of=("self",)).filter(pk=invitation_id)
        found = open_ones.select_related("user", "by", "room").first()
        if found is None:
            return None
        lately = RoomInvitation.objects.filter(user=found.user, told_at__gt=now - LATELY)
        due = lately.count() < LETTERS_A_DAY and terms_of(found.room_id, found.by_id).may_enter
        RoomInvitation.objects.filter(pk=found.pk).update(told_at=now)
    return found if due else None
