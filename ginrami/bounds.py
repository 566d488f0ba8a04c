"""Bounds on what Daphne takes in before we are asked, and on what it keeps of a socket.

Of itself it keeps a request of any size, and a mebibyte for each socket, signed in or not; of what
a socket came with it keeps six copies, and of one that is gone twenty kilobytes until Python looks
for rings of objects that hold one another, which is hardly ever (`ginrami/asgi.py`).
"""

from __future__ import annotations

import contextlib
import resource
from typing import Any

from autobahn.twisted import websocket as autobahn_wires
from autobahn.websocket import protocol as autobahn_sockets
from daphne import http_protocol, server, ws_protocol
from twisted.internet.protocol import connectionDone

from games.messages import MESSAGE_LENGTH

# A little over what Django reads of a form; nothing here is larger.
BODY_BYTES = 3 * 1024 * 1024
# Any character takes four bytes at most, so what games/messages.py reads as too long still arrives.
MESSAGE_BYTES = 4 * (MESSAGE_LENGTH + 1)
# Messages of one socket not answered yet; games/messages.py shows a flood out long before, but on
# a machine that answers slowly it counts slowly too.
WAITING_AT_MOST = 400
# Autobahn cuts a socket off that has not answered its closing within a second. A phone on a slow
# line would not hear why it was shown out, and come back as if only its line had broken.
CLOSING_SECONDS = 5
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(http_protocol.WebRequest):
    """Hangs up on a body that is too large."""

    channel: Any
    refused = False
    # What is wrong with a request too broken for us to be asked; which server says so is its own.
    error_template = "%(title)s: %(body)s"

    def process(self) -> Any:
        """One that became a socket is over: it and its channel would go on holding each other."""
        processed = super().process()
        if self.transport is None and self.channel is not None:
            self.channel.requests.clear()
            self.channel = None
        return processed

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        if length is not None and length > BODY_BYTES:
            self._hang_up()

    def handleContentChunk(self, data: bytes) -> None:
        if self.content.tell() + len(data) > BODY_BYTES:
            self._hang_up()
        elif not self.refused:
            super().handleContentChunk(data)

    def _hang_up(self) -> None:
        if self.refused:
            return
        self.refused = True
        self.channel.transport.write(TOO_LARGE)
        self.channel.loseConnection()


class BoundedSocket(ws_protocol.WebSocketProtocol):
    """Hangs up on a socket that says more than is answered: Daphne would keep all of it."""

    hung_up = False

    def onOpen(self) -> None:
        """What it came with has been read."""
        super().onOpen()
        self.clean_headers = self.http_headers = self.http_request_data = None
        self.http_response_data = self.websocket_extensions = None
        self.request.headers = None

    def connectionLost(self, reason: Any = connectionDone) -> None:
        super().connectionLost(reason)
        self.is_closed = None  # it holds this

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if not self.hung_up and self.application_queue.qsize() >= WAITING_AT_MOST:
            self.hung_up = True
            while not self.application_queue.empty():  # the end comes next
                self.application_queue.get_nowait()
            self.dropConnection(abort=True)
        if not self.hung_up:
            super().onMessage(payload, isBinary)


class BoundedSockets(ws_protocol.WebSocketFactory):
    """Closes a socket that sends more than any message can have, and lets it hear why."""

    protocol = BoundedSocket

    def setProtocolOptions(self, **options: Any) -> None:
        bound = {"maxMessagePayloadSize": MESSAGE_BYTES, "maxFramePayloadSize": MESSAGE_BYTES}
        closing = {"closeHandshakeTimeout": CLOSING_SECONDS}
        super().setProtocolOptions(**{**options, **bound, **closing})
        # Each socket would keep its own copy of the options, and room for as many again.
        said = {name: getattr(self, name) for name in BoundedSocket.CONFIG_ATTRS}
        same = {name: value for name, value in said.items() if not callable(value)}
        kind: Any = type(BoundedSocket.__name__, (BoundedSocket,), same)
        self.protocol = kind


def bound_requests() -> None:
    """Have Daphne make requests and sockets of these kinds, however it was started."""
    http_protocol.WebRequest = BoundedRequest
    server.WebSocketFactory = BoundedSockets


def say_nothing_nobody_reads() -> None:
    """Autobahn words half a page for its debug log of each socket that comes, and a line of all it
    says, whether or not there is such a log: an eighth of what it cost to come.
    """
    modules: tuple[Any, ...] = (autobahn_sockets, autobahn_wires)
    for module in modules:
        module.hltype = module.hlval = module.pformat = _nothing


def _nothing(_said: object) -> str:
    return ""


def hold_what_the_system_allows() -> None:
    """Have room for as many connections as there may be: unasked, some systems give 1,000 files.

    Who comes when there are no more is turned away, by Twisted, and those who are here stay.
    """
    _now, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, allowed))
