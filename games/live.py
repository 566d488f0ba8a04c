"""The bells of tables, rooms and talk, and the threads on which sockets reach the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connections, transaction

from accounts import live
from accounts.sharing import shared
from games import reach

P = ParamSpec("P")
T = TypeVar("T")

# SQLite has one writer: one thread that keeps its connection. PostgreSQL takes several.
# Channels' own database_sync_to_async would reopen the connection at each call.
_threads = ThreadPoolExecutor(
    max_workers=settings.SOCKET_DATABASE_THREADS, thread_name_prefix="socket-database"
)

# Clicks come all the time and have threads of their own. In a pool each call wakes two: the second
# finds nothing, and has taken Python from the first meanwhile.
LANES = [
    ThreadPoolExecutor(1, thread_name_prefix="socket-clicks")
    for _ in range(settings.CLICK_DATABASE_THREADS)
] or [_threads] * min(2, settings.SOCKET_DATABASE_THREADS)

LONGEST_REST = 0.5  # seconds, between two looks at what no table waits for

Turns = WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]
_turns: Turns = WeakKeyDictionary()

Asked = tuple[asyncio.AbstractEventLoop, Callable[..., Any], tuple[Hashable, ...]]
_reading: dict[Asked, asyncio.Task[Any]] = {}  # what is still to begin


def group_of(table_id: int) -> str:
    """The channel group of a table."""
    return f"table.{table_id}"


def ring_after_commit(table_id: int) -> None:
    """Ring the table's bell once the present transaction is stored, and only then."""
    transaction.on_commit(lambda: live.ring(group_of(table_id)), robust=True)


def ring_room(room_id: int, lobby: bool = True) -> None:
    """Ring, after commit, for who looks at the room's page, and at the list of open tables."""
    transaction.on_commit(lambda: live.ring(f"room.{room_id}"), robust=True)
    if lobby:
        transaction.on_commit(lambda: live.ring("lobby"), robust=True)


def ring_talk(room_id: int, table_id: int | None) -> None:
    """Ring for who reads what is said at a table, or in a room, after commit."""
    group = f"talk.room.{room_id}" if table_id is None else f"talk.table.{table_id}"
    transaction.on_commit(lambda: live.ring(group, "talked"), robust=True)


def ring_muted(user_id: int) -> None:
    """Ring for every window of somebody who reads others than before, after commit."""
    transaction.on_commit(lambda: live.ring(f"user.{user_id}", "muted"), robust=True)


async def on_database_thread(
    call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run a verb on one of the sockets' own database threads, in the caller's context.

    So a line it writes in the log says which socket it came from. Raises reach.Away.
    """
    return await on_thread(partial(_mending, call, *args, **kwargs))


async def on_thread(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The same for what asks no database, and must happen while there is none."""
    return await _run(_threads, partial(call, *args, **kwargs))


async def in_lane(
    lane: ThreadPoolExecutor, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run a verb on one of the threads that clicks have for themselves. Raises reach.Away."""
    return await _run(lane, partial(_mending, call, *args, **kwargs))


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    loop, context = asyncio.get_running_loop(), copy_context()
    return await loop.run_in_executor(threads, lambda: context.run(work))


async def aside(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The same for what no table waits for: one at a time, and for half of the time at most.

    However many pages follow lists, a move never stands behind more than one of their looks.
    """
    async with in_turn(_turns):
        return await on_database_thread(call, *args, **kwargs)


@contextlib.asynccontextmanager
async def in_turn(turns: Turns) -> AsyncIterator[None]:
    """One at a time of all who take turns here, and for half of the time at most."""
    loop = asyncio.get_running_loop()
    turn = turns.setdefault(loop, asyncio.Lock())
    await turn.acquire()
    began = loop.time()
    try:
        yield
    finally:
        # Not longer for what hung: whoever waits meanwhile has waited for it already.
        loop.call_later(min(loop.time() - began, LONGEST_REST), turn.release)


async def aside_together(call: Callable[..., T], /, *arguments: Hashable) -> T:
    """The same for what only reads: once for all who ask the same before it begins.

    Whoever opens windows by the dozen keeps nobody else waiting: a process has one turn for all.
    """
    loop = asyncio.get_running_loop()
    asked = (loop, call, arguments)
    reading = _reading.get(asked)
    if reading is None:
        reading = _reading[asked] = loop.create_task(_read(asked))
    done: T = await shared(reading)
    return done


async def _read(asked: Asked) -> Any:
    _loop, call, arguments = asked
    try:
        async with in_turn(_turns):
            _reading.pop(asked, None)  # from here on it is too late to join
            return await on_database_thread(call, *arguments)
    finally:
        if _reading.get(asked) is asyncio.current_task():
            del _reading[asked]


def _mending(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call, and drop a broken connection so that the next call opens a new one.

    Raises reach.Away.
    """
    reach.begin()
    error: BaseException | None = None
    try:
        return call(*args, **kwargs)
    except BaseException as raised:
        error = raised
        raise
    finally:
        reach.end(error)
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:
                connection.close_if_unusable_or_obsolete()
