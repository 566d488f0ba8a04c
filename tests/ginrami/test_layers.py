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
