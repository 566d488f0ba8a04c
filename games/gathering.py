"""What many sockets ask at the same time, asked for all of them at once.

Who asks while others are being answered waits, and goes with the next: on a quiet site nobody
waits, and where hundreds come back a statement serves dozens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from accounts import about
from games import live

K = TypeVar("K")
R = TypeVar("R")

Waiting = list[tuple[Any, asyncio.Future[Any]]]


class _Desk:
    """Who waits on one loop, and who sees to them."""

    def __init__(self) -> None:
        self.waiting: Waiting = []
        self.at_work: asyncio.Task[None] | None = None


class Gathering(Generic[K, R]):
    """Answers on a database thread, so many at a time at most, one lot after the other.

    ``answer`` gives an answer for each that is asked, in their order; an exception is raised for
    its asker alone. What it raises itself all of them get.
    """

    def __init__(self, answer: Callable[[Sequence[K]], Sequence[R | Exception]], most: int) -> None:
        self._answer, self._most = answer, most
        self._desks: WeakKeyDictionary[asyncio.AbstractEventLoop, _Desk] = WeakKeyDictionary()

    async def ask(self, what: K) -> R:
        loop = asyncio.get_running_loop()
        desk = self._desks.setdefault(loop, _Desk())
        told: asyncio.Future[R] = loop.create_future()
        desk.waiting.append((what, told))
        if desk.at_work is None:
            desk.at_work = loop.create_task(self._work(desk))
        return await told

    async def _work(self, desk: _Desk) -> None:
        about.begin()
        await asyncio.sleep(0)  # who comes at the same moment comes along
        try:
            while desk.waiting:
                some, desk.waiting = desk.waiting[: self._most], desk.waiting[self._most :]
                await self._tell([one for one in some if not one[1].done()])
        finally:
            desk.at_work = None

    async def _tell(self, some: Waiting) -> None:
        """Whoever went away meanwhile takes nothing from the others."""
        if not some:
            return
        try:
            answers = await live.on_database_thread(self._answer, [what for what, _told in some])
        except Exception as error:
            answers = [error for _ in some]
        for (_what, told), answer in zip(some, answers, strict=True):
            if told.done():
                continue
            if isinstance(answer, Exception):
                told.set_exception(answer)
            else:
                told.set_result(answer)
