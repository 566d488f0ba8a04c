"""Whether the database answers: while it is away one of the sockets' calls tries, others are told.

Whoever finds no connection in the pool has waited for it, and all behind them would. So from then
on calls are refused at once, but for one a second that first looks whether it is back.
"""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

import psycopg
from django.db import Error, InterfaceError, OperationalError, connections
from psycopg_pool import PoolTimeout

# How long one waits for a connection: usually (as settings.py says), once one was found broken, and
# while the database is away.
USUALLY, SHAKEN, WHILE_AWAY = 5.0, 1.0, 0.05  # seconds
TRIED_EVERY = 0.9  # seconds
STANDS_STILL = 3.0  # seconds in which none of the calls under way has come to its end
CONNECTIONS = 12  # at the most that a thread finds broken, one after the other

# What PostgreSQL says as it goes or comes; nothing, where its connection is cut.
GOING = (None, "57P01", "57P02", "57P03", "08000", "08003", "08006")

_lock = threading.Lock()
_patience = USUALLY
_tried = 0.0
_outages = 0  # how often it was found to be back
_under_way = 0
_moved = 0.0  # when a call last came to its end, or was the first to begin
_own = threading.local()


class Reach(NamedTuple):
    """What of the site answers: the bells of other processes, the database."""

    bells: bool = True
    database: bool = True


class Away(OperationalError):
    """The database was out of reach a moment ago."""


def away() -> bool:
    """Whether the database was out of reach when somebody last tried."""
    return _patience == WHILE_AWAY


def out_of_reach(error: BaseException | None) -> bool:
    """Whether this error says no more than that the database cannot be reached now."""
    cause = getattr(error, "__cause__", None)
    gone = isinstance(cause, psycopg.OperationalError) and cause.sqlstate in GOING
    return isinstance(error, Away) or isinstance(cause, PoolTimeout) or gone


def answers() -> bool:
    """Whether the database seems to answer: it is there, and does not leave all calls waiting."""
    stands_still = _under_way and time.monotonic() - _moved > STANDS_STILL
    return not away() and not stands_still


def begin() -> None:
    """A call is under way. Raises Away; whoever is let in calls ``end`` afterwards."""
    global _under_way, _moved
    if away() and not (_may_try() and _is_back()):
        raise Away
    if getattr(_own, "outages", 0) != _outages:  # what this thread has kept is from before
        _own.outages = _outages
        _find_one_that_answers()
    with _lock:
        if not _under_way:
            _moved = time.monotonic()
        _under_way += 1


def end(error: BaseException | None = None) -> None:
    """A call came to its end, or to this."""
    global _under_way, _moved
    with _lock:
        _under_way, _moved = _under_way - 1, time.monotonic()
    if error is None:
        if _patience == SHAKEN and connections["default"].connection is not None:
            _wait(USUALLY)
    elif isinstance(error.__cause__, PoolTimeout):
        _wait(WHILE_AWAY)
    elif isinstance(error, (OperationalError, InterfaceError)) and not away() and _is_broken():
        _wait(SHAKEN)


def _may_try() -> bool:
    global _tried
    with _lock:
        if time.monotonic() - _tried < TRIED_EVERY:
            return False
        _tried = time.monotonic()
    return True


def _is_back() -> bool:
    global _outages
    if not _find_one_that_answers():
        return False
    with _lock:
        _outages += 1
    _own.outages = _outages
    _wait(USUALLY)
    return True


def _find_one_that_answers() -> bool:
    """Throw connections away that broke meanwhile, until there is one that did not."""
    connection = connections["default"]
    for _ in range(CONNECTIONS):
        try:
            connection.ensure_connection()
            if connection.is_usable():
                return True
            connection.close()
        except Error:
            return False
    return False


def _is_broken() -> bool:
    own = connections["default"].connection
    return own is None or bool(getattr(own, "closed", False))  # SQLite's do not break


def _wait(seconds: float) -> None:
    """For pages too, which draw from the same pool."""
    global _patience
    pool: Any = getattr(connections["default"], "pool", None)
    if pool is not None:
        _patience = pool.timeout = seconds
