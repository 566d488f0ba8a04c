"""The channel layer of the scaled way, with no Redis anywhere near."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from types import SimpleNamespace

import pytest
from redis.exceptions import ConnectionError

from ginrami import layers
from ginrami.layers import PatientRedisLayer


async def test_a_socket_that_is_cut_off_while_redis_is_away_leaves_nothing_behind(caplog):
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    channel = await layer.new_channel()
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert layer._get_layer().channels == {}
    assert not caplog.records


async def test_bells_do_not_pile_up_behind_a_redis_that_does_not_answer():
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    (shard,) = layer._get_layer()._shards
    async with shard._lock:  # an earlier one is under way
        bells = [asyncio.create_task(layer.ring("table.7", {"type": "changed"})) for _ in range(9)]
        await asyncio.sleep(0)
        assert len(shard._next.bells) == 1
    refused = await asyncio.gather(*bells, return_exceptions=True)
    assert [type(error).__name__ for error in refused] == ["ConnectionError"] * 9


@pytest.fixture
def sent(monkeypatch):
    """What goes to Redis, batch by batch."""
    batches = []

    class Together(contextlib.AbstractAsyncContextManager):
        def __init__(self):
            self.channels = []

        async def __aexit__(self, *_why):
            pass

        def publish(self, channel, _message):
            self.channels.append(channel)

        async def execute(self):
            batches.append(self.channels)

    async def aclose(**_how):
        pass

    def connected(shard):
        shard._redis = SimpleNamespace(pipeline=lambda transaction: Together(), aclose=aclose)

    monkeypatch.setattr(layers._Shard, "_ensure_redis", connected)
    return batches


async def test_a_bell_goes_at_once_on_a_quiet_site_and_with_others_on_a_busy_one(sent, monkeypatch):
    monkeypatch.setattr(layers, "SENT_EVERY", 3600)
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    await asyncio.wait_for(layer.ring("table.1", {"type": "changed"}), 20)
    assert len(sent) == 1
    others = [asyncio.create_task(layer.ring(f"table.{n}", {"type": "changed"})) for n in (2, 3)]
    await asyncio.wait(others, timeout=0.1)
    assert len(sent) == 1, "they wait for each other"
    for one in others:
        one.cancel()
    monkeypatch.setattr(layers, "SENT_EVERY", 0.3)
    busy = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    for number in (4, 5, 6):
        ringing = asyncio.create_task(busy.ring(f"table.{number}", {"type": "changed"}))
        await asyncio.sleep(0.05)
    await asyncio.wait_for(ringing, 20)
    assert [len(batch) for batch in sent] == [1, 1, 2]


async def test_for_a_socket_that_came_and_went_while_redis_is_away_no_bell_is_kept():
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    here = layer._get_layer()
    gone, there = await layer.new_channel(), await layer.new_channel()
    for channel in (gone, there):
        with contextlib.suppress(ConnectionError):  # the second is not tried any more
            await layer.group_add("table.7", channel)
    layer.forget(gone)
    with pytest.raises(ConnectionError):
        await layer.ring("table.7", {"type": "changed"})
    assert here.channels.keys() == {there}
    assert list(here.groups.values()) == [{there}]
    assert here.channels[there].qsize() == 1


async def test_who_gives_up_ringing_takes_nothing_from_the_others():
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    (shard,) = layer._get_layer()._shards
    async with shard._lock:  # an earlier one is under way
        bell = {"type": "changed"}
        hasty, patient = (asyncio.create_task(layer.ring("table.7", bell)) for _ in range(2))
        await asyncio.sleep(0)
        hasty.cancel()
        await asyncio.sleep(0)
    with pytest.raises(ConnectionError):  # it was sent, as far as that goes
        await patient


async def test_a_bell_that_all_have_given_up_and_that_fails_then_is_no_error(caplog):
    layer = PatientRedisLayer(hosts=["redis://127.0.0.1:1"])
    (shard,) = layer._get_layer()._shards
    async with shard._lock:  # an earlier one is under way
        ringing = asyncio.create_task(layer.ring("table.7", {"type": "changed"}))
        await asyncio.sleep(0)
        sending = shard._next.sending
        ringing.cancel()
    await asyncio.wait([ringing, sending])
    del ringing, sending
    gc.collect()
    assert not [line for line in caplog.records if line.name == "asyncio"]
