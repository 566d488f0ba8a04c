"""The threads in which one process thinks, so that no thread of a database waits for a thought.

Embedded they think for everybody; scaled, Celery's workers do, and a process that serves uses them
only for what goes back to one of its own sockets. What is put here may be lost with the process:
whoever puts it has a sweep.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from django.conf import settings
from django.db import close_old_connections

T = TypeVar("T")

logger = logging.getLogger(__name__)

GIVES_WAY_SECONDS = 0.0005
HINTS_AT_MOST = 32  # thoughts waiting for an answer in one process


class Busy(Exception):
    """Too many wait for an answer already."""


class Mind:
    """One thread that does what it was given, one thing after the other, each when it is due.

    What already waits is not put a second time. The thread begins with the first thing to do.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._due: list[tuple[float, int, tuple[Any, ...]]] = []
        self._waiting: set[tuple[Any, ...]] = set()
        self._count = itertools.count()
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, seconds: float, function: Callable[..., object], *args: Any) -> None:
        """Call the function with these, in so many seconds at the earliest."""
        job = (function, *args)
        with self._news:
            if job in self._waiting:
                return
            self._waiting.add(job)
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._count), job))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._news.notify()

    def __len__(self) -> int:
        return len(self._waiting)

    def _work(self) -> None:
        # A thread that thinks gives way to those that answer after this long, not after 5 ms.
        sys.setswitchinterval(GIVES_WAY_SECONDS)
        while True:
            function, *args = self._next()
            try:
                function(*args)
            except Exception as error:
                # Without its words: they may quote a row, and with it a deck.
                logger.error("%s: %s failed", self._name, type(error).__name__)
            finally:
                close_old_connections()

    def _next(self) -> tuple[Any, ...]:
        with self._news:
            while True:
                left = self._due[0][0] - time.monotonic() if self._due else None
                if left is not None and left <= 0:
                    job = heapq.heappop(self._due)[2]
                    self._waiting.discard(job)
                    return job
                self._news.wait(left)


# Somebody waits for the computer's move, nobody for what is worked out beside the game.
_tables, _beside, _hints = Mind("computer"), Mind("beside"), Mind("hints")


def soon(seconds: float, function: Callable[..., object], *args: Any) -> None:
    """Do something a table waits for, in so many seconds."""
    if settings.THINKS:
        _tables.put(seconds, function, *args)


def run(function: Callable[..., object], *args: Any) -> None:
    """Do something long that nobody waits for; in short pieces, if others are to have a turn."""
    if settings.THINKS:
        _beside.put(0, function, *args)


async def answer(function: Callable[..., T], *args: Any) -> T:
    """What the function gives, thought out without holding up the caller's loop. Raises Busy."""
    if len(_hints) >= HINTS_AT_MOST:
        raise Busy
    promised: Future[T] = Future()

    def think() -> None:
        if not promised.set_running_or_notify_cancel():
            return  # whoever asked is gone
        try:
            promised.set_result(function(*args))
        except Exception as error:
            promised.set_exception(error)

    _hints.put(0, think)
    return await asyncio.wrap_future(promised)
