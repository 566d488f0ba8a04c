"""What a line of the log is about: the request, the socket or the task it came from, by ids alone.

Whoever begins one says so, whoever knows more adds to it, and the log (`ginrami/logs.py`) writes
it.
"""

from __future__ import annotations

from contextvars import ContextVar

Id = str | int
_about: ContextVar[dict[str, Id] | None] = ContextVar("about", default=None)


def begin(**ids: Id) -> None:
    """A request, a socket or a task begins; what was known of the one before is forgotten."""
    _about.set(dict(ids))


def note(**ids: Id) -> None:
    """Add what has become known, for whatever follows in the same request, socket or task."""
    known = _about.get()
    if known is None:
        _about.set(dict(ids))
    else:
        known.update(ids)


def ids() -> dict[str, Id]:
    """What is known of what goes on here."""
    return dict(_about.get() or {})
