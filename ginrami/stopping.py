"""A web process that is told to stop lets go gently, so that an update costs nobody a move.

It takes no new connection, tells every socket to connect again, whose browsers do so spread over
some seconds, has the pages, letters and bells under way finished, and only then ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from functools import partial
from typing import Any

from autobahn.exception import Disconnected
from daphne import cli, server, ws_protocol
from django.conf import settings
from twisted.internet import reactor
from twisted.internet.defer import Deferred, maybeDeferred

from accounts import live, mailbag
from ginrami import garbage, homecoming
from ginrami.mailbox import Mailbox

logger = logging.getLogger(__name__)

RECONNECT = 4503  # what a socket is closed with; static/js/socket.js knows it
WITHIN = 10.0  # seconds; who is not done by then is cut off
# Seconds; who does not hear why comes again all the same, and the next process may wait for this.
ANSWERED_WITHIN = 1
# Connections the system keeps until they are taken in. Twisted has it keep fifty: where hundreds
# come back at once, the others were let wait for a second, and then for two more.
WAIT_OUTSIDE = 2_048

_began: list[float] = []


def began() -> bool:
    """Whether this process was told to stop."""
    return bool(_began)


class GentleServer(server.Server):
    """Daphne, leaving in good order, naming itself to nobody, with room for many who come."""

    keeping_house: asyncio.Future[None] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{**options, "server_name": ""})
        self.ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        loop: asyncio.AbstractEventLoop = reactor._asyncioEventloop
        if not self.ports:
            garbage.collect_often(loop)
            if not settings.EMBEDDED:
                self.keeping_house = loop.create_task(homecoming.keep_house(self._open))
        self.ports.append(port)
        port.socket.listen(WAIT_OUTSIDE)  # said once more, it counts from here on
        super().listen_success(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Mailbox | None:
        """As Daphne does, with a box for what its visitor says in place of a queue."""
        if protocol not in self.connections:
            return None
        said = Mailbox()
        scope.setdefault("asgi", {"version": "3.0"})
        answer = partial(self.handle_reply, protocol)
        running = self.application(scope=scope, receive=said.get, send=answer)
        loop: asyncio.AbstractEventLoop = reactor._asyncioEventloop
        self.connections[protocol]["application_instance"] = loop.create_task(running)
        return said

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """What is said to a socket that is just closing goes nowhere, and is no error."""
        with contextlib.suppress(Disconnected):
            await super().handle_reply(protocol, message)

    def kill_all_applications(self) -> Deferred[None]:
        """Called once before the end; the end waits for what is given here."""
        loop: asyncio.AbstractEventLoop = reactor._asyncioEventloop
        return Deferred.fromFuture(asyncio.ensure_future(self._let_go(), loop=loop))

    async def _let_go(self) -> None:
        _began.append(time.monotonic())
        if self.keeping_house is not None:
            self.keeping_house.cancel()
        for port in self.ports:
            await maybeDeferred(port.stopListening).asFuture(asyncio.get_running_loop())
        for one in self._open():
            one.closeHandshakeTimeout = ANSWERED_WITHIN
            one.sendClose(code=RECONNECT, reason="reconnect")
        while self._is_busy() and time.monotonic() - _began[0] < WITHIN:
            await asyncio.sleep(0.05)
        left = self._under_way()
        if left:
            logger.warning("%s pages or sockets were cut off at the end.", len(left))
        if mailbag.waiting():
            logger.warning("%s letters were not sent before the end.", mailbag.waiting())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _open(self) -> list[Any]:
        return [
            one for one in self.connections
            if isinstance(one, ws_protocol.WebSocketProtocol) and one.state == one.STATE_OPEN
        ]

    def _is_busy(self) -> bool:
        """Whether anything is to be waited for: a bell too, that waits to go with others."""
        return bool(self._under_way()) or mailbag.waiting() > 0 or live.ringing()

    def _under_way(self) -> list[asyncio.Future[Any]]:
        """Pages and sockets not finished yet."""
        tasks = [details.get("application_instance") for details in self.connections.values()]
        return [task for task in tasks if task is not None and not task.done()]


def stop_gently() -> None:
    """Have Daphne be of this kind, however it was started."""
    cli.CommandLineInterface.server_class = GentleServer
