"""How a line of the log is written: without the secrets that addresses and errors may carry.

Django names the path of a request it refuses, and PostgreSQL the row that broke a constraint. An
invitation, a link that opens a sheet or an account, or a deck would then stand in the log.
"""

from __future__ import annotations

import logging
import re

_SECRETS = re.compile(
    r"(?P<kept>(?:/|%2F)(?:j|s|first-admin|password(?:/|%2F)reset(?:/|%2F)key)(?:/|%2F))[^/\s'\"%]+"
    r"|(?<![0-9A-Za-z])(?:[A2-9TJQK][cdhs]){10,}",
    re.IGNORECASE,
)


class Discreet(logging.Formatter):
    """Masks the secrets of the whole record, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRETS.sub(lambda found: f"{found['kept'] or ''}***", super().format(record))
