"""The channel layer of the scaled way, with no Redis anywhere near."""

from __future__ import annotations

import asyncio

import pytest

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
