"""What a table shows of a game that is over: its latest sheet, and whose it is now."""

from __future__ import annotations

import pytest

from accounts import guests
from games import rooms, table
from games.merging import merge
from games.models import Game, Table
from games.reading import frame_of, frames_of
from games.rooms.standings import results_of
from scoring import ledger
from scoring.rules import HandResult
from tests.games.players import play_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def options():
    return {"preset": "complete", "target": 50}


@pytest.fixture
def sheet_id(table_id, alice, bob):
    play_game(table_id, [alice.pk, bob.pk])
    written = Game.objects.get().sheet_id
    ledger.write_bonuses(written)
    return written


def test_a_finished_table_shows_the_corrected_sheet(sheet_id, table_id, alice):
    before = table.look(table_id, alice.pk)
    hands = ledger.read_sheet(sheet_id).results
    other = HandResult(hands[-1].winner, "knock", 3, 90)
    corrected = ledger.edition(sheet_id, [*hands[:-1], other])
    after = table.look(table_id, alice.pk)
    totals = list(ledger.read_sheet(corrected).standing.totals)
    assert (after["sheet_id"], after["end"]["totals"]) == (corrected, totals)
    assert totals != before["end"]["totals"]
    assert after["version"] >= before["version"]


def test_a_correction_that_ends_nothing_leaves_the_table_as_it_was(sheet_id, table_id, alice):
    before = table.look(table_id, alice.pk)
    ledger.edition(sheet_id, [])
    assert table.look(table_id, alice.pk)["end"] == before["end"]


def test_nothing_kept_names_a_guest_who_was_merged(room_id, waiting, alice, charlie):
    guest = guests.arrive("passant")
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], guest.pk)
    table.sit_down(waiting, guest.pk)
    table.resign(waiting, guest.pk)
    room = Table.objects.get(pk=waiting).room_id
    kept = lambda: (  # noqa: E731
        [one.user_id for one in frame_of(waiting).sheet.seats],
        [one.user_id for one in frames_of(room_id=room)[0].sheet.seats],
        list(results_of(room)[0].players),
    )
    assert kept() == ([alice.pk, guest.pk],) * 3
    merge(guest.pk, charlie.pk)
    assert kept() == ([alice.pk, charlie.pk],) * 3
