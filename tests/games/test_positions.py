"""What a process keeps of games: no more than it may, and nothing that changes an answer."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import positions, reading, rooms, table
from games.engine import position as play
from games.models import Game, Table
from tests.games.players import play_game

pytestmark = pytest.mark.django_db

ENDS = ("knock", "big gin", "gin")


def test_a_cache_stays_within_its_bound_and_holds_the_newest(monkeypatch):
    monkeypatch.setattr(positions, "KEPT_AT_MOST", 4)
    cache: dict[int, int] = {}
    for number in range(100):
        positions.keep(cache, number, -number)
        assert len(cache) <= 4
        assert cache[number] == -number


def test_a_long_hand_outlives_those_that_came_and_went_meanwhile(monkeypatch):
    monkeypatch.setattr(positions, "KEPT_AT_MOST", 4)
    cache: dict[str, int] = {}
    for number in range(100):
        positions.keep(cache, "long", number)
        for other in ("one", "two"):
            positions.keep(cache, f"{other} {number}", 0)
        assert cache["long"] == number
        assert len(cache) <= 4


def test_rules_that_another_thread_drops_meanwhile_are_read_again(table_id, monkeypatch):
    class Dropped(dict):
        def __contains__(self, key):
            found = super().__contains__(key)
            self.pop(key, None)
            return found

    game_id = Game.objects.get().pk
    rules = positions.rules_of(game_id)
    monkeypatch.setattr(positions, "_rules", Dropped(positions._rules))
    assert positions.rules_of(game_id) == rules


def test_what_was_kept_and_what_is_read_afresh_are_the_same(table_id, alice, bob, monkeypatch):
    monkeypatch.setattr(positions, "KEPT_AT_MOST", 2)
    play_game(table_id, [alice.pk, bob.pk])
    kept = {person.pk: table.look(table_id, person.pk) for person in (alice, bob)}
    reading.forget()
    for person, view in kept.items():
        assert {**table.look(table_id, person), "now": view["now"]} == view


def test_a_move_of_another_process_is_played_on_what_is_kept(table_id, alice, bob):
    people = [alice.pk, bob.pk]
    for _ in range(6):
        views = [table.look(table_id, person) for person in people]
        view = next(one for one in views if one["seat"] == one["hand"]["to_act"])
        kept = dict(positions._positions)
        with transaction.atomic():
            text = next(one for one in view["hand"]["legal"] if not one.startswith(ENDS))
            at = tuple(view["at"])
            table.make_move(table_id, people[views.index(view)], text, at)
        positions._positions.update(kept)  # as a process that did not make it
        with CaptureQueriesContext(connection) as asked:
            here = reading.frame_of(table_id)
        assert len(asked) == 1
        reading.forget()
        assert here == reading.frame_of(table_id)


def test_a_position_is_the_one_asked_for_though_a_later_one_is_kept_meanwhile(
    table_id, alice, bob, monkeypatch
):
    frame = reading.frame_of(table_id)
    passed = play.apply(frame.position, "pass")
    later, keep = play.apply(passed, "pass"), positions.keep_position

    def keep_and_be_overtaken(hand_id, position):
        keep(hand_id, position)
        keep(hand_id, later)

    monkeypatch.setattr(positions, "keep_position", keep_and_be_overtaken)
    assert positions.position_of(frame.game_id, frame.hand_id, 1, "pass") == passed


def test_games_by_the_same_rules_share_them(alice, bob):
    games = [sit(alice, bob, preset) for preset in ("complete", "points_only", "complete")]
    reading.forget()
    terms = positions.terms_of_games(games)
    assert terms[games[0]] is terms[games[2]]
    assert terms[games[0]] != terms[games[1]]


def sit(owner, other, preset):
    room_id = rooms.open_room(owner.pk, "Salle", {"preset": preset})
    rooms.join_room(rooms.room_page(room_id, owner.pk)["invite"], other.pk)
    place = Table.objects.get(room_id=room_id).pk
    table.sit_down(place, other.pk)
    return Game.objects.get(table_id=place).pk
