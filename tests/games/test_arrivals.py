"""Many who come at once, as after a web process died: what they share, and what gives way."""

from __future__ import annotations

import asyncio

import pytest

from games import consumers, live, presence, pulse, talk, talkers
from games.presence import Spot
from tests.games.wires import Wire, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_those_who_come_at_once_are_marked_together(monkeypatch):
    marked, mark_each = [], presence.mark_each

    def counting(spots):
        marked.append(set(spots))
        return mark_each(spots)

    monkeypatch.setattr(presence, "mark_each", counting)
    here = frozenset({Spot("table", 7, 1, plays=True)})
    assert await pulse._Arrivals.with_others(here) == here
    coming = [frozenset({Spot("table", 7, number, plays=True)}) for number in range(1, 21)]
    away = await asyncio.gather(*(pulse._Arrivals.with_others(spots) for spots in coming))
    assert len(marked) == 2
    assert [not spots.isdisjoint(gone) for spots, gone in zip(coming, away, strict=True)] == [
        False, *[True] * 19
    ]  # fmt: skip


async def test_a_few_at_a_time_are_let_in_and_all_are_shown_their_table(
    table_id, alice, bob, monkeypatch
):
    inside, most, come_in = set(), [], consumers.TableConsumer._come_in

    async def counted(socket):
        inside.add(socket)
        most.append(len(inside))
        await come_in(socket)
        inside.discard(socket)

    monkeypatch.setattr(consumers, "AT_ONCE", 2)
    monkeypatch.setattr(consumers.TableConsumer, "_come_in", counted)
    wires = [Wire(f"tables/{table_id}", person) for person in (alice, bob) for _ in range(3)]
    await asyncio.gather(*(wire.open() for wire in wires))
    for wire in wires:
        await wire.hear("table")
    assert (max(most), len(most)) == (2, 6)
    for wire in wires:
        await wire.leave()


async def test_whoever_waits_for_what_was_said_sees_the_table_and_plays(table_id, alice, bob):
    await in_thread(talk.say)(None, table_id, bob.pk, "À toi")
    turn = talkers._turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    await turn.acquire()  # as if others were before them
    hers = await Wire(f"tables/{table_id}", alice).open()
    assert (await hers.hear())["type"] == "table"
    await hers.say(verb="resign")
    assert (await hers.hear())["state"] == "finished"
    turn.release()
    assert [line["text"] for line in (await hers.hear("chat"))["messages"]][-1] == "À toi"
    await hers.leave()


async def test_what_was_said_is_read_behind_those_who_still_come(table_id, alice, bob, monkeypatch):
    await in_thread(talk.say)(None, table_id, bob.pk, "À toi")
    turns, come_in = [asyncio.Event(), asyncio.Event()], consumers.TableConsumer._come_in
    coming = iter(turns)

    async def slowly(socket):
        await next(coming).wait()
        await come_in(socket)

    monkeypatch.setattr(consumers, "AT_ONCE", 1)
    monkeypatch.setattr(consumers.TableConsumer, "_come_in", slowly)
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    turns[0].set()
    assert (await hers.hear())["type"] == "table"
    for _ in range(40):  # it would have been read by then
        await live.on_database_thread(talk.stamp, None, table_id)
    await hers.say(verb="nothing")
    assert (await hers.hear())["type"] == "refused"
    turns[1].set()
    assert (await hers.hear("chat"))["messages"][-1]["text"] == "À toi"
    await his.hear("table")
    for wire in (hers, his):
        await wire.leave()
