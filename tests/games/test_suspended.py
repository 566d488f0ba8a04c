"""A suspension in the middle of a game: every socket ends, the others play on or claim."""

from __future__ import annotations

import pytest

from accounts import people, suspensions
from games import dealing, live, presence, rooms, sockets, table, tasks
from games.models import Waiting
from games.presence import Spot
from tests.games.hours import Hours
from tests.games.wires import Wire, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.asyncio
async def test_a_suspension_ends_every_socket_of_that_person_and_no_other(
    table_id, room_id, alice, bob
):
    places = [f"tables/{table_id}", f"rooms/{room_id}", "lobby"]
    theirs = [await Wire(place, alice).open() for place in (*places, places[0])]
    other = await Wire(f"tables/{table_id}", bob).open()
    for wire in (*theirs, other):
        assert await wire.ask(verb="ping") == "pong"
    await in_thread(suspensions.suspend)([alice], "Triche")
    for wire in theirs:
        _heard, code = await wire.until_closed()
        assert code == sockets.SIGNED_OUT
    assert await other.ask(verb="ping") == "pong"
    again = await Wire(f"tables/{table_id}", alice).open()  # with a session of its own
    assert (await again.until_closed())[1] == sockets.SIGNED_OUT
    await other.leave()


@pytest.mark.asyncio
async def test_a_socket_opened_before_does_not_outlive_a_short_suspension(
    table_id, alice, monkeypatch
):
    wire = await Wire(f"tables/{table_id}", alice).open()
    await wire.hear()
    monkeypatch.setattr(people, "ring", lambda user_id: None)  # bells may be lost
    await in_thread(suspensions.suspend)([alice], "Triche")
    await in_thread(suspensions.reinstate)([alice])
    await wire.say(verb="ping")
    assert (await wire.until_closed())[1] == sockets.SIGNED_OUT


def test_the_seat_of_the_suspended_is_absent_and_may_be_claimed(
    waiting, alice, bob, monkeypatch
):
    hours = Hours(monkeypatch)
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 0)  # Bob acts first
    table.sit_down(waiting, bob.pk)
    for seat, person in enumerate((alice, bob)):
        presence.seen(waiting, seat, person.pk)
    suspensions.suspend([bob], "Triche")
    presence.left(Spot("table", waiting, bob.pk, plays=True))  # as his last socket does
    hours.pass_by(301)
    presence.seen(waiting, 0, alice.pk)
    view = table.look(waiting, alice.pk)
    assert view["present"] == [True, False]
    assert view["absence"]["choices"] == ["wait", "adjourn", "claim"]
    table.claim(waiting, alice.pk)
    assert table.look(waiting, alice.pk)["end"]["winner"] == 0


def test_a_seat_at_an_open_table_and_a_wish_are_freed(
    room_id, waiting, alice, bob, monkeypatch
):
    before = table.look(waiting, bob.pk)["version"]
    playing = rooms.open_table(room_id, bob.pk, "loser")
    table.sit_down(playing, alice.pk)
    table.resign(playing, bob.pk)
    table.rematch(playing, alice.pk)
    suspensions.suspend([alice], "Triche")
    rung = []
    monkeypatch.setattr(live.live, "ring", lambda group, *_more: rung.append(group))
    tasks.sweep_seats()
    assert {live.group_of(waiting), f"room.{room_id}", "lobby"} <= set(rung)
    view = table.look(waiting, bob.pk)
    assert (view["seats"], view["version"] > before) == ([], True)
    assert not any(seat["rematch"] for seat in table.look(playing, bob.pk)["seats"])
    assert table.free_seats() == 0


def test_in_a_running_game_the_seat_stays_theirs(table_id, alice, bob):
    suspensions.suspend([alice], "Triche")
    assert table.free_seats() == 0
    assert len(table.look(table_id, bob.pk)["seats"]) == 2


def test_who_waits_in_line_and_is_shut_out_waits_no_more(table_id, room_id, bob, charlie):
    rooms.join_room(rooms.room_page(room_id, bob.pk)["invite"] or "", charlie.pk)
    Waiting.objects.create(table_id=table_id, user=charlie)
    suspensions.suspend([charlie], "Triche")
    assert table.free_seats() == 1
    assert not Waiting.objects.exists()
