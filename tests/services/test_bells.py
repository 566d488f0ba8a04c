"""Bells through a real Redis: heard at once at home, once by everybody, and at home without it."""

from __future__ import annotations

import asyncio

import pytest
import redis

from ginrami.layers import PatientRedisLayer

pytestmark = pytest.mark.asyncio

BELL = {"type": "changed"}


async def heard(layer, channel):
    async with asyncio.timeout(20):
        return (await layer.receive(channel))["type"]


async def joined(layer, group="table.7"):
    channel = await layer.new_channel()
    await layer.group_add(group, channel)
    return channel


async def test_a_bell_is_heard_once_by_each_but_those_who_know(own_valkey):
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    first, knowing, other = await joined(here), await joined(here), await joined(there)
    await asyncio.gather(*(here.ring("table.7", BELL, but={knowing}) for _ in range(3)))
    for layer, channel in [(here, first)] * 3 + [(there, other)]:  # three on one way are one
        assert await heard(layer, channel) == "changed"
    await there.ring("table.7", {"type": "last"})
    for layer, channel in ((here, first), (here, knowing), (there, other)):
        assert await heard(layer, channel) == "last"
    for layer in (here, there):
        await layer.flush()


async def test_sockets_of_one_process_hear_each_other_without_redis(own_valkey):
    layer = PatientRedisLayer(hosts=[own_valkey.url])
    channel = await joined(layer)
    own_valkey.stop()
    with pytest.raises(redis.RedisError):
        await layer.ring("table.7", BELL)
    assert await heard(layer, channel) == "changed"
    own_valkey.start()
    await layer.flush()


async def test_who_gives_up_takes_no_bell_from_the_others(own_valkey):
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    other = await joined(there)
    given_up = asyncio.ensure_future(here.ring("table.7", BELL))
    kept = asyncio.ensure_future(here.ring("table.7", {"type": "last"}))
    await asyncio.sleep(0)
    given_up.cancel()
    await kept
    assert [await heard(there, other) for _ in range(2)] == ["changed", "last"]
    for layer in (here, there):
        await layer.flush()
