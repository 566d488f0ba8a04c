"""Celery's door to the clocks."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from games import table

# Embedded, the first beat of the process is the start of the site, however short the gap.
_starts = [settings.EMBEDDED]


@shared_task
def keep_time() -> None:
    """Beat, and play for everyone whose time is over."""
    start = bool(_starts) and _starts.pop()
    table.keep_time(start)
