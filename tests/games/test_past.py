"""Games of another day at a table: readable as any other, and played on where they stopped."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games import rooms, table
from games.audit import audit, parts
from games.demo.playing import play_game
from games.demo.times import timed, until
from games.models import Clock, Game, GameSeat, Member, Move, Pace, Room, Table
from games.presets import rule_set
from games.table import PastGame
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.rules import Ended
from tests.games.players import play_hand

pytestmark = pytest.mark.django_db

RULES = rule_set({"preset": "complete"})


@pytest.fixture
def pace():
    return Pace.NONE


@pytest.fixture
def year_ago():
    return timezone.now() - timedelta(days=365)


@pytest.fixture
def room_id(alice, bob, year_ago, pace):
    people = [alice.pk, bob.pk]
    return rooms.open_past_room(people, "Salle", RULES.as_dict(), year_ago, pace=pace)


@pytest.fixture
def seats(alice, bob):
    return [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]


def whole(seats, began, pace=Pace.NONE, seed=1):
    hands = timed(play_game(RULES, (10, 10), Random(seed)), began, pace, Random(seed))
    return PastGame(seats, RULES.as_dict(), began, hands, ended_at=hands[-1].ended_at)


def going_on(seats, now, seed=2, pace=Pace.NONE):
    """A game of which two hands are over and the third has come to its fourth ply."""
    game = whole(seats, now, pace, seed)
    began = now - (game.hands[2].moves[3][2] - now) - timedelta(milliseconds=1)
    game = whole(seats, began, pace, seed)
    hands = until(game.hands, now)
    assert [len(hands), len(hands[-1].moves), hands[-1].ended_at] == [3, 4, None]
    return PastGame(seats, RULES.as_dict(), began, hands)


def test_a_room_has_been_there_since(room_id, year_ago, alice):
    room = Room.objects.get(pk=room_id)
    assert (room.opened_at, room.owner_id) == (year_ago, alice.pk)
    assert {member.joined_at for member in Member.objects.all()} == {year_ago}
    assert rooms.open_past_table(room_id, year_ago) == Table.objects.get().pk  # its first


def test_games_stand_at_the_table_one_after_the_other(room_id, seats, year_ago, alice):
    table_id = rooms.open_past_table(room_id, year_ago)
    evening = [whole(seats, year_ago), whole(seats, year_ago + timedelta(hours=1), seed=2)]
    sheets = table.write_past(table_id, evening)
    games = Game.objects.order_by("number")
    assert [game.sheet_id for game in games] == sheets
    assert [game.number for game in games] == [1, 2]  # nobody waits at the table any more
    assert [game.started_at for game in games] == [game.started_at for game in evening]
    assert games[0].ended_at == ledger.read_sheet(sheets[0]).ended_at
    assert table.look(table_id, alice.pk)["state"] == "finished"
    assert audit(*parts()[0]).differences == []


def test_another_table_is_opened_beside_it(room_id, seats, year_ago):
    first = rooms.open_past_table(room_id, year_ago)
    table.write_past(first, [whole(seats, year_ago)])
    assert rooms.open_past_table(room_id, year_ago) != first
    assert [one.number for one in Table.objects.order_by("pk")] == [1, 2]


def test_a_game_that_was_left_is_won_by_the_other(room_id, seats, year_ago):
    hands = whole(seats, year_ago).hands[:1]
    broken = type(hands[0])(
        hands[0].dealer, hands[0].deck, hands[0].dealt_at, hands[0].moves[:3], None,
        hands[0].ended_at,
    )  # fmt: skip
    game = PastGame(
        seats, RULES.as_dict(), year_ago, [broken], Ended("resigned", 1), broken.ended_at
    )
    sheet_id = table.write_past(rooms.open_past_table(room_id, year_ago), [game])[0]
    assert ledger.read_sheet(sheet_id).standing.winner == 0
    assert audit(*parts()[0]).differences == []


def test_an_open_game_is_played_on_to_its_end(room_id, seats, alice, bob):
    table_id = rooms.open_past_table(room_id, timezone.now())
    table.write_past(table_id, [going_on(seats, timezone.now())])
    view = table.look(table_id, alice.pk)
    assert (view["state"], view["at"]) == ("playing", [3, 4])
    assert set(GameSeat.objects.values_list("ready_after", flat=True)) == {2}
    assert audit(*parts()[0]).differences == []
    play_hand(table_id, [alice.pk, bob.pk])
    assert audit(*parts()[0]).differences == []
    assert Move.objects.filter(hand__number=3).count() > 4


@pytest.mark.parametrize("pace", [Pace.DAY])
def test_where_a_clock_runs_it_runs_for_who_is_to_move(room_id, seats, alice, pace):
    now = timezone.now()
    table_id = rooms.open_past_table(room_id, now)
    table.write_past(table_id, [going_on(seats, now, pace=pace)])
    assert Clock.objects.get().seat == table.look(table_id, alice.pk)["hand"]["to_act"]


def test_what_is_broken_off_never_shows_its_deck(seats, year_ago):
    hand = whole(seats, year_ago).hands[0]
    assert hand.deck not in repr(hand)
