"""Looks that sockets of one process ask for at the same moment are one look at their table.

A bell reaches both seats and all who watch at once: the table is read once for all of them. A look
begins after the last of those who share it has asked, so it is never older than what they heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from accounts import about
from accounts.refusal import Refusal
from accounts.sessions import Pass, signed_out, still_open
from games import live, table
from games.looking import View
from games.table import Looker

# How often the loop goes round until a bell has come from a channel layer to all its sockets.
TURNS = 3


class Asker(NamedTuple):
    """Whom a socket looks for."""

    held: Pass
    language: str


class _Shared:
    """A look that has not begun yet."""

    def __init__(self, table_id: int) -> None:
        self.askers: list[Asker] = []
        self.loop = asyncio.get_running_loop()
        self.seen: asyncio.Task[list[View | Refusal]] = self.loop.create_task(self._look(table_id))

    async def _look(self, table_id: int) -> list[View | Refusal]:
        """Begins only once whoever heard the same bell has asked too."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
        if _next.get(table_id) is self:
            del _next[table_id]
        about.begin(table=table_id)
        return await live.on_database_thread(_see, table_id, self.askers)


_next: dict[int, _Shared] = {}


async def look(table_id: int, held: Pass, language: str) -> View:
    """What somebody sees of a table now; raises as ``table.look``, and SignedOut."""
    shared = _next.get(table_id)
    if shared is None or shared.loop is not asyncio.get_running_loop():
        shared = _next[table_id] = _Shared(table_id)
    number = len(shared.askers)
    shared.askers.append(Asker(held, language))
    # Whoever goes away meanwhile must not take it from the others.
    seen: Any = (await asyncio.shield(shared.seen))[number]
    if isinstance(seen, Refusal):
        raise seen
    return seen


def _see(table_id: int, askers: Sequence[Asker]) -> list[View | Refusal]:
    speaks = still_open([one.held for one in askers])
    lookers = [
        Looker(one.held.user_id, one.language)
        for one, speaking in zip(askers, speaks, strict=True)
        if speaking
    ]
    seen = iter(table.look_together(table_id, lookers) if lookers else [])
    return [next(seen) if speaking else signed_out() for speaking in speaks]
