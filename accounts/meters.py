"""What is counted of the site's work, for whoever watches over it: figures alone, never of whom.

Every floor counts here; `ginrami/metrics.py` shows it. The processes of a scaled site count
together in the files of METRICS_DIR, which the library wants to know before it is imported.
"""

from __future__ import annotations

from django.conf import settings

COUNTED_TOGETHER = bool(settings.METRICS_DIR)  # asked first: reading the settings names the folder

from prometheus_client import Counter, Gauge, Histogram  # noqa: E402

_MOMENTS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_WAITS = (0.005, 0.025, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300)

MOVES = Counter("ginrami_moves", "Moves stored, whoever made them.")
VERBS = Histogram(
    "ginrami_verb_seconds", "From a message of a socket to what it asked for being stored.",
    ["verb"], buckets=_MOMENTS,
)  # fmt: skip
REFUSED = Counter("ginrami_refused", "Messages of sockets that were refused, by why.", ["code"])
SHOWN_OUT = Counter("ginrami_sockets_shown_out", "Sockets the site closed, by code.", ["code"])
SOCKETS = Gauge(
    "ginrami_sockets", "Sockets open now, by kind.", ["kind"], multiprocess_mode="livesum"
)
LOST_BELLS = Counter("ginrami_bells_lost", "Bells that could not be rung.")
PAGES = Histogram(
    "ginrami_page_seconds", "How long pages took, by status.", ["status"], buckets=_MOMENTS
)
TASK_WAITS = Histogram(
    "ginrami_task_lag_seconds", "From a task being sent to a worker taking it up.",
    ["task"], buckets=_WAITS,
)  # fmt: skip
TASKS = Histogram("ginrami_task_seconds", "How long tasks took.", ["task"], buckets=_WAITS)
FAILED_TASKS = Counter("ginrami_tasks_failed", "Tasks that ended in an error.", ["task"])
