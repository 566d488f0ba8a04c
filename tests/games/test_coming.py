"""Tables of many who come at once: read together, and each shown as if they had come alone."""

from __future__ import annotations

import asyncio

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.sessions import SignedOut
from games import beside, clocks, coming, gathering, presence, reading, table
from games.models import Hand, Move, Table
from games.table import Onlooker, Refused
from tests.games.players import Seat, play_hand
from tests.games.wires import Wire, in_thread

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = 4


@pytest.fixture
def tables(room_id, alice, bob):
    """Alice and Bob at several tables, in the second hand, but for the last, in the first."""
    laid = []
    for number in range(TABLES):
        one = Table.objects.create(room_id=room_id, number=number + 2).pk
        table.lay(one)
        for person in (alice, bob):
            table.sit_down(one, person.pk)
        if number < TABLES - 1:
            play_hand(one, [alice.pk, bob.pk])
            for person in (alice, bob):
                table.ready(one, person.pk)
        laid.append(one)
    return laid


@pytest.fixture
def sessions(alice, bob, charlie, room_id):
    there = Table.objects.first().pk
    return {person.username: Seat(person, there).held for person in (alice, bob, charlie)}


def asking(sessions, *names):
    return [Onlooker(sessions[name], "fr") for name in names]


def cold(call, *arguments):
    """What a process that has just started gives, and how many statements it asked."""
    reading.forget()
    beside.forget()
    presence.forget()
    with CaptureQueriesContext(connection) as asked:
        given = call(*arguments)
    return given, len(asked)


def same(view):
    return {key: value for key, value in view.items() if key != "now"}


def test_many_tables_are_looked_at_in_as_many_statements_as_one(tables, sessions):
    each = {number: asking(sessions, "alice", "bob") for number in tables}
    _, one = cold(table.look_at_each, {tables[0]: each[tables[0]]})
    seen, many = cold(table.look_at_each, each)
    assert many == one
    alone = {number: cold(table.look_by_session, number, each[number])[0] for number in tables}
    assert {number: [same(one) for one in views] for number, views in seen.items()} == {
        number: [same(one) for one in views] for number, views in alone.items()
    }


def test_of_many_who_look_each_is_told_what_concerns_them_alone(tables, sessions, bob):
    Session.objects.filter(pk=sessions["bob"].session_key).delete()
    each = {number: asking(sessions, "alice", "bob", "charlie") for number in tables}
    for hers, his, theirs in table.look_at_each(each).values():
        assert hers["hand"]["held"]
        assert isinstance(his, SignedOut)
        assert isinstance(theirs, Refused)
        assert theirs.code == "not_found"


def test_a_table_where_something_is_due_is_left_to_whoever_looks_alone(
    tables, sessions, alice, bob, monkeypatch
):
    # A hand that wins the game, once in a great while, leaves nothing due.
    played = ((number, play_hand(number, [alice.pk, bob.pk])) for number in tables)
    due = next(number for number, view in played if view["state"] == "between")
    late = timezone.now() + clocks.next_deal_after(None)
    monkeypatch.setattr("django.utils.timezone.now", lambda: late)
    seen = table.look_at_each({number: asking(sessions, "alice") for number in tables})
    assert set(seen) == {*tables} - {due}


@pytest.mark.asyncio
async def test_a_table_that_cannot_be_shown_harms_nobody_else(tables, sessions):
    first, *others = tables
    await in_thread(_spoil)(first)
    reading.forget()
    seen = await asyncio.gather(
        *(coming.look(number, sessions["alice"], "fr") for number in (*tables, 10**9)),
        return_exceptions=True,
    )
    assert [view["table"]["id"] for view in seen[1:-1]] == others
    assert [type(one).__name__ for one in (seen[0], seen[-1])] == ["IllegalMove", "Refused"]


@pytest.mark.asyncio
async def test_who_comes_tells_the_others_and_is_not_told_of_it(table_id, alice, bob, monkeypatch):
    alone, look = [], table.look_by_session

    def counting(number, onlookers):
        alone.extend(one.held.user_id for one in onlookers)
        return look(number, onlookers)

    monkeypatch.setattr(table, "look_by_session", counting)
    hers = await Wire(f"tables/{table_id}", alice).open()
    await _answered(hers)
    assert alone == []
    his = await Wire(f"tables/{table_id}", bob).open()
    await _answered(his)
    assert (await hers.hear("table"))["present"] == [True, True]
    assert set(alone) == {alice.pk}
    for wire in (hers, his):
        await wire.leave()


async def _answered(wire):
    """Shown the table, and nothing more on its way."""
    assert (await wire.hear("table"))["present"][0]
    for _ in range(3):  # a bell may be taken up behind what was said
        await wire.say(verb="nothing")
        await wire.hear("refused")


def _spoil(table_id):
    hand = Hand.objects.filter(game__table_id=table_id).latest("number")
    Move.objects.create(hand=hand, ply=1, seat=0, text="big gin", made_at=timezone.now())


@pytest.fixture
def answered():
    """A gathering of at most three at a time, and what it was asked, lot by lot."""
    lots = []

    def answer(asked):
        lots.append(list(asked))
        if "broken" in asked:
            raise ConnectionError
        return [ValueError(one) if one == "odd" else one * 2 for one in asked]

    return gathering.Gathering(answer, 3), lots


@pytest.mark.asyncio
async def test_who_asks_at_the_same_time_is_answered_together(answered):
    gathered, lots = answered
    told = await asyncio.gather(*map(gathered.ask, "abcde"))
    assert told == ["aa", "bb", "cc", "dd", "ee"]
    assert lots == [["a", "b", "c"], ["d", "e"]]


@pytest.mark.asyncio
async def test_what_is_wrong_with_one_is_told_to_them_alone_and_who_goes_takes_nothing(answered):
    gathered, lots = answered
    hasty, *others = (asyncio.create_task(gathered.ask(one)) for one in ("hasty", "odd", "b"))
    await asyncio.sleep(0)
    hasty.cancel()
    with pytest.raises(ValueError, match="odd"):
        await others[0]
    assert await others[1] == "bb"
    assert lots == [["odd", "b"]]
    failed = await asyncio.gather(*map(gathered.ask, ["broken", "c"]), return_exceptions=True)
    assert [type(error) for error in failed] == [ConnectionError] * 2
    assert await gathered.ask("d") == "dd"  # and those who come afterwards are answered
