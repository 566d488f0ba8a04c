"""One bell, one look: the sockets of a table that hear it together read the table once."""

from __future__ import annotations

import asyncio
import gc

import pytest
from django.contrib.sessions.models import Session

from accounts import hot
from accounts.live import ring
from accounts.sessions import Pass
from games import clicks, live, presence, table, together
from games.consumers import TableConsumer
from tests.games.wires import Wire, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture
def looks(monkeypatch):
    """How many looked at once, look by look."""
    counted = []
    look = table.look_together

    def counting(table_id, lookers, *known):
        counted.append(len(lookers))
        return look(table_id, lookers, *known)

    monkeypatch.setattr("games.table.looks.look_together", counting)
    return counted


async def test_both_seats_hear_a_bell_by_one_look(table_id, alice, bob, looks):
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    await his.settled()
    await hers.settled()
    looks.clear()
    await in_thread(table.resign)(table_id, bob.pk)
    seen = [await wire.hear("table") for wire in (hers, his)]
    assert [view["seat"] for view in seen] == [0, 1]
    assert {view["state"] for view in seen} == {"finished"}
    for _ in range(20):  # whoever was still looking at something before heard it later
        if 2 not in looks:
            await in_thread(ring)(live.group_of(table_id))
            await his.settled()
            await hers.settled()
    assert 2 in looks
    await hers.leave()
    await his.leave()


async def test_who_is_signed_out_sees_nothing_of_a_look_that_others_share(
    table_id, alice, bob, looks
):
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    await his.settled()
    await hers.settled()
    looks.clear()
    await in_thread(_sign_out)(alice)
    await in_thread(table.resign)(table_id, bob.pk)
    await in_thread(ring)(live.group_of(table_id))
    heard, code = await hers.until_closed()
    assert code == 4401
    assert "table" not in [message["type"] for message in heard]
    assert (await his.hear("table"))["state"] == "finished"
    assert set(looks) == {1}
    await his.leave()


class Watcher:
    def __init__(self, plays):
        self.plays = plays


async def test_of_a_crowd_a_few_are_shown_a_move_as_it_is_stored_and_all_who_play():
    crowd = [Watcher(plays=number > 70) for number in range(90)]
    for one in crowd:
        together.follow(7, one)
    nearest = together.nearest(7)
    assert len(nearest) == together.ALONG
    assert set(crowd[71:]) <= set(nearest)
    for one in crowd:
        together.unfollow(7, one)


async def test_a_move_is_seen_by_both_seats_though_no_bell_rings(
    table_id, alice, bob, looks, monkeypatch
):
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    while "table" in [heard["type"] for wire in (his, hers) for heard in await wire.settled()]:
        pass  # the coming of one is shown to the other
    assert [one.plays for one in together.nearest(table_id)] == [True, True]
    monkeypatch.setattr(clicks, "ring", lambda *group, **others: None)
    view = await in_thread(table.look)(table_id, alice.pk)
    looks.clear()
    mover = hers if view["seat"] == view["hand"]["to_act"] else his
    await mover.say(move="pass", at=view["at"])
    seen = [await wire.hear("table") for wire in (hers, his)]
    assert [view["at"] for view in seen] == [[1, 1], [1, 1]]
    assert [view["seat"] for view in seen] == [0, 1]
    assert looks == [2]  # drawn for both as it was stored, and looked at by nobody
    await hers.leave()
    assert len(together._following[table_id]) == 1
    await his.leave()
    assert table_id not in together._following


async def test_a_look_that_comes_back_to_a_closed_socket_follows_nothing(
    table_id, alice, monkeypatch
):
    wire = await Wire(f"tables/{table_id}", alice).open()
    await wire.settled()
    (socket,), look, gone = together._following[table_id], together.look, asyncio.Event()

    async def late(*who):
        seen = await look(*who)
        await gone.wait()
        return seen

    monkeypatch.setattr(together, "look", late)
    looking = asyncio.create_task(socket.changed({}))  # as its alarm does, whatever else it hears
    await asyncio.sleep(0)
    await wire.leave()
    gone.set()
    await looking
    assert table_id not in together._following
    assert socket.heard == set()


