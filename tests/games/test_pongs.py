"""Pings: answered together, without a look where nothing changed, and with one where it did."""

from __future__ import annotations

import asyncio

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.utils import timezone

from accounts.models import User
from games import compared, live, pongs, presence, table, talk, talkers, together
from games.models import Friendship, Member, Room
from tests.games.wires import Wire, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture
def looks(monkeypatch):
    """Each look at a table from here on, and each reading of what was said."""
    counted, look, recent = [], table.look_together, talk.recent

    def looking(*of_table):
        counted.append("table")
        return look(*of_table)

    def reading(*of_talk):
        counted.append("talk")
        return recent(*of_talk)

    monkeypatch.setattr("games.table.looks.look_together", looking)
    monkeypatch.setattr(talk, "recent", reading)
    return counted


@pytest.fixture
async def at_table(table_id, alice, bob):
    """Opens sockets of these people at the table, to which nothing is on its way any more."""
    opened = []

    async def sit(*people):
        wires = [await Wire(f"tables/{table_id}", person).open() for person in people]
        opened.extend(wires)
        for wire in wires * 2:  # the first hear of those who came after them
            await wire.settled()
        return wires

    yield sit
    for wire in opened:
        await wire.leave()


_ORIGIN = int(timezone.now().timestamp() * 1000)


async def _pong(wire):
    await wire.say(verb="ping")
    return await wire.hear("pong")


async def test_where_nothing_changed_nobody_looks(at_table, looks, alice, bob):
    hers, his = await at_table(alice, bob)
    view = await in_thread(table.look)(int(hers.address[7:]), alice.pk)
    known = {key: view[key] for key in ("at", "version", "present")}
    looks.clear()
    for wire in (hers, his, hers):
        assert await _pong(wire) == {"type": "pong", **known}
    assert looks == []


async def test_a_move_that_was_shown_is_no_news_to_a_pong(at_table, looks, alice, bob):
    wires = await at_table(alice, bob)
    view = await in_thread(table.look)(int(wires[0].address[7:]), alice.pk)
    mover = wires[0] if view["hand"]["to_act"] == view["seat"] else wires[1]
    await mover.say(move="pass", at=view["at"])
    for wire in wires:
        assert (await wire.hear("table"))["at"] == [1, 1]
    looks.clear()
    for wire in wires:
        assert (await _pong(wire))["at"] == [1, 1]
    assert looks == []


async def test_pings_that_come_while_others_are_answered_go_together(
    at_table, monkeypatch, alice, bob
):
    wires = await at_table(alice, bob, alice, bob)
    told, going, first, answer = [], asyncio.Event(), asyncio.Event(), pongs._answer

    async def held(some):
        told.append(len(some))
        first.set()
        await going.wait()
        await answer(some)

    monkeypatch.setattr(pongs, "_answer", held)
    await wires[0].say(verb="ping")
    await first.wait()
    for wire in wires[1:]:
        await wire.say(verb="ping")
    while len(pongs._desk().waiting) < 3:
        await asyncio.sleep(0.01)
    going.set()
    for wire in wires:
        await wire.hear("pong")
    assert told == [1, 3]


async def test_no_move_waits_for_a_pong(at_table, table_id, monkeypatch, alice, bob):
    hers, his = await at_table(alice, bob)
    going, answer = asyncio.Event(), pongs._answer

    async def held(some):
        await going.wait()
        await answer(some)

    monkeypatch.setattr(pongs, "_answer", held)
    view = await in_thread(table.look)(table_id, alice.pk)
    mover = hers if view["hand"]["to_act"] == view["seat"] else his
    await mover.say(verb="ping")
    await mover.say(move="pass", at=view["at"])
    assert (await mover.hear())["at"] == [1, 1]
    going.set()
    assert (await mover.hear("pong"))["at"] == [1, 1]


def renamed(room_id, bob):
    Room.objects.filter(pk=room_id).update(name="Chez les cousins")


def other_code(room_id, bob):
    Room.objects.filter(pk=room_id).update(code="XYZ234")


def other_name(room_id, bob):
    User.objects.filter(pk=bob.pk).update(username="Robert")


SILENT = {
    renamed: lambda view: view["room"]["name"] == "Chez les cousins",
    other_code: lambda view: view["room"]["code"] == "XYZ234",
    other_name: lambda view: view["seats"][1]["name"] == "Robert",
}


@pytest.mark.parametrize("change", SILENT)
async def test_what_no_version_counts_and_no_bell_told_comes_with_the_pong(
    change, at_table, room_id, alice, bob
):
    (hers,) = await at_table(alice)
    await in_thread(change)(room_id, bob)
    await _pong(hers)
    assert SILENT[change](await hers.hear("table"))


