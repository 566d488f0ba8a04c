"""A clock that tests turn by hand, with a site that lives meanwhile, or stands still."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games import presence
from games.models import Heartbeat


class Hours:
    """The time of the site, as all its parts read it."""

    def __init__(self, monkeypatch) -> None:
        self.now = datetime(2026, 5, 1, 20, tzinfo=UTC)
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.now)
        monkeypatch.setattr(presence, "STARTED", self.now - timedelta(hours=1))
        monkeypatch.setattr(presence, "_silent_at", None)
        monkeypatch.setattr(presence, "_failed", 0.0)
        self.now -= timedelta(hours=1)
        presence.mark([])
        Heartbeat.objects.create(pk=1, beat_at=self.now, started_at=self.now)
        self.now += timedelta(hours=1)
        self._live()

    def pass_by(self, seconds: float, standing_still: bool = False) -> None:
        """Let time pass; the site beats all the while, unless it stands still."""
        self.now += timedelta(seconds=seconds)
        if not standing_still:
            self._live()

    def _live(self) -> None:
        Heartbeat.objects.filter(pk=1).update(beat_at=self.now)
