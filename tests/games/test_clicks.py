"""Moves of several tables that wait together: each is stored, or refused, as if it were alone."""

from __future__ import annotations

import asyncio
import threading

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.sessions import SignedOut
from games import clicks, facts, live, table
from games.models import Hand, Move, Table
from games.table import Click, strokes
from tests.games.players import Seat
from tests.games.wires import Wire, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tables(table_id, alice, bob):
    """Two tables at which alice and bob play."""
    other = Table.objects.create(room_id=Table.objects.get().room_id, number=2)
    table.lay(other.pk)
    for person in (alice, bob):
        table.sit_down(other.pk, person.pk)
    return [table_id, other.pk]


@pytest.fixture
def acting(tables, alice, bob):
    """Who acts at each of the two tables."""
    seats = [[Seat(person, table_id) for person in (alice, bob)] for table_id in tables]
    return [next(one for one in pair if one.acts()) for pair in seats]


def clicked(seat):
    at, text = seat.stands()
    return Click(seat.table_id, seat.held, text, at, None)


def test_moves_of_two_tables_are_one_statement(acting):
    clicks = [clicked(seat) for seat in acting]
    with CaptureQueriesContext(connection) as asked:
        assert table.make_and_look(clicks) == [[], []]
    assert len([query for query in asked if "INSERT" in (query["sql"] or "")]) <= 1
    assert Move.objects.values("hand_id").distinct().count() == 2


@pytest.mark.parametrize("stale", [0, 1])
def test_a_stale_click_among_others_stores_nothing_and_harms_none(acting, stale):
    clicks = [clicked(seat) for seat in acting]
    clicks[stale] = clicks[stale]._replace(at=(1, 7))
    seen = table.make_and_look(clicks)
    assert [views is None for views in seen] == [number == stale for number in (0, 1)]
    assert Move.objects.count() == 1


def test_a_table_changed_meanwhile_by_another_process_takes_the_long_way_alone(acting):
    clicks = [clicked(seat) for seat in acting]
    Table.objects.filter(pk=acting[0].table_id).update(changes=99)
    assert [views is None for views in table.make_and_look(clicks)] == [True, False]


@pytest.mark.parametrize(
    ("error", "level"), [(ValueError, "ERROR"), (OperationalError, "WARNING")]
)
def test_a_view_that_cannot_be_drawn_up_keeps_nothing_from_the_others(
    acting, monkeypatch, caplog, error, level
):
    clicks, look = [clicked(seat) for seat in acting], strokes.by_session

    def breaks_for_one(table_id, *asked):
        if table_id == acting[0].table_id:
            raise error
        return look(table_id, *asked)

    monkeypatch.setattr(strokes, "by_session", breaks_for_one)
    clicks = [
        click._replace(onlookers=[table.Onlooker(click.mover, "fr")]) for click in clicks
    ]
    seen = table.make_and_look(clicks)
    assert seen[0] == []
    assert [view["at"] for view in seen[1]] == [[1, 1]]
    assert Move.objects.count() == 2
    assert [record.levelname for record in caplog.records] == [level]


def test_a_ply_that_was_stored_meanwhile_is_passed_over_alone(acting, monkeypatch):
    """As between the reading of the statement and its lock: its count of plies is an old one."""
    clicks = [clicked(seat) for seat in acting]
    Move.objects.create(
        hand=Hand.objects.get(game__table_id=acting[0].table_id), ply=1, seat=0, text="pass",
        made_at=Hand.objects.first().dealt_at,
    )  # fmt: skip
    blind = facts._STROKES.replace("(SELECT COALESCE(MAX(ply), 0) FROM games_move", "(SELECT 0")
    monkeypatch.setattr(facts, "_STROKES", blind.replace(" WHERE hand_id = h.id)\n", ")\n"))
    facts._strokes_on.cache_clear()
    seen = table.make_and_look(clicks)
    facts._strokes_on.cache_clear()
    assert [views is None for views in seen] == [True, False]
    assert Move.objects.count() == 2


@pytest.mark.asyncio
async def test_clicks_at_two_tables_at_once_are_each_seen_by_those_who_follow(acting, monkeypatch):
    wires = [await Wire(f"tables/{seat.table_id}", seat.person).open() for seat in acting]
    for wire in wires:
        await wire.settled()
    stands = [await in_thread(seat.stands)() for seat in acting]
    for wire, (at, text) in zip(wires, stands, strict=True):
        await wire.say(move=text, at=at)
    for wire in wires:
        while (await wire.hear("table"))["at"] != [1, 1]:
            pass
        await wire.leave()


