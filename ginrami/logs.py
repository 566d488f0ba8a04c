"""How a line of the log is written: without the secrets that addresses and errors may carry.

Django names the path of a request it refuses, and PostgreSQL the row that broke a constraint. An
invitation, a link that opens a sheet or an account, or a deck would then stand in the log.

Whoever sends nonsense fills no log either: a request that was refused is one line.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from accounts import about

# Every address whose last part lets anybody in or speaks for somebody (a test holds the list).
_SECRETS = re.compile(
    r"(?P<kept>(?:/|%2F)"
    r"(?:j|s|f|first-admin|address|letters(?:/|%2F)stop|password(?:/|%2F)reset(?:/|%2F)key)"
    r"(?:/|%2F))(?:[^/\s'\"%]|%(?!2F))+"
    r"|(?<![0-9A-Za-z])(?:[A2-9TJQK][cdhs]){10,}",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """The text without what lets anybody in, and without any deck."""
    return _SECRETS.sub(lambda found: f"{found['kept'] or ''}***", text)


class Discreet(logging.Formatter):
    """Masks the secrets of the whole record, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


class DiscreetJson(Discreet):
    """One JSON object a line, for machines: what was said, and the ids of what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC)
        said = {
            **about.ids(),
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
            **getattr(record, "figures", {}),
        }
        if record.exc_info:
            said["error"] = masked(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False, default=str)


# Who traces each failure to reach a server, again and again until it is back. The last of them
# tells of a task that could not be sent after a commit, which the sweep makes good.
_INSISTENT = ("channels_redis", "celery", "kombu", "django.db.backends.base")
_OUT_OF_REACH = {"OSError", "RedisError", "OperationalError", "SchedulingError"}


def _is_out_of_reach(record: logging.LogRecord) -> bool:
    kind = record.exc_info[0] if record.exc_info else None
    known = kind is not None and not _OUT_OF_REACH.isdisjoint(one.__name__ for one in kind.__mro__)
    known = known and record.name.startswith(_INSISTENT)
    # A page that was asked for while the database was away, and said so.
    return known or (kind is not None and getattr(record, "status_code", 500) == 503)


class Plain(logging.Filter):
    """Leaves the traceback out where it tells of nothing to be mended.

    So where a visitor was refused, and where Redis or PostgreSQL was out of reach.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if _is_out_of_reach(record):
            kind = record.exc_info[0] if record.exc_info else None
            said = str(record.msg if record.name == "celery.beat" else record.getMessage())
            record.msg = f"{said.splitlines()[0].split('%s')[0]} ({kind.__name__ if kind else ''})"
            record.args = record.exc_info = record.exc_text = None
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
