"""A suspension in the middle of a game: every socket ends, the others play on or claim."""

from __future__ import annotations

import pytest

from accounts import people, suspensions
from games import dealing, presence, sockets, table
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
        await wire.hear()
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
