"""Whoever begins to serve rings, and the others let go what came to them meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from ginrami import homecoming, stopping

pytestmark = pytest.mark.asyncio


@dataclass
class Open:
    """A socket as Daphne has it."""

    path: bytes
    socket_opened: float
    told: list[bytes]
    codes: list[int] = field(default_factory=list)
    at: list[float] = field(default_factory=list)

    def sendClose(self, code, reason):
        self.codes.append(code)
        self.at.append(time.monotonic())
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


async def until(holds):
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


async def test_what_came_before_the_newcomer_goes_and_what_came_after_or_long_ago_stays():
    told = []
    before = Open(b"/ws/tables/1/", time.time() - 5, told)
    long_ago = Open(b"/ws/tables/2/", time.time() - homecoming.LATELY - 5, told)
    after = Open(b"/ws/tables/3/", time.time() + 5, told)
    async with keeping_house(before, long_ago, after):
        await asyncio.sleep(0.15)
        assert told == []  # its own bell is for the others
        async with keeping_house():
            await asyncio.sleep(0.15)
    assert (before.codes, long_ago.codes, after.codes) == ([homecoming.GO_HOME], [], [])


async def test_those_at_a_table_go_one_after_the_other_and_one_that_fails_ends_nothing(caplog):
    told, now = [], time.time() - 1
    one, two = b"/ws/tables/1/", b"/ws/tables/2/"
    sockets = [Open(place, now, told) for place in (two, one, two, one)]
    async with keeping_house(*sockets):
        async with keeping_house():
            await until(lambda: len(told) == 4)
        assert told == [one, one, two, two]
        sockets[1].sendClose = None
        async with keeping_house():
            await until(lambda: "could not be let go" in caplog.text)
        del sockets[1].sendClose
        async with keeping_house():
            await until(lambda: len(told) == 8)


async def test_those_who_come_meanwhile_are_one_reason_and_each_time_it_takes_twice_as_long(
    monkeypatch,
):
    monkeypatch.setattr(homecoming, "CALM", 0.2)
    here = Open(b"/ws/tables/1/", time.time() - 5, [])
    async with keeping_house(here):
        for times in (1, 2, 3):
            async with keeping_house(), keeping_house(), keeping_house():
                await until(lambda times=times: len(here.told) == times)
        await asyncio.sleep(1)
    first, second, third = here.at
    assert second - first >= 0.2
    assert third - second >= 0.4


async def test_nothing_is_kept_where_there_is_one_process(settings, monkeypatch):
    kept = []
    monkeypatch.setattr(homecoming, "keep_house", kept.append)
    monkeypatch.setattr(stopping.garbage, "collect_often", lambda loop: None)
    monkeypatch.setattr(stopping.server.Server, "listen_success", lambda *_: None)
    loop = SimpleNamespace(create_task=lambda task: task)
    monkeypatch.setattr(stopping, "reactor", SimpleNamespace(_asyncioEventloop=loop))
    port = SimpleNamespace(socket=SimpleNamespace(listen=lambda _: None))
    for settings.EMBEDDED in (True, False):
        web = stopping.GentleServer.__new__(stopping.GentleServer)
        web.ports = []
        for _ in range(2):  # a second port is no second process
            web.listen_success(port)
        assert len(kept) == (0 if settings.EMBEDDED else 1)
