"""The bell's rope: ring a channel group from any thread, with ids and no content.

Channel layers deliver at most once, so nothing may depend on a bell being heard: clients compare
positions on every pong, and a look is always right.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from accounts import meters

logger = logging.getLogger(__name__)

RUNG_WITHIN = 5.0  # seconds

_server_loop: asyncio.AbstractEventLoop | None = None


def remember_loop() -> None:
    """Note the loop that serves sockets in this process, so that threads can ring on it."""
    global _server_loop
    _server_loop = asyncio.get_running_loop()


def server_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that serves sockets in this process, while there is one."""
    loop = _server_loop
    return loop if loop is not None and loop.is_running() else None


def ring(group: str, bell: str = "changed") -> None:
    """Send an empty bell to a group: ``{"type": "changed"}``. Call it after commit; never raises.

    ``bell`` names the method that answers it, where a group has several kinds of news.

    On the server the send is handed to its loop and not waited for: a slow or absent channel
    layer must not hold a database thread. Elsewhere (a worker) it runs to its end here.
    """
    loop = server_loop()
    try:
        if loop is not None:
            future = asyncio.run_coroutine_threadsafe(_send(group, bell), loop)
            future.add_done_callback(partial(_finished, group))
        else:
            async_to_sync(_send)(group, bell)
    except Exception as error:
        _log_failure(group, error)


async def _send(group: str, bell: str) -> None:
    layer = get_channel_layer()
    if layer is not None:
        # Bells that nobody takes must not pile up behind a layer that does not answer.
        await asyncio.wait_for(layer.group_send(group, {"type": bell}), RUNG_WITHIN)


def _finished(group: str, sending: Future[None]) -> None:
    if not sending.cancelled():  # the server is stopping
        _log_failure(group, sending.exception())


def _log_failure(group: str, error: BaseException | None) -> None:
    if error is not None:
        meters.LOST_BELLS.inc()
        logger.warning("The bell of %s could not be rung: %s", group, type(error).__name__)
