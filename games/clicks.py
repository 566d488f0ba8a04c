"""The moves that sockets of this process ask for: those that wait together go together.

One statement and one wait for the disk carry many tables' moves as well as one. While so many are
on their way, whoever clicks waits for the next; on a quiet site nobody waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.utils import translation

from accounts import about
from accounts.live import ring
from accounts.refusal import Refusal
from accounts.sessions import Pass
from games import live, table
from games.reach import Reach
from games.table import Click, Made, Onlooker, Seen

Said = tuple[str, tuple[int, int], int | None]  # a move, the place it is made from, the game

logger = logging.getLogger(__name__)

ENDS_A_HAND = ("knock", "gin", "big gin")  # more is stored of these, and each is stored alone
TOGETHER = 24  # clicks; more would keep the first of them waiting for the last


class Follows(Protocol):
    """A socket that follows a table."""

    held: Pass | None
    channel_name: str
    reach_told: Reach  # what it was last told of the site

    @property
    def plays(self) -> bool:
        """Whether its person holds a seat there."""

    def language(self) -> str:
        """What its person reads."""

    def is_behind(self, version: int) -> bool:
        """Whether it was shown nothing as new as this."""

    async def say(self, message: dict[str, Any]) -> None:
        """Send one message to the browser."""

    async def changed(self, event: dict[str, Any]) -> None:
        """Look again."""

    async def take(self, seen: Seen) -> None:
        """Show what was seen for it."""


class Asked:
    """A click on its way, who follows its table here, and what its own socket waits for."""

    def __init__(
        self, table_id: int, mover: Onlooker, said: Said,
        sockets: Sequence[Follows],
    ) -> None:  # fmt: skip
        self.sockets = [one for one in sockets if one.held is not None]
        onlookers = [Onlooker(one.held, one.language()) for one in self.sockets if one.held]
        self.click = Click(table_id, mover.held, *said, onlookers)
        self.language = mover.language
        self.context = copy_context()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def show(self, seen: Sequence[Seen]) -> None:
        """Show all who follow here what was seen for them; the bell is for the others."""
        knowing = set()
        for one, view in zip(self.sockets, seen, strict=False):
            try:
                await one.take(view)
                knowing.add(one.channel_name)
            except Exception:
                logger.exception("Table %s: a socket was not shown a move", self.click.table_id)
        ring(live.group_of(self.click.table_id), but=knowing)
        self.done.set_result(None)

    def fail(self, error: Exception) -> None:
        """Tell why it was refused; of any other error nobody can say whether it was stored."""
        if not isinstance(error, Refusal):
            ring(live.group_of(self.click.table_id))  # whoever looks will know
        self.done.set_exception(error)


class Desk:
    """Where the clicks of one loop wait."""

    def __init__(self) -> None:
        self.waiting: list[Asked] = []
        self.lanes = list(live.LANES)  # those that are free
        self.at_work: set[asyncio.Task[None]] = set()

    def take(self, asked: Asked) -> None:
        """Carry it through, whatever becomes of its socket meanwhile."""
        if asked.click.text.startswith(ENDS_A_HAND):
            self._start(_alone(asked), asked)
            return
        self.waiting.append(asked)
        if self.lanes:
            self._start(self._work(self.lanes.pop()))

    async def _work(self, lane: ThreadPoolExecutor) -> None:
        try:
            await asyncio.sleep(0)  # whoever clicked at the same moment comes along
            about.begin()
            while self.waiting:
                await self._store(self._next(), lane)
        finally:
            self.lanes.append(lane)

    def _next(self) -> list[Asked]:
        """The first clicks, one a table: a second at the same is for another time."""
        first: dict[int, Asked] = {}
        for asked in self.waiting:
            if len(first) < TOGETHER:
                first.setdefault(asked.click.table_id, asked)
        taken = set(first.values())
        self.waiting = [asked for asked in self.waiting if asked not in taken]
        return list(first.values())

    async def _store(self, taken: Sequence[Asked], lane: ThreadPoolExecutor) -> None:
        clicks = [asked.click for asked in taken]
        try:
            seen = await live.in_lane(lane, table.make_and_look, clicks)
        except Exception as error:
            for asked in taken:
                asked.fail(error)
            return
        for asked, views in zip(taken, seen, strict=True):
            if views is None:
                self._start(_alone(asked), asked)
            else:
                await asked.show(views)

    def _start(self, doing: Coroutine[Any, Any, None], asked: Asked | None = None) -> None:
        context = None if asked is None else asked.context
        task = asyncio.get_running_loop().create_task(doing, context=context)
        self.at_work.add(task)  # a task that nobody holds may be thrown away
        task.add_done_callback(self.at_work.discard)


async def _alone(asked: Asked) -> None:
    try:
        made = await live.on_database_thread(_make, asked.click, asked.language)
    except Exception as error:
        asked.fail(error)
        return
    if made.seen is None:
        asked.done.set_result(None)
    else:
        await asked.show(made.seen)
    if made.over is not None:  # only now: a broker may not answer
        await live.on_thread(table.send_for_bonuses, made.over)


def _make(click: Click, language: str) -> Made:
    with translation.override(language):
        return table.make_and_show(click)


_desks: WeakKeyDictionary[asyncio.AbstractEventLoop, Desk] = WeakKeyDictionary()


async def carry(asked: Asked) -> None:
    """Make a move; raises as ``table.make_move``, and SignedOut.

    Once begun it is carried through and rung for, though its own socket may close meanwhile.
    """
    _desks.setdefault(asyncio.get_running_loop(), Desk()).take(asked)
    try:
        await asyncio.shield(asked.done)
    except asyncio.CancelledError:
        asked.done.add_done_callback(_heard_by_nobody)
        raise


def _heard_by_nobody(done: asyncio.Future[None]) -> None:
    """Whoever moved is gone: a refusal is no error then, and anything else one line."""
    error = None if done.cancelled() else done.exception()
    if error is not None and not isinstance(error, Refusal):
        logger.warning("A move whose socket is gone failed: %s", type(error).__name__)
