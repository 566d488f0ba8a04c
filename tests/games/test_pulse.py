"""What open sockets do by themselves: being here, being missed, looking when time has come."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games import consumers, presence, pulse, table
from games.models import Clock, Heartbeat, Member, Move, Room
from tests.games.players import play_hand
from tests.games.test_consumers import Socket, cookies_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

in_thread = sync_to_async(thread_sensitive=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Whoever closes their last socket is missed at once; a site that has lived for an hour."""
    monkeypatch.setattr(pulse, "BACK_WITHIN", 0)
    monkeypatch.setattr(presence, "STARTED", timezone.now() - timedelta(hours=1))
    monkeypatch.setattr(presence, "_silent_at", None)


@pytest.fixture
def lived_long(transactional_db):
    begun = timezone.now() - timedelta(hours=1)
    cache.set(presence.STORE_SINCE, int(begun.timestamp() * 1000), None)
    Heartbeat.objects.create(pk=1, beat_at=timezone.now(), started_at=begun)


@pytest.fixture
def socket(alice, bob, charlie):
    cookies = {}
    for person in (alice, bob, charlie):
        client = Client()
        client.force_login(person)
        cookies[person.pk] = cookies_of(client)

    async def opened(table_id, person):
        return await Socket(table_id, cookies[person.pk]).open()

    return opened


async def test_who_comes_is_seen_at_once_and_so_is_who_leaves(table_id, alice, bob, socket):
    hers = await socket(table_id, alice)
    assert (await hers.presence())["present"] == [True, False]
    his = await socket(table_id, bob)
    assert (await his.presence())["present"] == [True, True]
    assert (await hers.presence())["present"] == [True, True]
    await his.leave()
    assert (await hers.presence())["present"] == [True, False]
    assert await hers.silent()
    await hers.leave()


async def test_closing_one_of_two_tabs_makes_nobody_absent(table_id, alice, bob, socket):
    """L2."""
    hers = await socket(table_id, alice)
    await hers.presence()
    tabs = [await socket(table_id, bob) for _ in range(2)]
    for tab in tabs:
        assert (await tab.presence())["present"] == [True, True]
    assert (await hers.presence())["present"] == [True, True]
    await tabs[0].leave()
    assert await hers.silent()
    assert await in_thread(presence.present)(table_id, [alice.pk, bob.pk]) == [True, True]
    await tabs[1].leave()
    assert (await hers.presence())["present"] == [True, False]
    await hers.leave()


async def test_loading_the_page_again_is_no_absence(table_id, alice, bob, socket, monkeypatch):
    """L7."""
    monkeypatch.setattr(pulse, "BACK_WITHIN", 0.3)
    hers = await socket(table_id, alice)
    await hers.presence()
    his = await socket(table_id, bob)
    assert (await hers.presence())["present"] == [True, True]
    await his.leave()
    his = await socket(table_id, bob)
    await asyncio.sleep(0.5)
    assert await hers.silent()
    assert await in_thread(presence.present)(table_id, [alice.pk, bob.pk]) == [True, True]
    await his.leave()
    await hers.leave()


async def test_spectators_are_counted(table_id, room_id, alice, charlie, socket):
    await in_thread(Member.objects.create)(room_id=room_id, user=charlie)
    hers = await socket(table_id, alice)
    assert (await hers.presence())["spectators"] == 0
    theirs = await socket(table_id, charlie)
    assert (await hers.presence())["spectators"] == 1
    await theirs.leave()
    assert (await hers.presence())["spectators"] == 0
    await hers.leave()


async def test_who_sits_down_is_no_spectator_any_more(waiting, alice, bob, socket):
    his = await socket(waiting, bob)
    assert (await his.presence())["spectators"] == 1
    await in_thread(table.sit_down)(waiting, bob.pk)
    view = await his.presence()
    while view["state"] == "waiting" or view["spectators"]:
        view = await his.presence()
    assert view["present"] == [False, True]
    await his.leave()


async def test_a_killed_process_is_noticed_by_the_pong(table_id, alice, bob, socket):
    """Nobody rings for those whose marks age out."""
    hers = await socket(table_id, alice)
    await hers.presence()
    assert await hers.silent()
    key = presence._key(table_id, bob.pk)
    now = int(timezone.now().timestamp() * 1000)
    await in_thread(cache.set)(key, (now, "another process"))
    assert (await hers.ask({"verb": "ping"}))["present"] == [True, True]
    assert (await hers.presence())["present"] == [True, True]
    await in_thread(cache.set)(key, (now - 21_000, "another process"))
    assert (await hers.ask({"verb": "ping"}))["present"] == [True, False]
    assert (await hers.presence())["present"] == [True, False]
    assert (await hers.ask({"verb": "ping"}))["type"] == "pong"
    assert await hers.silent()
    await hers.leave()


async def test_who_was_marked_away_by_another_process_says_so(table_id, alice, bob, socket):
    """Two tabs on two processes: the last one of the one is not the last of the other."""
    hers = await socket(table_id, alice)
    await hers.presence()
    assert await hers.silent()
    key = presence._key(table_id, alice.pk)
    await in_thread(cache.set)(key, (int(timezone.now().timestamp() * 1000), ""))
    assert (await hers.ask({"verb": "ping"}))["present"] == [True, False]
    await hers.leave()


