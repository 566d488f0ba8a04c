"""How a line of the log is written: without the secrets that addresses and errors may carry.

Django names the path of a request it refuses, and PostgreSQL the row that broke a constraint. An
invitation, a link that opens a sheet or an account, or a deck would then stand in the log.

Whoever sends nonsense fills no log either: a request that was refused is one line.
"""

from __future__ import annotations

import logging
import re

# Every address whose last part lets anybody in or speaks for somebody (a test holds the list).
_SECRETS = re.compile(
    r"(?P<kept>(?:/|%2F)"
    r"(?:j|s|f|first-admin|address|letters(?:/|%2F)stop|password(?:/|%2F)reset(?:/|%2F)key)"
    r"(?:/|%2F))(?:[^/\s'\"%]|%(?!2F))+"
    r"|(?<![0-9A-Za-z])(?:[A2-9TJQK][cdhs]){10,}",
    re.IGNORECASE,
)


class Discreet(logging.Formatter):
    """Masks the secrets of the whole record, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRETS.sub(lambda found: f"{found['kept'] or ''}***", super().format(record))


class Plain(logging.Filter):
    """Leaves the traceback out where a visitor was refused: it tells of nothing to be mended."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
