"""A bound on what Daphne takes in: of itself it keeps a request of any size before we are asked."""

from __future__ import annotations

from daphne import http_protocol

# A little over what Django reads of a form; nothing here is larger.
BODY_BYTES = 3 * 1024 * 1024
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(http_protocol.WebRequest):
    """Hangs up on a body that is too large."""

    refused = False

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


def bound_requests() -> None:
    """Have Daphne make requests of this kind; it offers no setting for it."""
    http_protocol.WebRequest = BoundedRequest
