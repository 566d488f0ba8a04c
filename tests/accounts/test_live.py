"""The bell's rope: whoever rings is never held up, whatever the channel layer does."""

from __future__ import annotations

import asyncio

import pytest

from accounts import live


class Layer:
    """A channel layer that is dead, or does not answer."""

    def __init__(self, state: str) -> None:
        self.state = state
        self.given_up = 0

    async def ring(self, group: str, message: dict, but=()) -> None:
        if self.state == "dead":
            raise ConnectionError
        try:
            await asyncio.sleep(60)
        finally:
            self.given_up += 1


@pytest.fixture(params=["dead", "silent"])
def layer(request, monkeypatch) -> Layer:
    layer = Layer(request.param)
    monkeypatch.setattr(live, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(live, "RUNG_WITHIN", 0.05)
    return layer


def test_a_worker_that_rings_in_vain_goes_on(layer, monkeypatch, caplog):
    monkeypatch.setattr(live, "_server_loop", None)
    live.ring("table.7")
    assert layer.given_up == (1 if layer.state == "silent" else 0)
    assert "The bell of table.7 could not be rung" in caplog.text


async def test_bells_that_nobody_takes_do_not_pile_up(layer, monkeypatch, caplog):
    monkeypatch.setattr(live, "_server_loop", asyncio.get_running_loop())
    for _ in range(20):
        live.ring("table.7")
    async with asyncio.timeout(30):
        while caplog.text.count("could not be rung") < 20:
            await asyncio.sleep(0.01)
    assert layer.given_up == (20 if layer.state == "silent" else 0)