async def test_the_marks_of_all_open_sockets_are_renewed_together(
    table_id, alice, bob, socket, monkeypatch
):
    monkeypatch.setattr(pulse, "EVERY", 0.05)
    hers = await socket(table_id, alice)
    await hers.presence()
    await in_thread(cache.delete)(presence._key(table_id, alice.pk))
    await asyncio.sleep(0.3)
    assert await in_thread(presence.present)(table_id, [alice.pk, bob.pk]) == [True, False]
    assert await in_thread(Heartbeat.objects.count)() == 1
    await hers.leave()


async def test_marks_are_renewed_a_few_at_a_time_and_not_of_who_left_meanwhile(monkeypatch):
    spots = [presence.Spot("table", number, number, True) for number in range(5)]
    here, marked = Counter(spots), []

    def mark(some):
        marked.append(list(some))
        here.pop(spots[4], None)

    async def live():
        here.clear()  # all are gone, and nothing is left to do

    for name, value in (("EVERY", 0.01), ("MARKED_AT_ONCE", 2), ("_here", here), ("_live", live)):
        monkeypatch.setattr(pulse, name, value)
    monkeypatch.setattr(presence, "mark", mark)
    await pulse._beat_on()
    assert marked == [spots[:2], spots[2:4]]


async def test_a_socket_looks_by_itself_when_the_time_of_a_turn_is_over(
    waiting, alice, bob, socket, lived_long
):
    await in_thread(Room.objects.update)(pace="30")
    await in_thread(table.sit_down)(waiting, bob.pk)
    soon = timezone.now() + timedelta(seconds=0.8)
    await in_thread(Clock.objects.update)(deadline=soon)
    hers = await socket(waiting, alice)
    assert (await hers.view())["at"] == [1, 0]
    assert (await hers.view())["at"] == [1, 1]
    assert timezone.now() >= soon
    assert await in_thread(Move.objects.count)() == 1
    await hers.leave()


async def test_a_click_after_the_time_is_answered_with_what_the_clock_played(
    waiting, alice, bob, socket, lived_long
):
    await in_thread(Room.objects.update)(pace="30")
    await in_thread(table.sit_down)(waiting, bob.pk)
    seats = await in_thread(table.look)(waiting, alice.pk)
    mover = (alice, bob)[seats["hand"]["to_act"]]
    theirs = await socket(waiting, mover)
    view = await theirs.view()
    assert await theirs.silent()
    await in_thread(Clock.objects.update)(deadline=timezone.now() - timedelta(seconds=1))
    answer = await theirs.ask({"move": "draw discard", "at": view["at"]})
    assert (answer["type"], answer["code"]) == ("refused", "time_over")
    assert (await theirs.view())["at"] == [1, 1]
    await theirs.leave()


async def test_the_next_hand_is_dealt_by_a_socket_when_its_time_has_come(
    table_id, alice, bob, socket, monkeypatch
):
    monkeypatch.setattr("games.clocks.next_deal_after", lambda pace: timedelta(seconds=0.5))
    hers = await socket(table_id, alice)
    await hers.view()
    await in_thread(play_hand)(table_id, [alice.pk, bob.pk])
    view = await hers.view()
    while view["state"] != "between":
        view = await hers.view()
    while view["state"] == "between":
        view = await hers.view()
    assert view["at"] == [2, 0]
    await hers.leave()


async def test_what_absence_offers_comes_by_itself(
    table_id, alice, bob, socket, lived_long, monkeypatch
):
    monkeypatch.setattr("games.clocks.GONE_AFTER", timedelta(seconds=2.5))
    view = await in_thread(table.look)(table_id, alice.pk)
    stays = (bob, alice)[view["hand"]["to_act"]]
    theirs = await socket(table_id, stays)
    assert (await theirs.presence())["absence"] is None
    offered = await theirs.presence()
    assert offered["absence"]["choices"] == ["wait", "adjourn", "claim"]
    await theirs.say({"verb": "claim"})
    assert (await theirs.view())["end"]["how"] == "claimed"
    await theirs.leave()


async def test_a_room_knows_who_looks_at_it_and_who_plays_in_it(
    table_id, room_id, alice, bob, socket
):
    hers = await socket(table_id, alice)
    await hers.presence()
    assert await in_thread(presence.room_present)(room_id) == {alice.pk}
    await hers.leave()
    await asyncio.sleep(0.1)
    assert await in_thread(presence.room_present)(room_id) == set()


async def test_a_deadline_that_brings_nothing_is_looked_at_again_later_not_at_once(
    waiting, alice, bob, socket, monkeypatch
):
    """Within a minute of a start nobody loses by time, and nobody asks all the while."""
    await in_thread(Room.objects.update)(pace="30")
    await in_thread(table.sit_down)(waiting, bob.pk)
    await in_thread(Clock.objects.update)(deadline=timezone.now() - timedelta(seconds=1))
    looks = []
    look = table.look_together
    monkeypatch.setattr(table, "look_together", lambda *who: looks.append(who) or look(*who))
    hers = await socket(waiting, alice)
    await hers.view()
    await asyncio.sleep(0.5)
    assert len(looks) <= 4
    assert consumers.PATIENCE >= 1
    await hers.leave()
