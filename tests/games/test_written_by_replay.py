"""The migration that writes down how hands of older games ended, replayed from their moves."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from games import table
from games.models import Game
from scoring import ledger
from scoring.models import ScoreSheet, SheetHand, Tally
from tests.games.players import play_game, seats_of

pytestmark = pytest.mark.django_db
MIGRATION = import_module("games.migrations.0007_hands_are_written_on_their_sheets")


def unwritten() -> None:
    """The database as it was before: sheets with lines alone."""
    Tally.objects.all().delete()
    if connection.vendor == "sqlite":
        SheetHand.objects.all().delete()
        return
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE scoring_sheethand DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM scoring_sheethand")
        cursor.execute("ALTER TABLE scoring_sheethand ENABLE TRIGGER USER")


def told() -> list[dict[str, object]]:
    own = ("id", "written_at")
    rows = SheetHand.objects.order_by("sheet_id", "number").values()
    return [{key: value for key, value in row.items() if key not in own} for row in rows]


def tallied() -> list[dict[str, object]]:
    rows = Tally.objects.order_by("sheet_id", "seat").values()
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


def test_what_is_replayed_is_what_the_ledger_wrote(table_id, alice, bob):
    play_game(table_id, [alice.pk, bob.pk])
    game = Game.objects.get(table_id=table_id)
    ledger.write_bonuses(game.sheet_id)
    hands, tallies = told(), tallied()
    assert len(hands) >= 2
    assert len(tallies) == 2
    unwritten()
    for _time in ("once", "again"):
        MIGRATION.write_hands(apps, None)
        assert told() == hands
        assert tallied() == tallies


def test_a_game_being_played_has_its_hands_written_and_no_tally(between):
    hands = told()
    assert len(hands) == 1
    unwritten()
    MIGRATION.write_hands(apps, None)
    assert told() == hands
    assert not Tally.objects.exists()
    assert ScoreSheet.objects.get().ended_at is None


def test_a_hand_in_which_nobody_drew_from_the_stock_says_so(table_id, alice, bob):
    seats = seats_of(table_id, [alice.pk, bob.pk])
    while table.look(table_id, alice.pk)["state"] == "playing":
        mover = seats[table.look(table_id, alice.pk)["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        table.make_move(table_id, mover, never_from_the_stock(seen["hand"]), tuple(seen["at"]))
    hands = told()
    assert [(hand["kind"], hand["idle"]) for hand in hands] == [("void", True)]
    unwritten()
    MIGRATION.write_hands(apps, None)
    assert told() == hands


def never_from_the_stock(hand):
    """Take the discard and throw another card, on and on."""
    legal = [move for move in hand["legal"] if move.split()[0] in ("take", "draw", "discard")]
    return next((move for move in legal if move != "draw stock"), legal[0])
