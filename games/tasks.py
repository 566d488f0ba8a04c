"""Celery’s doors: clocks, the computer, letters, archives, the coach and guests who are gone."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import Task, shared_task
from django.conf import settings
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone
from games import coach, expiry, notices, room_letters, table, thinking
from games.history import exports, persons
from scoring import archive

logger = logging.getLogger(__name__)

# Embedded, the first beat of the process is the start of the site, however short the gap.
_starts = [settings.EMBEDDED]
# What runs in a process that serves must let it serve: the sweep goes on with the rest.
EAGER_SECONDS = 1.0
# The coach thinks long: others are to have a turn in between.
PIECE_SECONDS = 2.0


@shared_task
def keep_time() -> None:
    """Beat, and play for everyone whose time is over."""
    start = bool(_starts) and _starts.pop()
    table.keep_time(start)
    table.end_shuffles()


@shared_task
def think(table_id: int) -> None:
    """Make the computer's move at a table; running it again makes none."""
    table.think(table_id)


@shared_task
def sweep_bots() -> None:
    """Make every move of the computer that a dead worker or a lost message left to do."""
    table.sweep_bots()


@shared_task
def sweep_seats() -> None:
    """Free the seats of those who are shut out."""
    table.free_seats()


@shared_task
def tell_turn(clock_id: int) -> None:
    """Write to whoever must act by this clock; running it again writes nothing."""
    notices.tell_turn(clock_id)


@shared_task
def tell_invitation(invitation_id: int) -> None:
    """Write to whoever is invited into a room; running it again writes nothing."""
    room_letters.tell_invitation(invitation_id)


@shared_task
def sweep_notices() -> None:
    """Tell of every turn and invitation whose own task was lost, or that rang for none."""
    for clock_id in notices.untold():
        notices.tell_turn(clock_id)
    for invitation_id in room_letters.untold():
        room_letters.tell_invitation(invitation_id)


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


def set_the_coach_to_work(analysis_id: int) -> None:
    """Have an analysis worked on, where nobody waits for it."""
    if settings.EMBEDDED:
        thinking.run(_go_on_with, analysis_id)
    else:
        weigh_on.delay(analysis_id)


def _go_on_with(analysis_id: int) -> None:
    """A piece of an analysis; what is left goes behind everything that waits already."""
    try:
        more = coach.build(analysis_id, PIECE_SECONDS)
    except Exception as error:
        # Not raised again: the sweep is the retry, until the analysis is given up for good.
        # Without its words: they may name a card.
        what = type(error).__name__
        logger.error("Analysis %s could not go on (%s); the sweep will try.", analysis_id, what)
        coach.failed(analysis_id)
    else:
        if more:
            set_the_coach_to_work(analysis_id)


@shared_task
def weigh_on(analysis_id: int) -> None:
    """Let the coach go on with an analysis; running it again weighs nothing twice."""
    _go_on_with(analysis_id)


@shared_task
def sweep_analyses() -> None:
    """Have worked on what nobody works on."""
    for analysis_id in coach.take_up():
        set_the_coach_to_work(analysis_id)


@shared_task
def forget_guests() -> None:
    """Forget guests who never came back and have no game."""
    expiry.forget_guests()
