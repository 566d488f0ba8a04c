"""What the sockets of one process do together at a table.

A bell reaches both seats and all who watch at once: the table is read once for all of them. A look
begins after the last of those who share it has asked, so it is never older than what they heard.
A usual move is seen as it is stored by those who play here, and a few who watch; the bell is for
the others.
"""

from __future__ import annotations

import asyncio
from typing import Any

from accounts import about
from accounts.refusal import Refusal
from accounts.sessions import Pass
from accounts.sharing import shared
from games import clicks, live, table
from games.clicks import Follows, Said
from games.looking import View
from games.table import Onlooker, Seen

# How often the loop goes round until a bell has come from a channel layer to all its sockets.
TURNS = 3
# How many are shown a move as it is stored: each costs a statement, and other tables' moves wait
# for it. The rest of a crowd that watches hears the bell.
ALONG = 24


class _Shared:
    """A look that has not begun yet."""

    def __init__(self, table_id: int) -> None:
        self.askers: list[Onlooker] = []
        self.loop = asyncio.get_running_loop()
        self.seen: asyncio.Task[list[Seen]] = self.loop.create_task(self._look(table_id))

    async def _look(self, table_id: int) -> list[Seen]:
        """Begins only once whoever heard the same bell has asked too."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
        if _next.get(table_id) is self:
            del _next[table_id]
        about.begin(table=table_id)
        return await live.on_database_thread(table.look_by_session, table_id, self.askers)


_next: dict[int, _Shared] = {}
_following: dict[int, set[Follows]] = {}


async def look(table_id: int, held: Pass, language: str) -> View:
    """What somebody sees of a table now; raises as ``table.look``, and SignedOut."""
    coming = _next.get(table_id)
    if coming is None or coming.loop is not asyncio.get_running_loop():
        coming = _next[table_id] = _Shared(table_id)
    number = len(coming.askers)
    coming.askers.append(Onlooker(held, language))
    seen: Any = (await shared(coming.seen))[number]
    if isinstance(seen, Refusal):
        raise seen
    return seen


def follow(table_id: int, socket: Follows) -> None:
    """From now on this socket is shown the moves that others make here."""
    _following.setdefault(table_id, set()).add(socket)


def unfollow(table_id: int, socket: Follows) -> None:
    """It is over."""
    here = _following.get(table_id, set())
    here.discard(socket)
    if not here:
        _following.pop(table_id, None)


def followed() -> dict[int, list[Follows]]:
    """By table, the sockets that follow it here."""
    return {table_id: list(here) for table_id, here in _following.items()}


async def move(table_id: int, held: Pass, language: str, said: Said) -> None:
    """Make a move, from a place of a game; raises as ``table.make_move``, and SignedOut."""
    mover = Onlooker(held, language)
    await clicks.carry(clicks.Asked(table_id, mover, said, nearest(table_id)))


def nearest(table_id: int) -> list[Follows]:
    """Whoever is shown the moves of a table as they are stored: who plays before who watches."""
    return sorted(_following.get(table_id, ()), key=lambda one: not one.plays)[:ALONG]
