"""Sockets go home after a web process was away.

A proxy gives each table a process of its own, and another while that one is away (deploy/nginx). A
socket stays where it is for as long as its page is open: after an update all would be with one
process, whose end would cut off everybody. So whoever begins to serve rings for the others, and
they have those that came lately connect again, a table at a time, so that its seats meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Protocol

from autobahn.exception import Disconnected
from channels.layers import get_channel_layer

from accounts import live

GROUP = "webs"
# What a socket is closed with. To a page it is a line that was cut: it comes again at once.
GO_HOME = 4504
LATELY = 600.0  # seconds before; who has been here for longer came while everybody was there
FOUND_AFTER = 3.0  # seconds; by then the proxy has tried again whoever was away
A_SECOND = 50  # sockets; each costs some two milliseconds to come back
CALM = 20.0  # seconds; a process that dies again and again keeps nobody moving


class Socket(Protocol):
    """What Daphne has for one that is open."""

    path: bytes
    socket_opened: float

    def sendClose(self, code: int, reason: str) -> None:
        """Begin to close it."""


async def keep_house(sockets: Callable[[], Iterable[Socket]]) -> None:
    """Ring for the other processes, and let go what is theirs whenever one rings. Never ends."""
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    bells: asyncio.Queue[float] = asyncio.Queue()
    letting_go = asyncio.create_task(_let_go_upon(bells, sockets))
    try:
        with contextlib.suppress(Exception):  # without Redis it is heard as soon as that is back
            await layer.join({GROUP}, channel)
        live.remember_loop()
        live.ring(GROUP, "came", but={channel})
        while True:
            await layer.receive(channel)
            bells.put_nowait(time.time())
    finally:
        letting_go.cancel()


async def _let_go_upon(
    bells: asyncio.Queue[float], sockets: Callable[[], Iterable[Socket]]
) -> None:
    while True:
        rung_at = await bells.get()
        await asyncio.sleep(FOUND_AFTER)
        while not bells.empty():  # several came: all at once
            rung_at = bells.get_nowait()
        await let_go([one for one in sockets() if rung_at - LATELY < one.socket_opened < rung_at])
        await asyncio.sleep(CALM)


async def let_go(sockets: Iterable[Socket]) -> None:
    """Have these connect again, those of one place together."""
    for _where, together in groupby(sorted(sockets, key=_place), key=_place):
        there = list(together)
        for one in there:
            with contextlib.suppress(Disconnected):  # it went by itself
                one.sendClose(code=GO_HOME, reason="reconnect")
        await asyncio.sleep(len(there) / A_SECOND)


def _place(socket: Socket) -> bytes:
    return socket.path
