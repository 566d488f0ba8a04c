"""The bell's rope: ring a channel group from any thread, with ids and no content.

Channel layers deliver at most once, so nothing may depend on a bell being heard: clients compare
positions on every pong, and a look is always right.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from accounts import meters

logger = logging.getLogger(__name__)

RUNG_WITHIN = 5.0  # seconds

_server_loop: asyncio.AbstractEventLoop | None = None
_under_way: set[asyncio.Task[None]] = set()


def remember_loop() -> None:
    """Note the loop that serves sockets in this process, so that threads can ring on it."""
    global _server_loop
    _server_loop = asyncio.get_running_loop()


def server_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that serves sockets in this process, while there is one."""
    loop = _server_loop
    return loop if loop is not None and loop.is_running() else None


def silent() -> bool:
    """Whether no bells of other processes come to this one now, as far as it knows."""
    return bool(getattr(get_channel_layer(), "silent", False))


def ringing() -> bool:
    """Whether bells of this process are still under way."""
    return bool(_under_way)


def ring(group: str, bell: str = "changed", but: Collection[str] = ()) -> None:
    """Send an empty bell to a group: ``{"type": "changed"}``. Call it after commit; never raises.

    ``bell`` names the method that answers it, where a group has several kinds of news. ``but``
    names channels of this process that know already.

    On the server the send is handed to its loop and not waited for: a slow or absent channel
    layer must not hold a database thread. Elsewhere (a worker) it runs to its end here.
    """
    loop = server_loop()
    try:
        if loop is not None and asyncio._get_running_loop() is loop:
            _begin(loop, group, bell, but)
        elif loop is not None:
            loop.call_soon_threadsafe(_begin, loop, group, bell, but)
        else:
            async_to_sync(_send)(group, bell, but)
    except Exception as error:
        _log_failure(group, error)


def _begin(
    loop: asyncio.AbstractEventLoop, group: str, bell: str, but: Collection[str]
) -> None:
    sending = loop.create_task(_send(group, bell, but))
    _under_way.add(sending)  # a task that nobody holds may be thrown away
    sending.add_done_callback(partial(_finished, group))


async def _send(group: str, bell: str, but: Collection[str]) -> None:
    layer: Any = get_channel_layer()
    if layer is not None:
        # Bells that nobody takes must not pile up behind a layer that does not answer.
        async with asyncio.timeout(RUNG_WITHIN):
            await layer.ring(group, {"type": bell}, but)


def _finished(group: str, sending: asyncio.Task[None]) -> None:
    _under_way.discard(sending)
    if not sending.cancelled():  # the server is stopping
        _log_failure(group, sending.exception())


def _log_failure(group: str, error: BaseException | None) -> None:
    if error is not None:
        meters.LOST_BELLS.inc()
        logger.warning("The bell of %s could not be rung: %s", group, type(error).__name__)
