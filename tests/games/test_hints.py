"""Hints: to the player who asks, against the computer, for the decision they face now."""

from __future__ import annotations

import asyncio

import pytest

from accounts.refusal import Refusal
from games import advisers, dealing, presence, rooms, table
from games.table import advice
from tests.games.test_bots import bots_turn
from tests.games.wires import Wire, in_thread

pytestmark = pytest.mark.django_db


@pytest.fixture
def against(waiting, alice, monkeypatch):
    """The computer deals: Alice is to act."""
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    table.seat_bot(waiting, alice.pk, "regular")
    return waiting


def refused(code, call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    assert refusal.value.code == code


def test_a_hint_is_a_move_that_may_be_made_here(against, alice):
    view = table.look(against, alice.pk)
    question = table.ask_advice(against, alice.pk, view["game"]["id"])
    hint = table.advise(question)
    assert hint["move"] in view["hand"]["legal"]
    assert (hint["at"], hint["game"]) == (view["at"], view["game"]["id"])
    table.make_move(against, alice.pk, hint["move"], tuple(hint["at"]), hint["game"])


def test_what_is_weighed_is_what_the_seat_has_seen(against, alice):
    question = table.ask_advice(against, alice.pk)
    held = table.look(against, alice.pk)["hand"]["held"]
    assert question.views[-1]["held"] == held
    assert all(view["others"] == [{"seat": 1, "count": 10}] for view in question.views)


def test_hints_are_refused_against_people_out_of_turn_and_to_others(
    table_id, against_late, alice, bob, charlie
):
    refused("no_hints", table.ask_advice, table_id, alice.pk)
    refused("not_a_player", table.ask_advice, against_late, bob.pk)
    refused("not_found", table.ask_advice, against_late, charlie.pk)
    refused("stale", table.ask_advice, against_late, alice.pk, 0)
    bots_turn(against_late, alice)
    refused("not_your_turn", table.ask_advice, against_late, alice.pk)
    table.resign(against_late, alice.pk)
    refused("no_game", table.ask_advice, against_late, alice.pk)


@pytest.fixture
def against_late(table_id, room_id, alice):
    other = rooms.open_table(room_id, alice.pk)
    table.seat_bot(other, alice.pk, "regular")
    return other


@pytest.mark.django_db(transaction=True)
def test_a_hint_goes_to_who_asked_alone_and_not_twice_at_once(against, alice, bob, monkeypatch):
    monkeypatch.setattr(advice, "PLAYOUTS", 4)
    monkeypatch.setattr(advisers, "_asked", {})
    monkeypatch.setattr(advisers, "EVERY", 600.0)  # however slow this machine is
    presence.seen(against, 0, alice.pk)

    async def course():
        hers, second = [await Wire(f"tables/{against}", alice).open() for _ in range(2)]
        his = await Wire(f"tables/{against}", bob).open()
        for wire in (hers, second, his):
            await wire.settled()
        for wire in (hers, second):  # before the first is answered
            await wire.say(verb="hint")
        told = await hers.hear("hint")
        assert (await second.hear("refused"))["code"] == "slow_down"
        await his.say(verb="hint")
        assert (await his.hear("refused"))["code"] == "not_a_player"
        view = await in_thread(table.look)(against, alice.pk)
        assert told["move"] in view["hand"]["legal"]
        for wire in (second, his):
            assert "hint" not in {one["type"] for one in await wire.settled()}
        for wire in (hers, second, his):
            await wire.leave()

    asyncio.run(course())
