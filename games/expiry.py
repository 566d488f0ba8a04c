"""Guests who never came back are forgotten, sooner if they have played nothing; names come free."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts import guests
from accounts.refusal import Refusal
from games.farewell import say_farewell
from games.models import GameSeat
from scoring.models import SheetSeat

logger = logging.getLogger(__name__)

AT_ONCE = 100  # a run; the next one goes on
# A guest who played is known by their browser alone, which keeps its cookie hardly longer.
PLAYED_LONG_AGO = timedelta(days=365)


def forget_guests() -> int:
    """Say farewell to guests not seen for GUEST_DAYS who have no game; returns how many went.

    Whoever has played goes after a year without a visit, as somebody who deletes their account:
    others keep their sheets.
    """
    moment = timezone.now() - timedelta(days=settings.GUEST_DAYS)
    seats = GameSeat.objects.filter(user=OuterRef("pk"), game__started_at__isnull=False)
    sheets = SheetSeat.objects.filter(user=OuterRef("pk"))
    gone = guests.not_seen_since(moment).exclude(Exists(seats) | Exists(sheets))
    gone |= guests.not_seen_since(min(moment, timezone.now() - PLAYED_LONG_AGO))
    number = 0
    for user_id in list(gone.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        try:
            say_farewell(user_id)
        except Refusal as refusal:
            logger.warning("Guest %s could not be forgotten: %s", user_id, refusal.code)
        else:
            number += 1
    return number
