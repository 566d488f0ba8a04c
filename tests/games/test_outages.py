"""What those at a table are told while no bells come, and how they see moves all the same."""

from __future__ import annotations

import pytest

from games import facts, outages, reading, table, together
from games.models import Table
from scoring import ledger
from tests.games.players import play_hand
from tests.games.wires import Wire, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def silent(monkeypatch):
    """Nothing rings, and the process knows it."""
    monkeypatch.setattr("accounts.live._send", _nowhere)
    monkeypatch.setattr(outages, "silent", lambda: True)
    return monkeypatch


async def _nowhere(*_bell):
    """A bell that nobody hears."""


@pytest.mark.asyncio
async def test_while_bells_are_silent_it_is_said_and_moves_are_seen_all_the_same(
    table_id, alice, bob, silent
):
    hers, his = [await Wire(f"tables/{table_id}", person).open() for person in (alice, bob)]
    before = await hers.hear("table")
    await his.hear("table")
    await in_thread(table.resign)(table_id, bob.pk)
    await outages.watch(together.followed())
    for wire in (hers, his):
        heard = [await wire.hear("table", "reach") for _ in range(2)]
        told, view = sorted(heard, key=lambda message: message["type"])
        assert told == {"type": "reach", "bells": False, "database": True}
        assert view["version"] > before["version"]
    silent.setattr(outages, "silent", lambda: False)
    await outages.watch(together.followed())
    assert (await hers.hear("table", "reach"))["bells"] is True
    for wire in (hers, his):
        await wire.leave()


@pytest.mark.asyncio
async def test_while_all_is_well_nothing_is_asked_and_nobody_told(table_id, alice, monkeypatch):
    hers = await Wire(f"tables/{table_id}", alice).open()
    await hers.settled()
    asked = []
    monkeypatch.setattr(facts, "versions", lambda tables: asked.extend(tables) or {})
    await outages.watch(together.followed())
    assert asked == []
    assert "reach" not in [message["type"] for message in await hers.settled()]
    await hers.leave()


def test_a_tables_version_is_known_without_reading_it(table_id, alice, bob):
    def same():
        (found,) = facts.versions([table_id]).values()
        reading.forget()
        return found == reading.frame_of(table_id).version

    assert same()
    play_hand(table_id, [alice.pk, bob.pk])
    assert same()
    table.resign(table_id, alice.pk)
    assert same()
    ledger.write_bonuses(Table.objects.get(pk=table_id).games.get().sheet_id)
    assert same()