@pytest.mark.asyncio
async def test_a_second_click_at_a_table_waits_for_the_first_and_is_refused(acting):
    wire = await Wire(f"tables/{acting[0].table_id}", acting[0].person).open()
    await wire.settled()
    at, text = await in_thread(acting[0].stands)()
    for _ in range(3):
        await wire.say(move=text, at=at)
    refusals = [await wire.hear("refused") for _ in range(2)]
    assert {refusal["code"] for refusal in refusals} == {"stale"}
    assert await in_thread(Move.objects.count)() == 1
    await wire.leave()


@pytest.mark.asyncio
async def test_a_session_that_is_over_makes_no_move_the_long_way_either(acting):
    asked = clicked_by(acting[0])
    await in_thread(Session.objects.all().delete)()
    with pytest.raises(SignedOut):
        await clicks.carry(asked)
    assert not await in_thread(Move.objects.exists)()


@pytest.mark.asyncio
async def test_a_move_once_begun_is_carried_through_though_its_socket_closes(acting):
    socket = Follower(acting[1].held)
    click = await in_thread(clicked)(acting[0])
    said = (click.text, click.at, None)
    mover = table.Onlooker(acting[0].held, "fr")
    asked = clicks.Asked(acting[0].table_id, mover, said, [socket])
    carrying = asyncio.create_task(clicks.carry(asked))
    await asyncio.sleep(0)
    carrying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await carrying
    await asyncio.wait_for(asked.done, 10)
    assert await in_thread(Move.objects.count)() == 1
    assert len(socket.shown) == 1


@pytest.mark.asyncio
async def test_a_desk_takes_one_click_a_table_at_a_time(acting):
    asked = [clicked_by(seat) for seat in (acting[0], acting[0], acting[1])]
    desk = clicks.Desk()
    desk.waiting = list(asked)
    assert desk._next() == [asked[0], asked[2]]
    assert desk._next() == [asked[1]]
    for one in asked:
        one.done.cancel()


@pytest.mark.asyncio
async def test_a_click_that_comes_as_the_last_is_done_does_not_wait_for_another(acting):
    desk, second = clicks.Desk(), clicked_by(acting[1])
    for first in [clicked_by(acting[0]) for _ in live.LANES]:
        desk.take(first)
    first.done.add_done_callback(lambda _: desk.take(second))
    async with asyncio.timeout(10):
        await second.done


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one thread does all")
@pytest.mark.asyncio
async def test_a_click_waits_for_no_other_verb(acting):
    over = threading.Event()
    others = [
        asyncio.ensure_future(live.on_thread(over.wait, 60))
        for _ in range(live._threads._max_workers)
    ]
    try:
        click = clicked_by(acting[0])
        clicks.Desk().take(click)
        async with asyncio.timeout(20):
            await click.done
    finally:
        over.set()
        await asyncio.gather(*others)


def clicked_by(seat, further=0):
    said = ("pass", (1, 0), None)
    return clicks.Asked(seat.table_id + further, table.Onlooker(seat.held, "fr"), said, [])


@pytest.mark.asyncio
async def test_no_more_go_together_than_are_soon_back(acting):
    desk = clicks.Desk()
    desk.waiting = [clicked_by(acting[0], number) for number in range(clicks.TOGETHER + 5)]
    everybody = list(desk.waiting)
    assert desk._next() == everybody[: clicks.TOGETHER]
    assert desk._next() == everybody[clicks.TOGETHER :]
    assert desk.waiting == []
    for one in everybody:
        one.done.cancel()


class Follower:
    """A socket that is shown what comes, or breaks."""

    language = staticmethod(lambda: "fr")

    def __init__(self, held, breaks=False):
        self.held, self.channel_name, self.breaks = held, f"channel {breaks}", breaks
        self.shown = []

    async def take(self, seen):
        if self.breaks:
            raise ConnectionError
        self.shown.append(seen)


@pytest.mark.asyncio
async def test_a_socket_that_breaks_keeps_a_move_from_nobody(acting, monkeypatch):
    rung = []
    monkeypatch.setattr(clicks, "ring", lambda group, but: rung.append(but))
    sockets = [Follower(acting[0].held, breaks=True), Follower(acting[0].held)]
    mover = table.Onlooker(acting[0].held, "fr")
    asked = clicks.Asked(acting[0].table_id, mover, ("pass", (1, 0), None), sockets)
    await asked.show(["one", "other"])
    assert sockets[1].shown == ["other"]
    assert rung == [{"channel False"}]  # the bell is for whoever was not shown it
    assert asked.done.done()
