"""Pongs: the pings of a process that come at about the same time are answered by one reading.

It is what no table waits for: one at a time, and for half of the time at most. Who pings into a
quiet process is answered at once; the more ping, the more go together. Where what is compared
(compared.py) is as it was shown, nobody looks; where it is not, a few at a time look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings

from accounts import about
from accounts.sessions import Pass, signed_out
from games import compared, live
from games.compared import Asker, Read

TOGETHER = 200  # more would hold up what else this process does
A_PING = 0.05  # seconds of rest for each that was answered, so that under load many go together
AT_ONCE = 10  # that are answered before moves go on
# Who look at their whole table at once: a thread is left to moves.
LOOKING = max(1, settings.SOCKET_DATABASE_THREADS - 1)


class Asked:
    """Somebody who pings, and what their socket waits for."""

    def __init__(self, who: Asker) -> None:
        self.who = who
        self.read: asyncio.Future[Read] = asyncio.get_running_loop().create_future()

    def tell(self, read: Read | Exception) -> None:
        if self.read.done():  # whoever waited is gone
            return
        if isinstance(read, Exception):
            self.read.set_exception(read)
        else:
            self.read.set_result(read)


class Desk:
    """Where the pings of one loop wait."""

    def __init__(self) -> None:
        self.waiting: list[Asked] = []
        self.working: asyncio.Task[None] | None = None
        self.gate = asyncio.Semaphore(LOOKING)
        self.under_way: set[asyncio.Task[None]] = set()

    def take(self, asked: Asked) -> None:
        self.waiting.append(asked)
        if self.working is None or self.working.done():
            self.working = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        await asyncio.sleep(0)  # whoever pings at the same moment comes along
        about.begin()
        loop = asyncio.get_running_loop()
        while self.waiting:
            some, self.waiting = self.waiting[:TOGETHER], self.waiting[TOGETHER:]
            began = loop.time()
            await _answer(some)
            rest = loop.time() - began
            if len(self.waiting) < TOGETHER:
                rest = max(rest, A_PING * len(some))
            await asyncio.sleep(min(rest, live.LONGEST_REST))


async def ask(table_id: int, held: Pass, language: str) -> Read:
    """How the table stands for this person; raises SignedOut, and as any statement does."""
    asked = Asked(Asker(table_id, held, language))
    _desk().take(asked)
    return await asked.read


def beside(pong: Coroutine[Any, Any, None]) -> None:
    """Answer a ping beside what else a socket does: its moves must not wait with it for others."""
    under_way = _desk().under_way
    task = asyncio.get_running_loop().create_task(pong)
    under_way.add(task)
    task.add_done_callback(under_way.discard)


def gate() -> asyncio.Semaphore:
    """What whoever looks upon a pong passes through."""
    return _desk().gate


async def _answer(some: list[Asked]) -> None:
    found: list[Read | None] | list[Exception]
    try:
        found = await live.on_database_thread(compared.read, [asked.who for asked in some])
    except Exception as error:
        found = [error for _ in some]
    for number, (asked, read) in enumerate(zip(some, found, strict=True), 1):
        asked.tell(signed_out() if read is None else read)
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)


_desks: WeakKeyDictionary[asyncio.AbstractEventLoop, Desk] = WeakKeyDictionary()


def _desk() -> Desk:
    return _desks.setdefault(asyncio.get_running_loop(), Desk())
