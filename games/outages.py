"""What those at a table are told while the site cannot reach a server, and what is done meanwhile.

Without Redis no bells of other processes come: once a second all tables followed here are compared
with the database, by one statement, and where somebody moved elsewhere one looks. So it is once
more when the database has been away. While all is well nothing is asked.
"""

from __future__ import annotations

import asyncio
import logging

from accounts.live import silent
from games import facts, live, reach, together
from games.clicks import Follows
from games.reach import Reach

logger = logging.getLogger(__name__)

EVERY = 1.0  # seconds
TABLES_AT_ONCE = 500
COMPARED_WITHIN = 2.0  # seconds


_watching: asyncio.Task[None] | None = None
_comparing: asyncio.Task[None] | None = None
_before = Reach()


def keep_watching() -> None:
    """As long as anybody follows a table here."""
    global _watching
    loop = asyncio.get_running_loop()
    if _watching is None or _watching.done() or _watching.get_loop() is not loop:
        _watching = loop.create_task(_watch_on())


async def _watch_on() -> None:
    while True:
        await asyncio.sleep(EVERY)
        sockets = together.followed()
        if not sockets and _before == now() == Reach():
            return
        try:
            await watch(sockets)
        except Exception:
            logger.exception("What cannot be reached could not be told")


async def watch(sockets: dict[int, list[Follows]]) -> None:
    """Tell those who were told otherwise last, and have look who is behind."""
    global _comparing, _before
    if now() != Reach() or _before != Reach():
        if _comparing is None or _comparing.done():  # one that hangs is not waited for twice
            _comparing = asyncio.get_running_loop().create_task(_compare(sockets))
        await asyncio.wait([_comparing], timeout=COMPARED_WITHIN)
    _before = now()
    for socket in [one for here in sockets.values() for one in here]:
        if socket.reach_told != _before and socket.held is not None:
            socket.reach_told = _before
            await socket.say({"type": "reach", **_before._asdict()})


def now() -> Reach:
    """What answers, as far as this process knows; it is not asked for."""
    return Reach(bells=not silent(), database=reach.answers())


async def _compare(sockets: dict[int, list[Follows]]) -> None:
    tables = list(sockets)
    for first in range(0, len(tables) or 1, TABLES_AT_ONCE):
        some = tables[first : first + TABLES_AT_ONCE]
        try:
            newest = await live.on_database_thread(facts.versions, some or [0])
        except Exception as error:
            logger.warning("Tables could not be compared: %s", type(error).__name__)
            return
        behind = [
            one
            for table_id, version in newest.items()
            for one in sockets[table_id]
            if one.is_behind(version)
        ]
        await asyncio.gather(*(one.changed({}) for one in behind))
