"""The database out of reach: one call looks whether it is back, the others are told at once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError, OperationalError, connection
from psycopg_pool import PoolTimeout

from games import live, reach

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="has a pool")


@pytest.fixture
def pool():
    """That of this process, whose waits are short and found again as they were."""
    yield connection.pool
    reach._wait(reach.USUALLY)
    reach._outages += 1
    gate = threading.Barrier(live._threads._max_workers)
    healed = [live._threads.submit(heal, gate) for _ in range(gate.parties)]
    healed += [lane.submit(heal) for lane in live.LANES]
    for one in healed:
        one.result(60)  # now, and not in the next test that asks them anything


def heal(gate=None):
    """Have a thread throw away what broke."""
    if gate is not None:
        gate.wait(20)
    reach.begin()
    reach.end()


@contextlib.contextmanager
def emptied(pool):
    """Nobody finds a connection in it, nor has kept one."""
    held = []
    while not is_empty(pool, held):
        held.append(pool.getconn(20))
    pool.timeout = 0.05
    try:
        yield
    finally:
        for one in held:
            pool.putconn(one)


def is_empty(pool, held):
    """Whether it holds as many as it may, and has none to give, nor soon will."""
    stats = pool.get_stats()
    if stats["pool_size"] < stats["pool_max"] or stats.get("pool_available"):
        return False
    with contextlib.suppress(PoolTimeout):
        held.append(pool.getconn(0.2))
        return False
    return True


def ask(asked=None):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        if asked is not None:
            asked.append("asked")
        return cursor.fetchone()[0]


def drop():
    connection.close()


@sync_to_async
def end(pids):
    """As PostgreSQL does when it goes down."""
    with connection.cursor() as cursor:
        for pid in pids:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


async def on_all_threads(call):
    """Have each of the sockets' threads do it."""
    barrier = threading.Barrier(live._threads._max_workers)

    def together():
        barrier.wait(20)
        return call()

    return await asyncio.gather(
        *(live.on_thread(together) for _ in range(barrier.parties)), return_exceptions=True
    )


@on_postgres
async def test_one_waits_for_a_database_that_is_away_and_all_others_are_told_at_once(pool):
    await on_all_threads(drop)
    asked = []
    with emptied(pool):
        with pytest.raises(OperationalError) as error:
            await live.on_database_thread(ask)
        assert isinstance(error.value.__cause__, PoolTimeout)
        assert (reach.away(), pool.timeout) == (True, reach.WHILE_AWAY)
        assert not reach.answers()
        told = await asyncio.gather(
            *(live.on_database_thread(ask, asked) for _ in range(20)), return_exceptions=True
        )
        assert {type(one) for one in told} == {reach.Away}
        assert asked == []


@on_postgres
async def test_whoever_tries_when_it_is_back_clears_the_way_for_pages_too(pool, monkeypatch):
    await on_all_threads(drop)
    with emptied(pool), pytest.raises(OperationalError):
        await live.on_database_thread(ask)
    monkeypatch.setattr(reach, "_tried", 0.0)
    assert await live.on_database_thread(ask)
    assert (reach.away(), pool.timeout) == (False, reach.USUALLY)


@on_postgres
async def test_after_an_outage_no_thread_stumbles_over_what_it_had_kept(pool, monkeypatch):
    pids = await on_all_threads(ask)
    assert len(set(pids)) == len(pids)
    await end(pids)
    reach._wait(reach.WHILE_AWAY)
    monkeypatch.setattr(reach, "_tried", 0.0)
    for _ in range(len(pids) * 2):
        assert await live.on_database_thread(ask) not in pids


@on_postgres
async def test_a_connection_found_broken_makes_the_next_wait_short_until_one_is_good(pool):
    pids = await on_all_threads(lambda: live._mending(ask))
    await end(pids)
    with pytest.raises(DatabaseError):
        await live.on_database_thread(ask)
    assert (reach.away(), pool.timeout) == (False, reach.SHAKEN)
    await on_all_threads(drop)
    await live.on_database_thread(ask)
    assert pool.timeout == reach.USUALLY


async def test_a_database_that_leaves_all_waiting_does_not_seem_to_answer(monkeypatch):
    monkeypatch.setattr(reach, "STANDS_STILL", -1.0)
    go, begun = threading.Event(), threading.Event()

    def wait():
        begun.set()
        go.wait(20)

    assert reach.answers()
    waiting = asyncio.create_task(live.on_database_thread(wait))
    await asyncio.to_thread(begun.wait, 20)
    assert not reach.answers()
    go.set()
    await waiting
    assert reach.answers()


async def test_what_hung_is_not_rested_from_for_as_long(monkeypatch):
    rests = []
    monkeypatch.setattr(live, "LONGEST_REST", 0.0)
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "call_later", lambda wait, call: (rests.append(wait), call()))
    await live.aside(time.sleep, 0.01)
    assert rests == [0.0]
