"""What a process keeps of games: no more than it may, and nothing that changes an answer."""

from __future__ import annotations

import pytest

from games import positions, reading, table
from tests.games.players import play_game

pytestmark = pytest.mark.django_db


def test_a_cache_stays_within_its_bound_and_holds_the_newest(monkeypatch):
    monkeypatch.setattr(positions, "KEPT_AT_MOST", 4)
    cache: dict[int, int] = {}
    for number in range(100):
        positions.keep(cache, number, -number)
        assert len(cache) <= 4
        assert cache[number] == -number


def test_what_was_kept_and_what_is_read_afresh_are_the_same(table_id, alice, bob, monkeypatch):
    monkeypatch.setattr(positions, "KEPT_AT_MOST", 2)
    play_game(table_id, [alice.pk, bob.pk])
    kept = {person.pk: table.look(table_id, person.pk) for person in (alice, bob)}
    reading.forget()
    for person, view in kept.items():
        assert {**table.look(table_id, person), "now": view["now"]} == view
