"""The page a Prometheus reads: what all processes of this machine counted, and how the site is now.

It is shown to whoever knows METRICS_TOKEN, and to nobody while there is none. Of people, cards and
rooms it says nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis

from accounts import meters
from games import dashboard
from ginrami import health, signs

NOBODY = 0  # no process has this number: the counts of those that ended are kept under it


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything counted, for whoever brings the token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(
            "Bearer METRICS_TOKEN\n", status=401, content_type="text/plain",
            headers={"WWW-Authenticate": "Bearer"},
        )  # fmt: skip
    return HttpResponse(_text(), content_type=CONTENT_TYPE_LATEST)


def _text() -> bytes:
    now = CollectorRegistry()
    now.register(Now())
    if not meters.COUNTED_TOGETHER:
        return generate_latest(REGISTRY) + generate_latest(now)
    folder = Path(settings.METRICS_DIR)
    with _alone(folder):
        fold_away(folder)
        MultiProcessCollector(now, str(folder))
        return generate_latest(now)


class Now:
    """What is asked at the moment, each part within its time; what does not answer is left out."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("ginrami_up", "Whether a part answers.", None, ["part"])
        report = health.report()
        for name in health.PARTS:
            up.add_metric([name], float(report["parts"][name]["state"] == "ok"))
        yield up
        ages = GaugeMetricFamily(
            "ginrami_sign_age_seconds", "Since the last sign of life, by kind of process.",
            None, ["process"],
        )  # fmt: skip
        for name, age in health.ages().items():
            if age is not None:
                ages.add_metric([name], age)
        yield ages
        for name, one in _of(_FIGURES).items():
            yield GaugeMetricFamily(f"ginrami_{name}", _WORDS[name], one)
        waiting = GaugeMetricFamily("ginrami_tasks_waiting", "Tasks in a queue.", None, ["queue"])
        for name, one in _of(_QUEUES).items():
            waiting.add_metric([name], one)
        yield waiting


_WORDS = {
    "tables_playing": "Games begun and neither over nor adjourned.",
    "sheets_without_bonuses": "Ended sheets that have waited for their bonuses over a minute.",
    "clocks_overdue": "Clocks over for more than a minute that nobody played for.",
}


def _queues() -> dict[str, int]:
    if settings.EMBEDDED:
        return {}
    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=0.5
    ) as broker:
        return {queue: int(broker.llen(queue)) for queue in signs.QUEUES.values()}


_FIGURES = health.Inquiry(dashboard.figures)
_QUEUES = health.Inquiry(_queues)


def _of(inquiry: health.Inquiry) -> dict[str, int]:
    try:
        found: dict[str, int] = inquiry.answer()
    except health.NoAnswer:
        return {}
    return found


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time read and fold the counts."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fold_away(folder: Path) -> None:
    """Add the counts of processes that ended to one file: they stay, and files do not pile up.

    What such a process had open is gone with it.
    """
    for file in folder.glob("*.db"):
        kind, _, number = file.stem.rpartition("_")
        if not number.isdecimal() or int(number) == NOBODY or _lives(int(number)):
            continue
        if not kind.startswith("gauge"):
            kept = MmapedDict(str(folder / f"{kind}_{NOBODY}.db"))
            for key, value, at, _pos in MmapedDict.read_all_values_from_file(str(file)):
                kept.write_value(key, kept.read_value(key)[0] + value, at)
            kept.close()
        file.unlink()


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True
