"""What the sockets of one process do together at a table.

A bell reaches both seats and all who watch at once: the table is read once for all of them. A look
begins after the last of those who share it has asked, so it is never older than what they heard.
A usual move is seen by all who follow the table here as it is stored; the bell is for the others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Protocol

from django.utils import translation

from accounts import about
from accounts.live import ring
from accounts.refusal import Refusal
from accounts.sessions import Pass, require_open, signed_out, still_open
from games import live, table
from games.looking import View
from games.table import Looker, Onlooker, Seen

Said = tuple[str, tuple[int, int], int | None]  # a move, the place it is made from, the game

logger = logging.getLogger(__name__)

# How often the loop goes round until a bell has come from a channel layer to all its sockets.
TURNS = 3


class Follows(Protocol):
    """A socket that follows a table."""

    held: Pass | None
    channel_name: str

    def language(self) -> str:
        """What its person reads."""

    async def take(self, seen: Seen) -> None:
        """Show what was seen for it."""


class _Shared:
    """A look that has not begun yet."""

    def __init__(self, table_id: int) -> None:
        self.askers: list[Onlooker] = []
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
_following: dict[int, set[Follows]] = {}


async def look(table_id: int, held: Pass, language: str) -> View:
    """What somebody sees of a table now; raises as ``table.look``, and SignedOut."""
    shared = _next.get(table_id)
    if shared is None or shared.loop is not asyncio.get_running_loop():
        shared = _next[table_id] = _Shared(table_id)
    number = len(shared.askers)
    shared.askers.append(Onlooker(held, language))
    # Whoever goes away meanwhile must not take it from the others.
    seen: Any = (await asyncio.shield(shared.seen))[number]
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


async def move(table_id: int, held: Pass, language: str, said: Said) -> None:
    """Make a move, from a place of a game; raises as ``table.make_move``, and SignedOut.

    Once begun it is carried through and rung for, though its own socket may close meanwhile.
    """
    moving = asyncio.get_running_loop().create_task(_move(table_id, Onlooker(held, language), said))
    try:
        await asyncio.shield(moving)
    except asyncio.CancelledError:
        moving.add_done_callback(_heard_by_nobody)
        raise


def _heard_by_nobody(moving: asyncio.Task[None]) -> None:
    """Whoever moved is gone: a refusal is no error then, and anything else one line."""
    error = None if moving.cancelled() else moving.exception()
    if error is not None and not isinstance(error, Refusal):
        logger.warning("A move whose socket is gone failed: %s", type(error).__name__)


async def _move(table_id: int, mover: Onlooker, said: Said) -> None:
    sockets = [one for one in _following.get(table_id, ()) if one.held is not None]
    onlookers = [Onlooker(one.held, one.language()) for one in sockets if one.held is not None]
    try:
        seen = await live.on_database_thread(_make, table_id, mover, said, onlookers)
    except Refusal:
        raise
    except Exception:  # stored or not, nobody can say: whoever looks will know
        ring(live.group_of(table_id))
        raise
    if seen is None:
        return  # made the long way, and rung for
    knowing = set()
    for one, view in zip(sockets, seen, strict=False):
        try:
            await one.take(view)
            knowing.add(one.channel_name)
        except Exception:
            logger.exception("Table %s: a socket could not be shown a move", table_id)
    ring(live.group_of(table_id), but=knowing)


def _make(
    table_id: int, mover: Onlooker, said: Said, onlookers: Sequence[Onlooker]
) -> list[Seen] | None:
    text, at, game_id = said
    seen = table.make_and_look(table_id, mover.held, text, at, game_id, onlookers)
    if seen is None:
        require_open(mover.held)
        with translation.override(mover.language):
            table.make_move(table_id, mover.held.user_id, text, at, game_id)
    return seen


def _see(table_id: int, askers: Sequence[Onlooker]) -> list[View | Refusal]:
    speaks = still_open([one.held for one in askers])
    lookers = [
        Looker(one.held.user_id, one.language)
        for one, speaking in zip(askers, speaks, strict=True)
        if speaking
    ]
    seen = iter(table.look_together(table_id, lookers) if lookers else [])
    return [next(seen) if speaking else signed_out() for speaking in speaks]
