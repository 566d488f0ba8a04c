"""Celery's doors to clocks, letters about turns, archives of sheets and guests who are gone."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import Task, shared_task
from django.conf import settings
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone
from games import expiry, notices, table
from games.history import exports, persons
from scoring import archive

logger = logging.getLogger(__name__)

# Embedded, the first beat of the process is the start of the site, however short the gap.
_starts = [settings.EMBEDDED]
# What runs in a process that serves must let it serve: the sweep goes on with the rest.
EAGER_SECONDS = 1.0


@shared_task
def keep_time() -> None:
    """Beat, and play for everyone whose time is over."""
    start = bool(_starts) and _starts.pop()
    table.keep_time(start)


@shared_task
def tell_turn(clock_id: int) -> None:
    """Write to whoever must act by this clock; running it again writes nothing."""
    notices.tell_turn(clock_id)


@shared_task
def sweep_notices() -> None:
    """Tell of every turn whose own task was lost, or that rang for none."""
    for clock_id in notices.untold():
        notices.tell_turn(clock_id)


@shared_task(bind=True)
def build_export(self: Task[..., None], export_id: int) -> None:
    """Build an archive, or go on where another left it; running it again does nothing."""
    owner = User.objects.filter(pk=archive.owner_of(export_id) or 0).first()
    if owner is None:
        return
    at_most = EAGER_SECONDS if self.request.is_eager else None
    try:
        with translation.override(owner.language or None), timezone.override(zone(owner.time_zone)):
            archive.build(
                export_id, exports.written, exports.HEADING, at_most, persons.written
            )
    except Exception:
        # Not raised again: the sweep is the retry, until the export has failed for good.
        logger.exception("Export %s could not be built on; the sweep will try.", export_id)
        archive.failed(export_id)


@shared_task(bind=True)
def sweep_exports(self: Task[..., None]) -> None:
    """Drop what is older than a day; have built on what nobody builds."""
    archive.drop_old()
    for export_id in archive.silent(*([timedelta()] if self.request.is_eager else [])):
        build_export.delay(export_id)


@shared_task
def forget_guests() -> None:
    """Forget guests who never came back and have no game."""
    expiry.forget_guests()
