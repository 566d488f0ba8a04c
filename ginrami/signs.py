"""Signs of life of the processes that serve nobody: workers and beat. And how long tasks waited.

Celery says what happens in its processes by its own signals and in no other way, so here, and here
alone, signals are heard. A sign is a mark in the shared cache with its time, and no fact: where the
cache is out of reach nobody can tell who lives.
"""

from __future__ import annotations

import gc
import logging
import time
from typing import Any

from celery import signals
from django.conf import settings
from django.core.cache import cache

from accounts import about, meters

logger = logging.getLogger(__name__)

EVERY = 5.0  # seconds
KEPT = 24 * 3600
# The queue "celery" is what workers take from, "beside" what those take from that nobody waits for.
QUEUES = {"worker": "celery", "beside": "beside"}
EXPECTED = ("beat",) if settings.EMBEDDED else ("worker", "beside", "beat")

_given: dict[str, float] = {}
_serves: list[str] = []  # which of these this worker is
_began: dict[str, float] = {}


def give(name: str) -> None:
    """Say that a process of this kind lives. Never raises; at most one mark every few seconds."""
    now = time.monotonic()
    if now - _given.get(name, -EVERY) < EVERY:
        return
    _given[name] = now
    try:
        cache.set(f"alive.{name}", time.time(), KEPT)
    except Exception as error:  # each backend has its own
        logger.warning("No sign of life could be given: %s", type(error).__name__)


def ages() -> dict[str, float | None]:
    """How many seconds ago each expected kind gave a sign; None: never, that the cache knows."""
    keys = {name: f"alive.{name}" for name in EXPECTED}
    found = cache.get_many(keys.values())
    now = time.time()
    return {
        name: None if key not in found else round(max(0.0, now - found[key]), 1)
        for name, key in keys.items()
    }


@signals.celeryd_after_setup.connect
def _learn(instance: Any, **_more: Any) -> None:
    taken = set(instance.app.amqp.queues.consume_from)
    _serves[:] = [name for name, queue in QUEUES.items() if queue in taken]


@signals.heartbeat_sent.connect
def _worker_lives(**_more: Any) -> None:
    for name in _serves:
        give(name)


@signals.beat_init.connect
def _beat_begins(**_more: Any) -> None:
    signals.before_task_publish.connect(_beat_lives)


def _beat_lives(**_more: Any) -> None:
    give("beat")


@signals.before_task_publish.connect
def _stamp(headers: dict[str, Any], **_more: Any) -> None:
    """A task carries when it was sent, and for which request, as far as there was one."""
    headers["sent_at"] = time.time()
    headers["request"] = about.ids().get("request", "")


@signals.task_prerun.connect
def _begin(task_id: str, task: Any, **_more: Any) -> None:
    if task.request.is_eager:  # within a request or the ticker, which said what this is about
        return
    _began[task_id] = time.perf_counter()
    known = {"request": getattr(task.request, "request", "") or "", "task": task_id}
    about.begin(**{name: one for name, one in known.items() if one})
    sent_at = getattr(task.request, "sent_at", None)
    if isinstance(sent_at, float):
        meters.TASK_WAITS.labels(task.name).observe(max(0.0, time.time() - sent_at))


@signals.task_postrun.connect
def _end(task_id: str, task: Any, **_more: Any) -> None:
    began = _began.pop(task_id, None)
    if began is not None:
        meters.TASKS.labels(task.name).observe(time.perf_counter() - began)


@signals.task_failure.connect
def _failed(sender: Any, **_more: Any) -> None:
    """Count it, and take away what the last failure of this process left behind.

    Celery keeps a copy of the whole trace in rings of objects, too few for Python to look for them.
    """
    meters.FAILED_TASKS.labels(sender.name).inc()
    if not sender.request.is_eager:
        gc.collect()
