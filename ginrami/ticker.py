"""Periodic work of the embedded way: one thread in the serving process, in place of Celery beat."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import close_old_connections

from ginrami import signs

logger = logging.getLogger(__name__)


def start() -> None:
    """Run every entry of the beat schedule, in this process, for as long as it lives."""
    current_app.loader.import_default_modules()  # the tasks of each app, as a worker does
    threading.Thread(target=_tick, name="ticker", daemon=True).start()


def _tick() -> None:
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE
    due = dict.fromkeys(schedule, 0.0)
    while True:
        signs.give("beat")
        for name, entry in schedule.items():
            if time.monotonic() >= due[name]:
                due[name] = time.monotonic() + entry["schedule"]
                _run(entry["task"])
        time.sleep(1)


def _run(task: str) -> None:
    try:
        current_app.tasks[task].apply()
    except Exception:
        logger.exception("The periodic task %s failed", task)
    finally:
        close_old_connections()
