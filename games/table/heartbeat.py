"""The site's heartbeat: a row that says when it last lived, so that a gap costs nobody time.

Every process that has something to watch over beats; whoever finds the row too old was the first
to come back. Lock order: Heartbeat, then Game; so nobody who holds a game may beat.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games import clocks, live, presence
from games.models import Clock, Game, Heartbeat
from games.table.rights import count_change

OFTEN_ENOUGH = timedelta(seconds=4)
GAP = timedelta(seconds=15)  # the site stood still
GRACE = timedelta(seconds=60)  # after a start nobody loses anything by time


def beat(start: bool = False) -> None:
    """Write that the site lives; after a gap, or at a ``start``, every clock moves by it."""
    row = Heartbeat.objects.filter(pk=1).first()
    now = timezone.now()
    if row is not None and not start and timedelta() <= now - row.beat_at < OFTEN_ENOUGH:
        return
    with transaction.atomic():
        if row is None:
            Heartbeat.objects.get_or_create(pk=1, defaults={"beat_at": now, "started_at": now})
        row = Heartbeat.objects.select_for_update().get(pk=1)
        if start or now - row.beat_at > GAP:
            _move_clocks(row.beat_at, now)
            row.started_at = now
        row.beat_at = now
        row.save(update_fields=["beat_at", "started_at"])


def alive_since() -> datetime | None:
    """Since when the site lives without a gap; None: it stands still, or has never beaten."""
    row = Heartbeat.objects.filter(pk=1).first()
    if row is None or timezone.now() - row.beat_at > GAP:
        return None
    return row.started_at


def may_judge() -> bool:
    """Whether anybody may lose by time now: the site and the store of presence live long enough."""
    since, known = alive_since(), presence.since()
    return since is not None and known is not None and timezone.now() - max(since, known) >= GRACE


def _move_clocks(stood_from: datetime, now: datetime) -> None:
    """Nobody could play while the site stood still: that time is given back."""
    running = Game.objects.filter(clock__deadline__isnull=False).order_by("pk")
    tables = dict(running.select_for_update(of=("self",)).values_list("pk", "table_id"))
    moved = Clock.objects.filter(game_id__in=tables, deadline__isnull=False)
    for clock in moved.order_by("game__table_id"):
        if clock.turn_from is None or clock.deadline is None:
            continue
        gap = clocks.moved(clock.turn_from, stood_from, now)
        clock.turn_from, clock.deadline = clock.turn_from + gap, clock.deadline + gap
        clock.save(update_fields=["turn_from", "deadline"])
        count_change(tables[clock.game_id])
        live.ring_after_commit(tables[clock.game_id])
