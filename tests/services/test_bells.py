"""Bells through a real Redis: heard at once at home, once by everybody, and at home without it."""

from __future__ import annotations

import asyncio
import signal

import pytest
import redis

from ginrami import ears, homecoming, layers
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


async def test_who_comes_as_the_last_of_a_group_goes_hears_the_bells_of_others(own_valkey):
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    going = await joined(here)
    (shard,) = here._get_layer()._shards
    async with shard._listening:  # another is on the wire
        leaving = asyncio.ensure_future(here.group_discard("table.7", going))
        await asyncio.sleep(0)
        joining = asyncio.ensure_future(joined(here))
        await asyncio.sleep(0)
    coming, _ = await asyncio.gather(joining, leaving)
    await there.ring("table.7", BELL)
    assert await heard(here, coming) == "changed"
    for layer in (here, there):
        await layer.flush()


async def test_who_comes_while_groups_are_asked_for_anew_is_not_left_out(own_valkey):
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    await joined(here)
    (shard,) = here._get_layer()._shards
    async with shard._listening:  # another is on the wire
        shard.silent = True
        hearing = asyncio.ensure_future(shard._hear_again())
        await asyncio.sleep(0)
        coming = await joined(here, "table.8")
    await hearing
    await there.ring("table.8", BELL)
    assert await heard(here, coming) == "changed"
    for layer in (here, there):
        await layer.flush()


async def test_a_bell_for_a_redis_that_hangs_is_given_up_and_the_next_goes_anew(
    own_valkey, monkeypatch
):
    monkeypatch.setattr(layers, "SENT_WITHIN", 0.2)
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    other = await joined(there)
    await here.ring("table.7", BELL)
    own_valkey.process.send_signal(signal.SIGSTOP)
    async with asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            await here.ring("table.8", BELL)
    own_valkey.process.send_signal(signal.SIGCONT)
    monkeypatch.setattr(layers, "SENT_WITHIN", 20)
    await here.ring("table.7", {"type": "last"})
    assert [await heard(there, other) for _ in range(2)] == ["changed", "last"]
    for layer in (here, there):
        await layer.flush()


async def until(holds):
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("fault", ["stopped", "hung"])
async def test_a_process_knows_when_redis_is_silent_and_hears_all_its_groups_afterwards(
    own_valkey, fault, monkeypatch
):
    monkeypatch.setattr(ears, "GONE_AFTER", 10_000)
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    before = await joined(here, "table.7")
    gone = await joined(here, "table.9")
    assert not here.silent
    if fault == "stopped":
        own_valkey.stop()
    else:
        own_valkey.process.send_signal(signal.SIGSTOP)
    await until(lambda: here.silent)
    meanwhile = await joined(here, "table.8")  # nobody waits for a Redis that is away
    await here.group_discard("table.9", gone)
    if fault == "stopped":
        own_valkey.start()
    else:
        own_valkey.process.send_signal(signal.SIGCONT)
    await until(lambda: not here.silent)
    for group, channel in (("table.7", before), ("table.8", meanwhile)):
        await there.ring(group, BELL)
        assert await heard(here, channel) == "changed"
    for layer in (here, there):
        await layer.flush()


async def test_a_redis_that_has_much_to_answer_is_not_taken_for_silent(own_valkey, monkeypatch):
    layer, fell = PatientRedisLayer(hosts=[own_valkey.url]), []
    channel = await joined(layer)
    (shard,) = layer._get_layer()._shards
    monkeypatch.setattr(shard, "_fall_silent", fell.append)

    async def given_a_sign():
        async with asyncio.timeout(20):
            while shard._in_vain is not None and not fell:
                await asyncio.sleep(0.01)

    await given_a_sign()
    shard._in_vain = 0  # one was asked for, and stands behind all of these
    await layer.join({f"table.{number}" for number in range(3 * ears.GONE_AFTER)}, channel)
    await given_a_sign()
    assert fell == []
    await layer.flush()


async def test_a_web_process_that_begins_while_redis_is_away_rings_for_the_others_later(
    own_valkey, monkeypatch
):
    own_valkey.stop()
    here, there = (PatientRedisLayer(hosts=[own_valkey.url]) for _ in range(2))
    monkeypatch.setattr(homecoming, "get_channel_layer", lambda: here)
    keeping = asyncio.create_task(homecoming.keep_house(list))
    other = await there.new_channel()
    with pytest.raises(redis.RedisError):
        await there.join({homecoming.GROUP}, other)
    await asyncio.sleep(0.5)
    own_valkey.start()
    assert await heard(there, other) == "came"
    keeping.cancel()
    for layer in (here, there):
        await layer.flush()
