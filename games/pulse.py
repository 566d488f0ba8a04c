"""The sockets of this process as a whole: whose they are, renewed together every few seconds.

An open socket is presence: a page in a sleeping or hidden tab says nothing for minutes, but its
browser still answers the pings of the server, which closes the sockets of those who do not.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from accounts.sharing import shared
from games import live, outages, presence, table
from games.presence import Spot
from games.sockets import Follower

logger = logging.getLogger(__name__)

EVERY = 5.0  # seconds
MARKED_AT_ONCE = 50  # a millisecond and a half of Python, for which a click may have to wait
BACK_WITHIN = 1.5  # seconds; whoever loads the page again has not left

_here: Counter[Spot] = Counter()
_beating: asyncio.Task[None] | None = None
_soon: set[asyncio.Task[None]] = set()  # a task that nobody holds may be thrown away
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


def later(seconds: float, what: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.TimerHandle:
    """Do something on this loop after some time, unless the handle is cancelled before."""
    loop = asyncio.get_running_loop()

    def start() -> None:
        task = loop.create_task(what())
        _soon.add(task)
        task.add_done_callback(_soon.discard)

    return loop.call_later(seconds, start)


class Attendant(Follower):
    """A socket whose person is somewhere as long as it is open."""

    spots: frozenset[Spot] = frozenset()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # cut off in the middle, the marks are left to age out
            _forget(self.spots)

    async def be_at(self, *spots: Spot) -> bool:
        """Be seen at these places and at no others; whether anybody came or went by this."""
        before, self.spots = self.spots, frozenset(spots)
        changed = await _unmark(_forget(before - self.spots))
        return await _enter(self.spots - before) or changed

    async def be_seen(self) -> None:
        """Say once more that one is here: another process thought the last socket gone."""
        await live.on_thread(presence.mark, self.spots)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        last, self.spots = _forget(self.spots), frozenset()
        if last:
            at = presence.stamp()
            later(BACK_WITHIN, lambda: self._be_missed(last, at))

    async def _be_missed(self, spots: Collection[Spot], at: int) -> None:
        """Two tabs of one person are one presence: only the last one here takes it along."""
        if await _unmark([spot for spot in spots if spot not in _here], at):
            self.missed()

    def missed(self) -> None:
        """Tell the others of this place to look again."""


async def _enter(spots: frozenset[Spot]) -> bool:
    if not spots:
        return False
    first = not _here
    _here.update(spots)
    _keep_beating()
    outages.keep_watching()
    if first:  # so that a gap is noticed before anybody moves
        await _live()
    return not spots.isdisjoint(await _Arrivals.with_others(spots))


class _Arrivals:
    """Spots to be marked together: of all who come while others are being marked."""

    next: _Arrivals | None = None

    def __init__(self) -> None:
        self.spots: set[Spot] = set()
        self.loop = asyncio.get_running_loop()
        self.away: asyncio.Task[set[Spot]] = self.loop.create_task(self._mark())

    @classmethod
    async def with_others(cls, spots: Collection[Spot]) -> set[Spot]:
        """Mark these; which of all that were marked with them were away before."""
        mine = cls.next
        if mine is None or mine.loop is not asyncio.get_running_loop():
            mine = cls.next = cls()
        mine.spots |= set(spots)
        return await shared(mine.away)

    async def _mark(self) -> set[Spot]:
        async with _turns.setdefault(self.loop, asyncio.Lock()):
            if _Arrivals.next is self:
                _Arrivals.next = None
            return await live.on_thread(presence.mark_each, self.spots)


async def _unmark(spots: Collection[Spot], at: int | None = None) -> bool:
    changed = False
    for spot in spots:
        with contextlib.suppress(RuntimeError):  # the process is ending
            changed = await live.on_thread(presence.left, spot, at) or changed
    return changed


def _forget(spots: Collection[Spot]) -> list[Spot]:
    """Count a socket less at each; those where it was the last of this process."""
    _here.subtract(spots)
    last = [spot for spot in spots if _here[spot] <= 0]
    for spot in last:
        del _here[spot]
    return last


def _keep_beating() -> None:
    global _beating
    loop = asyncio.get_running_loop()
    if _beating is None or _beating.done() or _beating.get_loop() is not loop:
        _beating = loop.create_task(_beat_on())


async def _beat_on() -> None:
    """Renew all marks in EVERY seconds, a few at a time: thousands at once would hold up clicks."""
    while _here:
        spots = list(_here)
        for first in range(0, len(spots), MARKED_AT_ONCE):
            some = spots[first : first + MARKED_AT_ONCE]
            await asyncio.sleep(EVERY * len(some) / len(spots))
            if still := [spot for spot in some if spot in _here]:
                await live.on_thread(presence.mark, still)
        await _live()


async def _live() -> None:
    try:
        await live.on_database_thread(table.beat)
    except Exception as error:
        logger.warning("The site could not write that it lives: %s", type(error).__name__)