async def test_a_move_that_comes_late_does_not_put_off_what_time_will_change(table_id, alice):
    class Silent(TableConsumer):
        held = object()

        async def send(self, text_data):
            pass

    view = await in_thread(table.look)(table_id, alice.pk)
    due = {**view, "version": view["version"] + 1, "next_deal_at": view["now"] + 60_000}
    one = Silent()
    for seen in (due, view):
        await one.take(seen)
    assert one.alarm is not None
    one.alarm.cancel()


async def test_a_look_from_before_she_sat_down_takes_nobody_from_the_table(
    table_id, alice, monkeypatch
):
    wire = await Wire(f"tables/{table_id}", alice).open()
    await wire.settled()
    (socket,) = together._following[table_id]
    heard, sheet = set(socket.heard), socket.sheet_id

    async def late(*who):
        view = await in_thread(table.look)(table_id, alice.pk)
        return {**view, "version": view["version"] - 1, "seat": None, "sheet_id": None}

    monkeypatch.setattr(together, "look", late)
    await socket.changed({})
    assert (socket.plays, socket.heard, socket.sheet_id) == (True, heard, sheet)
    assert await in_thread(presence.present)(table_id, [alice.pk]) == [True]
    await wire.leave()


async def _both(table_id, alice, bob):
    """The sockets of who acts and of the other, with nothing on its way, and the place."""
    people = [alice, bob]
    view = await in_thread(table.look)(table_id, alice.pk)
    if view["seat"] != view["hand"]["to_act"]:
        people.reverse()
    mover, other = [await Wire(f"tables/{table_id}", person).open() for person in people]
    await other.settled()
    await mover.settled()
    return mover, other, view["at"]


async def test_who_is_signed_out_is_shown_no_move_of_another(table_id, alice, bob):
    mover, other, at = await _both(table_id, alice, bob)
    await in_thread(_sign_out)(other.person)
    await mover.say(move="pass", at=at)
    heard, code = await other.until_closed()
    assert code == 4401
    assert [1, 1] not in [message.get("at") for message in heard]  # at most that somebody came
    while (await mover.hear("table"))["at"] != [1, 1]:
        pass
    await mover.leave()


def _sign_out(person):
    for session in Session.objects.all():
        if session.get_decoded().get("_auth_user_id") == str(person.pk):
            session.delete()


async def test_a_bell_rings_though_nobody_can_say_whether_a_move_was_stored(
    table_id, alice, bob, monkeypatch
):
    mover, other, at = await _both(table_id, alice, bob)
    store, broken = hot.store, ("SELECT nothing", ())
    monkeypatch.setattr(hot, "store", lambda write, *_behind: store(write, broken))
    await mover.say(move="pass", at=at)
    assert (await mover.hear("refused"))["code"] == "unavailable"
    seen = [await wire.hear("table") for wire in (mover, other)]
    assert [view["at"] for view in seen] == [[1, 1], [1, 1]]
    await mover.leave()
    await other.leave()


async def test_a_refusal_that_nobody_waits_for_any_more_is_no_error(table_id, alice, caplog):
    held = Pass(alice.pk, "x" * 32, "", 0)
    asking = asyncio.create_task(together.move(table_id, held, "fr", ("pass", (1, 0), None)))
    await asyncio.sleep(0)
    moving = [one for one in asyncio.all_tasks() if "_work" in repr(one.get_coro())]
    asking.cancel()
    await asyncio.wait([asking, *moving])
    assert len(moving) == 1
    del asking, moving
    gc.collect()
    assert not [line for line in caplog.records if line.name == "asyncio"]


async def test_who_left_while_a_pong_looked_is_not_shown_as_there(
    table_id, alice, bob, monkeypatch
):
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    await his.settled()
    await hers.settled()
    socket = next(one for one in together._following[table_id] if one.held.user_id == alice.pk)
    socket.keeps, look, seen, going = 0.0, together.look, asyncio.Event(), asyncio.Event()

    async def late(*who):
        view = await look(*who)
        if not seen.is_set():
            seen.set()
            await going.wait()
        return view

    monkeypatch.setattr(together, "look", late)
    await hers.say(verb="ping")
    await seen.wait()
    await his.leave()
    await in_thread(presence.left)(presence.Spot("table", table_id, bob.pk, plays=True))
    bell = asyncio.create_task(socket.changed({}))
    await asyncio.wait([bell], timeout=1)
    going.set()
    await bell
    await hers.settled()
    assert socket.shown.stands.present == (True, False)
    await hers.leave()
