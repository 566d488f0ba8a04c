"""Whoever begins to serve rings, and the others let go what came to them meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field

import pytest
from autobahn.exception import Disconnected

from ginrami import homecoming

pytestmark = pytest.mark.asyncio


@dataclass
class Open:
    """A socket as Daphne has it."""

    path: bytes
    socket_opened: float
    told: list[bytes]
    gone: bool = False
    codes: list[int] = field(default_factory=list)

    def sendClose(self, code, reason):
        if self.gone:
            raise Disconnected
        self.codes.append(code)
        self.told.append(self.path)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(homecoming, "FOUND_AFTER", 0.05)
    monkeypatch.setattr(homecoming, "CALM", 0.05)
    monkeypatch.setattr(homecoming, "A_SECOND", 1_000)


@contextlib.asynccontextmanager
async def keeping_house(*sockets):
    task = asyncio.create_task(homecoming.keep_house(lambda: sockets))
    await asyncio.sleep(0.02)
    try:
        yield task
    finally:
        task.cancel()


async def test_what_came_before_the_newcomer_goes_and_what_came_after_or_long_ago_stays():
    told = []
    before = Open(b"/ws/tables/1/", time.time() - 5, told)
    long_ago = Open(b"/ws/tables/2/", time.time() - homecoming.LATELY - 5, told)
    after = Open(b"/ws/tables/3/", time.time() + 5, told)
    async with keeping_house(before, long_ago, after):
        assert told == []  # its own bell is for the others
        async with keeping_house():
            await asyncio.sleep(0.15)
    assert (before.codes, long_ago.codes, after.codes) == ([homecoming.GO_HOME], [], [])


async def test_those_at_a_table_go_together_and_one_that_is_gone_keeps_nobody():
    told, now = [], time.time() - 1
    one, two = b"/ws/tables/1/", b"/ws/tables/2/"
    sockets = [Open(place, now, told) for place in (one, two, one, two)]
    sockets[0].gone = True
    async with keeping_house(*sockets), keeping_house():
        await asyncio.sleep(0.15)
    assert told == [one, two, two]


async def test_two_who_come_together_are_one_reason_and_a_later_one_another():
    told = []
    here = Open(b"/ws/tables/1/", time.time() - 5, told)
    async with keeping_house(here):
        async with keeping_house(), keeping_house():
            await asyncio.sleep(0.15)
        assert len(told) == 1
        async with keeping_house():
            await asyncio.sleep(0.2)
        assert len(told) == 2