async def test_who_watches_and_became_a_member_is_shown_so(at_table, room_id, charlie):
    await in_thread(Room.objects.update)(is_public=True)
    (theirs,) = await at_table(charlie)
    await in_thread(Member.objects.create)(room_id=room_id, user=charlie)
    await _pong(theirs)
    assert (await theirs.hear("table"))["room"]["invite"]


async def test_a_move_whose_bell_was_lost_is_told_by_the_pong(
    at_table, table_id, monkeypatch, alice, bob
):
    (hers,) = await at_table(alice)
    before = await _pong(hers)
    monkeypatch.setattr(live, "ring_after_commit", lambda *_table: None)
    await in_thread(table.resign)(table_id, bob.pk)
    assert (await _pong(hers))["version"] > before["version"]


async def test_that_the_other_came_and_went_meanwhile_is_looked_at_once(
    at_table, table_id, looks, alice, bob
):
    """What absence offers, and when, goes by when they were last there."""
    (hers,) = await at_table(alice)
    for ago, looked in ((60_000, ["table"]), (30_000, ["table"]), (30_000, [])):
        mark = (_ORIGIN - ago, "")
        await in_thread(cache.set)(presence._key(table_id, bob.pk), mark)
        looks.clear()
        assert (await _pong(hers))["present"] == [True, False]
        await hers.settled()
        assert looks == looked


async def test_friends_are_found_by_the_pong_now_and_then_once_a_game_is_over(
    at_table, table_id, looks, monkeypatch, alice, bob
):
    await in_thread(table.resign)(table_id, bob.pk)
    monkeypatch.setattr(compared, "OFTEN", 3600.0)
    (hers,) = await at_table(alice)
    asked = await in_thread(Friendship.objects.create)(asker=alice, asked=bob)
    looks.clear()
    await _pong(hers)
    assert looks == []
    monkeypatch.setattr(compared, "OFTEN", 0.0)
    await hers.say(verb="look")
    assert (await hers.hear("table"))["befriend"] == []
    await in_thread(asked.delete)()
    await _pong(hers)
    assert (await hers.hear("table"))["befriend"] == ["bob"]


async def test_those_who_came_together_do_not_all_look_together_later(
    at_table, table_id, looks, alice, bob
):
    hers, his = await at_table(alice, bob)
    kept = {one.held.user_id: one for one in together._following[table_id]}
    assert len({one.keeps for one in kept.values()}) == 2
    assert all(0.5 <= one.keeps <= 1.0 for one in kept.values())
    kept[alice.pk].keeps = 0.0
    looks.clear()
    await _pong(his)
    assert looks == []
    await _pong(hers)
    assert looks == ["table"]


async def test_a_look_that_failed_is_made_up_for_by_the_pong(
    at_table, table_id, looks, monkeypatch, alice
):
    (hers,) = await at_table(alice)

    async def away(*_who):
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(together, "look", away)
        await hers.say(verb="look")
        assert (await hers.hear("refused"))["code"] == "unavailable"
    looks.clear()
    await _pong(hers)
    assert looks == ["table"]
    await _pong(hers)
    assert looks == ["table"]


async def test_while_the_database_is_away_each_ping_is_told_so(at_table, monkeypatch, alice, bob):
    wires = await at_table(alice, bob)

    def away(*_asking):
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(compared, "read", away)
        for wire in wires:
            await wire.say(verb="ping")
        for wire in wires:
            assert (await wire.hear())["code"] == "unavailable"
    for wire in wires:
        assert (await _pong(wire))["type"] == "pong"


async def test_whom_she_hides_meanwhile_a_pong_does_not_bring_back(
    at_table, table_id, monkeypatch, alice, bob
):
    (hers,) = await at_table(alice)
    (socket,) = together._following[table_id]
    with monkeypatch.context() as patched:
        patched.setattr(live, "ring_talk", lambda *_place: None)
        await in_thread(talk.say)(None, table_id, bob.pk, "Hep")
    read, going, recent = asyncio.Event(), asyncio.Event(), talkers._recent

    async def late(verb, *arguments):
        found = await ask(verb, *arguments)
        if verb is recent:
            read.set()
            await going.wait()
        return found

    ask = socket.ask
    monkeypatch.setattr(socket, "ask", late)
    telling = asyncio.create_task(socket.tell())  # as a pong does
    await read.wait()
    await in_thread(talk.mute)(alice.pk, bob.pk, on=True)
    while not (await hers.hear("chat")).get("muted"):
        pass
    going.set()
    assert await telling
    assert socket.told == set()
