"""Pages that follow lists: dozens of windows at once, and windows gone before they were let in."""

from __future__ import annotations

import asyncio

import pytest
from channels.layers import get_channel_layer

from games import followers, live, rooms, sockets
from tests.games.wires import Wire, cookie_of, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

BELL = {"type": "changed"}


@pytest.fixture
def looks(monkeypatch):
    """Who looked at the lists of a home page."""
    looked = []

    def watch_home(place, user_id):
        looked.append(user_id)
        return rooms.watch_home(place, user_id)

    monkeypatch.setattr(followers.LobbyConsumer, "lists", lambda _socket: watch_home)
    return looked


@pytest.fixture
async def wire():
    """Opens a home page's socket; those still open at the end are left."""
    opened = []

    async def begin(cookie):
        opened.append(await Wire("lobby", cookie).open())
        return opened[-1]

    yield begin
    for one in opened:
        await one.leave()


async def test_windows_of_one_person_that_wait_for_their_turn_are_answered_by_one_look(
    looks, wire, alice, bob
):
    hers, his = [await in_thread(cookie_of)(person) for person in (alice, bob)]
    windows = [await wire(cookie) for cookie in (hers, hers, hers, his)]
    for window in windows:
        await window.settled()
    looks.clear()
    async with live.in_turn(live._turns):  # each stands in line for its pong
        for window in windows:
            await window.say(verb="ping")
        await asyncio.sleep(0.05)
    for window in windows:
        await window.hear("pong")
    assert sorted(looks) == [alice.pk, bob.pk]


async def test_a_window_cut_off_before_it_was_shown_anything_leaves_nothing_behind(
    wire, alice, monkeypatch
):
    coming, never = asyncio.Event(), asyncio.Event()

    async def stay(_socket):
        coming.set()
        await never.wait()

    monkeypatch.setattr(followers.LobbyConsumer, "show", stay)
    layer = get_channel_layer()
    lists = layer._get_layer() if hasattr(layer, "_get_layer") else layer
    before = {*lists.channels}, {*lists.groups}
    window = await wire(await in_thread(cookie_of)(alice))
    await coming.wait()
    await layer.ring("lobby", BELL)
    await asyncio.sleep(0)  # it has heard it, and cannot answer
    window.wire.future.cancel()  # as Daphne does ten seconds after it went
    with pytest.raises(asyncio.CancelledError):
        await window.wire.future
    here = asyncio.get_running_loop()  # one of an earlier test may have been left in the middle
    await asyncio.gather(*(one for one in sockets._leaving if one.get_loop() is here))
    await layer.ring("lobby", BELL)
    assert ({*lists.channels}, {*lists.groups}) == before
    assert not sockets._open


async def test_however_many_go_at_once_they_are_let_go_a_few_at_a_time(monkeypatch):
    going = most = gone = 0

    async def hear_only(_socket, _bells):
        nonlocal going, most, gone
        going, gone = going + 1, gone + 1
        most = max(most, going)
        await asyncio.sleep(0)
        going -= 1

    monkeypatch.setattr(sockets.Follower, "_hear_only", hear_only)
    many = [followers.LobbyConsumer() for _ in range(3 * sockets.LEAVE_AT_ONCE)]
    await asyncio.gather(*(one.disconnect(1001) for one in many))
    assert (most, gone) == (sockets.LEAVE_AT_ONCE, len(many))
