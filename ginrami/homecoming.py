"""Sockets go home after a web process was away.

A proxy gives each table a process of its own, and another while that one is away (deploy/nginx). A
socket stays where it is for as long as its page is open: after an update all would be with one
process, whose end would cut off everybody. So whoever begins to serve rings for the others, and
they have those that came lately connect again, the seats of a table one after the other. Sockets
of other pages have no home, and are shared out anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

GROUP = "webs"
# What a socket is closed with. To a page it is a line that was cut: it comes again at once.
GO_HOME = 4504
# Seconds before; who has been here for longer stays, though its process may have been away longer.
LATELY = 600.0
FOUND_AFTER = 3.0  # seconds; by then the proxy has tried again whoever was away
A_SECOND = 50  # sockets; each costs some two milliseconds to come back
CALM = 20.0  # seconds, twice as long each time: one that dies again and again moves few
AGAIN_AFTER = 1.0  # seconds, while Redis is away


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
        await _come(layer, channel)
        while True:
            await layer.receive(channel)
            bells.put_nowait(time.time())
    finally:
        letting_go.cancel()


async def _come(layer: Any, channel: str) -> None:
    """Join the others and ring, once, as soon as Redis is there."""
    while True:
        try:
            await layer.join({GROUP}, channel)
            if not layer.silent:
                await layer.ring(GROUP, {"type": "came"}, {channel})
                logger.info("The other web processes know that this one serves.")
                return
        except Exception as error:
            logger.debug("The other web processes cannot be told yet: %s", type(error).__name__)
        await asyncio.sleep(AGAIN_AFTER)


async def _let_go_upon(
    bells: asyncio.Queue[float], sockets: Callable[[], Iterable[Socket]]
) -> None:
    calm, last = CALM, float("-inf")
    while True:
        rung_at = _newest(bells, await bells.get())
        calm = min(2 * calm, LATELY) if rung_at - last < LATELY else CALM
        while (rest := rung_at + FOUND_AFTER - time.time()) > 0:
            await asyncio.sleep(rest)
            rung_at = _newest(bells, rung_at)
        last = rung_at
        try:
            await let_go(
                [one for one in sockets() if rung_at - LATELY < one.socket_opened < rung_at]
            )
        except Exception:
            logger.exception("Sockets could not be let go")
        await asyncio.sleep(calm)


def _newest(bells: asyncio.Queue[float], rung_at: float) -> float:
    """When the last of those rang who came one after the other: they are one reason."""
    while not bells.empty():
        rung_at = bells.get_nowait()
    return rung_at


async def let_go(sockets: Iterable[Socket]) -> None:
    """Have these connect again, those of one place one after the other."""
    going = sorted(sockets, key=lambda one: one.path)
    if going:
        logger.info("%s sockets connect again, now that another process serves.", len(going))
    for one in going:
        one.sendClose(code=GO_HOME, reason="reconnect")
        await asyncio.sleep(1 / A_SECOND)
