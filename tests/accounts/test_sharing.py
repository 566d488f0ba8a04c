"""What several wait for: nobody takes it from the others, and nobody leaves an error behind."""

from __future__ import annotations

import asyncio
import gc

import pytest

from accounts.sharing import shared


async def fail_after(going):
    await going.wait()
    raise ConnectionError


async def test_who_goes_away_takes_it_from_nobody():
    going = asyncio.Event()
    doing = asyncio.create_task(going.wait())
    alice, bob = (asyncio.create_task(shared(doing)) for _ in range(2))
    await asyncio.sleep(0)
    alice.cancel()
    going.set()
    assert await bob is True


async def test_whoever_waits_to_the_end_hears_that_it_failed():
    going = asyncio.Event()
    bob = asyncio.create_task(shared(asyncio.create_task(fail_after(going))))
    going.set()
    with pytest.raises(ConnectionError):
        await bob


async def test_where_all_have_gone_that_it_failed_is_no_error(caplog):
    going = asyncio.Event()
    doing = asyncio.create_task(fail_after(going))
    alice = asyncio.create_task(shared(doing))
    await asyncio.sleep(0)
    alice.cancel()
    going.set()
    await asyncio.wait([alice, doing])
    del alice, doing
    gc.collect()
    assert not [line for line in caplog.records if line.name == "asyncio"]
