"""A room that plays for chips: they are put up as a game begins, and shared out as it ends."""

from __future__ import annotations

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.refusal import Refusal
from games import rooms, table
from games.farewell import say_farewell
from games.models import Game, Room, Table
from scoring import chips, ledger
from scoring.models import ChipAccount, Wager
from tests.games.players import choose, seats_of

pytestmark = pytest.mark.django_db

MATCH = {"mode": "match", "amount": "300", "commission": "house"}


@pytest.fixture
def staked(alice, bob):
    """Open a room for these stakes, in which alice waits; gives its table."""

    def open_for(stakes) -> int:
        room = rooms.open_room(alice.pk, "Jeu", {"preset": "match_play"}, stakes=stakes)
        rooms.join_room(Room.objects.get(pk=room).invitation, bob.pk)
        return Table.objects.get(room_id=room).pk

    return open_for


def money(*people) -> list[int]:
    return [int(chips.wallet(one.pk)) for one in people]


def game_of(table_id) -> Game:
    return Game.objects.filter(table_id=table_id).latest("number")


def audited() -> str:
    said = StringIO()
    call_command("audit_chips", stdout=said)
    return said.getvalue()


def test_chips_are_put_up_when_both_have_sat_down_and_not_before(staked, alice, bob):
    place = staked(MATCH)
    assert not ChipAccount.objects.exists()
    table.sit_down(place, bob.pk)
    assert money(alice, bob) == [700, 700]
    assert Wager.objects.get().sheet_id == game_of(place).sheet_id
    assert "no differences" in audited()


def test_no_game_begins_that_one_of_them_cannot_pay(staked, alice, bob):
    place = staked(MATCH)
    chips.grant(alice.pk, Decimal(-900), "spent meanwhile", "the host")
    with pytest.raises(Refusal, match="alice"):
        table.sit_down(place, bob.pk)
    assert money(alice, bob) == [100, 1000]
    assert game_of(place).started_at is None
    assert not Wager.objects.exists()


def test_a_game_called_off_gives_everything_back(staked, alice, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    table.call_off(place, bob.pk, "offer")
    table.call_off(place, alice.pk, "accept")
    ledger.write_bonuses(game_of(place).sheet_id)
    assert money(alice, bob) == [1000, 1000]


def test_a_start_broken_off_while_the_cards_are_shuffled_gives_everything_back(
    settings, staked, alice, bob
):
    settings.FAIR_PATIENCE = 10
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    assert money(alice, bob) == [700, 700]
    table.resign(place, bob.pk)
    ledger.write_bonuses(game_of(place).sheet_id)
    assert money(alice, bob) == [1000, 1000]


def test_a_game_declared_void_gives_everything_back_though_it_was_settled(staked, alice, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    table.resign(place, bob.pk)
    ledger.write_bonuses(game_of(place).sheet_id)
    assert money(alice, bob) == [1270, 700]
    table.void(game_of(place).pk)
    assert money(alice, bob) == [1000, 1000]
    assert "no differences" in audited()


def test_a_rematch_is_paid_again_and_is_for_what_was_played_for(staked, alice, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    for games in (1, 2, 3):
        table.resign(place, bob.pk)
        ledger.write_bonuses(game_of(place).sheet_id)
        table.rematch(place, alice.pk)
        if games < 3:
            table.rematch(place, bob.pk)
    with pytest.raises(Refusal, match="bob"):
        table.rematch(place, bob.pk)
    assert money(alice, bob) == [1810, 100]


def test_whoever_deletes_their_account_loses_the_game_and_leaves_their_chips(staked, alice, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    say_farewell(bob.pk)
    assert money(bob) == [0]
    ledger.write_bonuses(game_of(place).sheet_id)
    assert money(alice, bob) == [1270, 0]
    assert "no differences" in audited()


def test_neither_a_look_nor_a_move_reads_an_account(staked, alice, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    mover = seats_of(place, [alice.pk, bob.pk])[table.look(place, alice.pk)["hand"]["to_act"]]
    statements = []

    def listen(execute, sql, *how):
        statements.append(sql)
        return execute(sql, *how)

    with connection.execute_wrapper(listen):
        seen = table.look(place, mover)
        table.make_move(place, mover, choose(seen["hand"]), tuple(seen["at"]))
    assert len(statements) > 3
    assert not [sql for sql in statements if "_chip" in sql]


def test_what_was_tampered_with_is_told_and_the_command_fails(staked, bob):
    place = staked(MATCH)
    table.sit_down(place, bob.pk)
    on = " ON scoring_chipaccount" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER balances_come_from_postings{on}")
        cursor.execute("UPDATE scoring_chipaccount SET balance = 5 WHERE kind = 'wallet'")
    said = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit_chips", stdout=said)
    assert ended.value.code == 1
    assert "together hold" in said.getvalue()
    assert said.getvalue().count("its postings come to") == 2
