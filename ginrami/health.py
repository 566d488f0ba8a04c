"""Whether the site is well, told to monitors and proxies within two seconds, whatever hangs.

Each part is asked in a thread of its own, at most once a second and never twice at once: a database
or a Redis that accepts and never answers holds up one thread, and whoever asks is told at once.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connection, connections

from accounts import live
from ginrami import signs, stopping

WITHIN = 2.0  # seconds
AGAIN_AFTER = 1.0
LATE = 30.0  # seconds without a sign of life; a sign comes every five

Answer = dict[str, Any]


class NoAnswer(Exception):
    """It did not answer in time, or by an error."""


@dataclass
class Inquiry:
    """One question to one part of the site, shared by all who ask it at the same time."""

    ask: Callable[[], Any]
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _asked: Future[Any] | None = None
    _at: float = 0.0

    def put(self) -> Future[Any]:
        """Put the question, unless it was put a moment ago or still waits for its answer."""
        with self._lock:
            now = time.monotonic()
            if self._asked is None or (self._asked.done() and now - self._at >= AGAIN_AFTER):
                self._asked, self._at = Future(), now
                threading.Thread(target=self._run, args=(self._asked,), daemon=True).start()
            return self._asked

    def answer(self) -> Any:
        """What it says. Raises NoAnswer, within two seconds of the question being put."""
        asked = self.put()
        try:
            return asked.result(max(0.0, self._at + WITHIN - time.monotonic()))
        except Exception as error:
            raise NoAnswer from error

    def _run(self, asked: Future[Any]) -> None:
        try:
            asked.set_result(self.ask())
        except Exception as error:  # each kind of server has its own
            asked.set_exception(error)
        finally:
            connections.close_all()


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,)


def _cache() -> bool:
    cache.set("health", 1, 60)
    return cache.get("health") == 1


def _layer() -> bool:
    """A bell rung and heard, by the very connections the sockets of this process hear by."""
    loop = live.server_loop()
    if loop is None:
        return async_to_sync(_round)()
    return asyncio.run_coroutine_threadsafe(_round(), loop).result(WITHIN)


async def _round() -> bool:
    layer: Any = get_channel_layer()
    group = f"health.{uuid4().hex}"
    async with asyncio.timeout(WITHIN):
        channel = await layer.new_channel()
        try:
            await layer.group_add(group, channel)
            await layer.group_send(group, {"type": "changed"})
            return bool((await layer.receive(channel))["type"] == "changed")
        finally:
            layer.channels.pop(channel, None)
            await layer.group_discard(group, channel)


PARTS = {
    "database": Inquiry(_database),
    "cache": Inquiry(_cache),
    "channel layer": Inquiry(_layer),
}
_SIGNS = Inquiry(signs.ages)


def database_answers() -> bool:
    """Whether this process reaches its database now."""
    return _well("database")


def _well(name: str) -> bool:
    try:
        return bool(PARTS[name].answer())
    except NoAnswer:
        return False


def ages() -> dict[str, float | None]:
    """How many seconds ago each process beside the web gave a sign; None: nobody knows of one."""
    try:
        found: dict[str, float | None] = _SIGNS.answer()
    except NoAnswer:
        return dict.fromkeys(signs.EXPECTED)
    return found


def report() -> Answer:
    """Every part in a word, and the whole: "ok", "degraded" (play goes on), "down"."""
    for one in (*PARTS.values(), _SIGNS):  # side by side: all of them within two seconds
        one.put()
    parts: dict[str, Answer] = {name: {"state": "ok" if _well(name) else "down"} for name in PARTS}
    for name, age in ages().items():
        state = "unknown" if age is None else "late" if age > LATE else "ok"
        parts[name] = {"state": state, "seconds": age}
    good = all(part["state"] == "ok" for part in parts.values())
    playable = parts["database"]["state"] == "ok" and not stopping.began()
    status = "down" if not playable else "ok" if good else "degraded"
    return {"status": status, "stopping": stopping.began(), "parts": parts}
