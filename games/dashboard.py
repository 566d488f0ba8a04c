"""What the administration sees first: how the site is doing now. Counts, names and times alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q
from django.utils import timezone

from accounts.models import Suspension, User
from games.models import Clock, Game, Report
from scoring import chips
from scoring.models import ScoreSheet

SHOWN = 10
LATELY = timedelta(minutes=15)
# What is done by itself within seconds is late after this.
LATE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A game being played: where, by whom, which hand, and when somebody last moved."""

    game_id: int
    room: str
    number: int
    players: str
    hand: int | None
    moved_at: datetime | None


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The figures of this moment."""

    begun_today: int
    ended_today: int
    live: int
    tables: list[LiveTable]
    playing: int
    accounts: int
    guests: int
    came_today: int
    late_bonuses: int
    shortfalls: int
    overdue_clocks: int
    open_reports: int
    suspended: int


def dashboard() -> Dashboard:
    """Everything in a fixed number of statements, however many games there are."""
    now = timezone.now()
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    running = Q(started_at__isnull=False, ended_at=None, clock__adjourned_at=None)
    games = Game.objects.filter(running)
    people = User.objects.filter(is_active=True)
    late = ScoreSheet.objects.filter(ended_at__lt=now - LATE, bonuses_at=None)
    overdue = Clock.objects.filter(deadline__lt=now - LATE, game__ended_at=None)
    return Dashboard(
        begun_today=Game.objects.filter(started_at__gte=midnight).count(),
        ended_today=Game.objects.filter(ended_at__gte=midnight).count(),
        live=games.filter(hands__ended_at=None, hands__moves__made_at__gte=now - LATELY)
        .distinct()
        .count(),
        tables=_tables(games),
        playing=games.values("seats__user").distinct().count(),
        accounts=people.filter(is_guest=False).count(),
        guests=people.filter(is_guest=True).count(),
        came_today=people.filter(last_login__gte=midnight).count(),
        late_bonuses=late.count(),
        shortfalls=len(chips.shortfalls()),
        overdue_clocks=overdue.count(),
        open_reports=Report.objects.filter(settled_at=None).count(),
        suspended=Suspension.objects.filter(ended_at=None).count(),
    )


def figures() -> dict[str, int]:
    """What a monitor asks for every few seconds: three counts by index."""
    now = timezone.now()
    running = Game.objects.filter(started_at__isnull=False, ended_at=None, clock__adjourned_at=None)
    late = ScoreSheet.objects.filter(ended_at__lt=now - LATE, bonuses_at=None)
    overdue = Clock.objects.filter(deadline__lt=now - LATE, game__ended_at=None)
    return {
        "tables_playing": running.count(),
        "sheets_without_bonuses": late.count(),
        "clocks_overdue": overdue.count(),
    }


def _tables(games: Any) -> list[LiveTable]:
    """The games that moved last."""
    found = (
        games.annotate(hand=Max("hands__number"), moved_at=Max("hands__moves__made_at"))
        .select_related("table__room")
        .prefetch_related("seats__user")
        .order_by("-moved_at", "-pk")[:SHOWN]
    )
    return [
        LiveTable(
            game_id=game.pk,
            room=game.table.room.name,
            number=game.table.number,
            players=", ".join(
                seat.user.username if seat.user else "…"
                for seat in sorted(game.seats.all(), key=lambda seat: seat.seat)
            ),
            hand=game.hand,
            moved_at=game.moved_at,
        )
        for game in found
    ]
