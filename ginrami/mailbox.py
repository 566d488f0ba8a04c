"""Messages that wait for the one who reads them, as every open socket has two kinds of."""

from __future__ import annotations

import asyncio
from typing import Any


class Mailbox:
    """What asyncio's queue does, for one reader: that takes three kilobytes, though it is empty."""

    __slots__ = ("_queue", "_reader")

    def __init__(self) -> None:
        self._queue: list[Any] = []  # by this name the layer of Channels looks into it
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._queue.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """The next message, waited for. Nothing is lost where the reader is cut off meanwhile."""
        while not self._queue:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._queue.pop(0)

    def get_nowait(self) -> Any:
        return self._queue.pop(0)

    def qsize(self) -> int:
        return len(self._queue)

    def empty(self) -> bool:
        return not self._queue
