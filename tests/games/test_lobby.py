"""The lists of the home page: what is open to everyone, and when a room leaves the lobby."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import presence, rooms, table
from games.models import Room
from games.rooms.lobby import STALE_AFTER
from games.rooms.standings import results_of
from scoring import ledger
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db


@pytest.fixture
def public(room_id):
    Room.objects.filter(pk=room_id).update(is_public=True)
    return room_id


@pytest.fixture
def later(monkeypatch):
    """Set the site's clock forward."""

    def go(gap):
        moment = timezone.now() + gap
        monkeypatch.setattr("django.utils.timezone.now", lambda: moment)

    return go


def listed(user):
    """The tables by list."""
    return {
        name: [row["id"] for row in rows] for name, rows in rooms.at_home(user.pk).items()
    }


def test_a_public_table_that_waits_is_listed_for_others(public, waiting, alice, charlie):
    assert listed(charlie) == {"games": [], "open": [waiting], "watch": []}
    assert listed(alice) == {"games": [waiting], "open": [], "watch": []}


def test_a_room_by_invitation_is_never_listed(waiting, charlie):
    assert listed(charlie) == {"games": [], "open": [], "watch": []}


def test_a_public_game_is_listed_to_watch_if_spectators_are_admitted(
    public, table_id, alice, charlie
):
    assert listed(charlie)["watch"] == [table_id]
    assert listed(alice)["watch"] == []
    Room.objects.update(spectators=False)
    assert listed(charlie)["watch"] == []


def test_games_that_wait_for_me_stand_first(room_id, table_id, alice, bob):
    rooms.open_table(room_id, alice.pk)
    rooms.open_table(room_id, bob.pk)
    for person in (alice, bob):
        rows = rooms.at_home(person.pk)["games"]
        turns = [row["my_turn"] for row in rows]
        assert turns == sorted(turns, reverse=True)
        assert len(rows) == 2


def test_a_quiet_room_leaves_the_lobby_and_its_game_stays_reachable(
    public, table_id, alice, charlie, later
):
    later(STALE_AFTER + timedelta(seconds=1))
    assert listed(charlie)["watch"] == []
    assert listed(alice)["games"] == [table_id]
    assert table.look(table_id, alice.pk)["state"] == "playing"
    assert rooms.room_page(public, charlie.pk)["tables"][0]["id"] == table_id


def test_something_that_moves_brings_a_room_back(public, waiting, bob, charlie, later):
    later(STALE_AFTER + timedelta(seconds=1))
    assert listed(charlie)["open"] == []
    table.sit_down(waiting, bob.pk)
    assert listed(charlie)["watch"] == [waiting]


@pytest.mark.parametrize("where", ["room", "table"])
def test_somebody_who_is_there_keeps_a_quiet_room_listed(
    public, waiting, alice, bob, charlie, later, where
):
    later(STALE_AFTER + timedelta(seconds=1))
    if where == "room":
        presence.room_seen(public, bob.pk)
    else:
        presence.seen(waiting, 0, alice.pk)
    assert listed(charlie)["open"] == [waiting]
    later(STALE_AFTER + timedelta(minutes=5))
    assert listed(charlie)["open"] == []


def test_a_stale_game_does_not_block_the_next_one(public, table_id, alice, bob, later):
    later(timedelta(days=30))
    opened = rooms.open_table(public, alice.pk)
    assert table.sit_down(opened, bob.pk) == 1


def test_last_sheets_tell_the_result_from_ones_own_side(table_id, alice, bob):
    table.resign(table_id, bob.pk)
    (won,), (lost,) = rooms.last_sheets(alice.pk), rooms.last_sheets(bob.pk)
    assert (won["verdict"], won["opponent"]) == ("won", "bob")
    assert (lost["verdict"], lost["opponent"]) == ("lost", "alice")
    assert won["score"] == lost["score"][::-1]


def test_a_corrected_game_counts_as_it_stands_now(table_id, room_id, alice, bob):
    table.resign(table_id, bob.pk)
    (played,) = rooms.last_sheets(alice.pk)
    before = results_of(room_id)
    new = ledger.edition(played["id"], [HandResult(1, "gin", 0, 30)])
    (now,) = rooms.last_sheets(alice.pk)
    assert (now["id"], now["score"]) == (new, [100, 80])
    (result,) = results_of(room_id)
    assert (result.sheet_id, result.totals) == (new, (100, 80))
    assert before[0].totals == (0, 0)
    ledger.write_correction(new, 0, -7, "miscounted", "charlie")
    assert results_of(room_id)[0].totals == (93, 80)


def test_a_game_called_off_is_neither_won_nor_lost(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "accept")
    assert [sheet["verdict"] for sheet in rooms.last_sheets(bob.pk)] == ["none"]
