"""Bounds on what Daphne takes in before we are asked: a request, and a message of a socket.

Of itself it keeps a request of any size, and a mebibyte for each socket, signed in or not.
"""

from __future__ import annotations

from typing import Any

from daphne import http_protocol, server, ws_protocol

from games.messages import MESSAGE_LENGTH

# A little over what Django reads of a form; nothing here is larger.
BODY_BYTES = 3 * 1024 * 1024
# Any character takes four bytes at most, so what games/messages.py reads as too long still arrives.
MESSAGE_BYTES = 4 * (MESSAGE_LENGTH + 1)
# Messages of one socket not answered yet; games/messages.py shows a flood out long before, but on
# a machine that answers slowly it counts slowly too.
WAITING_AT_MOST = 400
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(http_protocol.WebRequest):
    """Hangs up on a body that is too large."""

    refused = False
    # What is wrong with a request too broken for us to be asked; which server says so is its own.
    error_template = "%(title)s: %(body)s"

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

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if not self.hung_up and self.application_queue.qsize() >= WAITING_AT_MOST:
            self.hung_up = True
            while not self.application_queue.empty():  # the end comes next
                self.application_queue.get_nowait()
            self.dropConnection(abort=True)
        if not self.hung_up:
            super().onMessage(payload, isBinary)


class BoundedSockets(ws_protocol.WebSocketFactory):
    """Closes a socket that sends more than any message can have."""

    protocol = BoundedSocket

    def setProtocolOptions(self, **options: Any) -> None:
        bound = {"maxMessagePayloadSize": MESSAGE_BYTES, "maxFramePayloadSize": MESSAGE_BYTES}
        super().setProtocolOptions(**{**options, **bound})


def bound_requests() -> None:
    """Have Daphne make requests and sockets of these kinds, however it was started."""
    http_protocol.WebRequest = BoundedRequest
    server.WebSocketFactory = BoundedSockets
