"""Who is here: marks in the shared cache, which age out by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache

from games import presence
from games.presence import Spot
from tests.games.hours import Hours

pytestmark = pytest.mark.django_db

ALICE, BOB, CHARLIE = 11, 12, 13
TABLE, ROOM = 7, 3


@pytest.fixture(autouse=True)
def hours(monkeypatch):
    return Hours(monkeypatch)


@pytest.fixture
def dead(monkeypatch):
    """The cache no longer answers."""

    def fail(*_arguments):
        raise ConnectionError

    def kill():
        for name in ("get", "get_many", "set", "set_many", "add"):
            monkeypatch.setattr(cache, name, fail, raising=False)

    return kill


def who():
    return presence.present(TABLE, [ALICE, BOB])


def test_a_mark_ages_out_by_itself_within_twenty_seconds(hours):
    presence.seen(TABLE, 0, ALICE)
    assert who() == [True, False]
    hours.pass_by(19)
    assert who() == [True, False]
    hours.pass_by(1)
    assert who() == [False, False]
    last = presence.here(TABLE, [ALICE]).seen[0]
    assert last == hours.now - timedelta(seconds=20)


def test_only_an_arrival_is_news(hours):
    assert presence.seen(TABLE, 0, ALICE)
    assert not presence.seen(TABLE, 0, ALICE)
    hours.pass_by(30)
    assert presence.seen(TABLE, 0, ALICE)


def test_who_leaves_is_away_at_once():
    presence.seen(TABLE, 1, BOB)
    assert presence.left(Spot("table", TABLE, BOB, plays=True))
    assert who() == [False, False]
    assert not presence.left(Spot("table", TABLE, BOB, plays=True))


def test_a_mark_of_another_process_is_left_to_age_out(monkeypatch, hours):
    presence.seen(TABLE, 1, BOB)
    monkeypatch.setattr(presence, "PROCESS", "another")
    assert not presence.left(Spot("table", TABLE, BOB, plays=True))
    assert who() == [False, True]
    hours.pass_by(21)
    assert who() == [False, False]


@pytest.mark.parametrize("place", [Spot("room", ROOM, BOB), Spot("table", TABLE, BOB)])
def test_who_came_back_by_another_process_is_not_taken_away_by_the_first(place, hours):
    presence.mark([place])
    hours.pass_by(5)
    closed = presence.stamp()
    hours.pass_by(1)
    presence.mark([place])  # as the other process does
    assert not presence.left(place, closed)
    assert presence.left(place, presence.stamp())


def test_spectators_are_counted_once_each_and_players_not_among_them():
    presence.seen(TABLE, 0, ALICE)
    for _ in range(2):
        presence.seen(TABLE, None, CHARLIE)
    assert presence.here(TABLE, [ALICE, BOB]).spectators == 1
    presence.seen(TABLE, None, BOB)
    assert presence.here(TABLE, [ALICE, BOB]).spectators == 1
    presence.left(Spot("table", TABLE, CHARLIE))
    assert presence.here(TABLE, [ALICE, BOB]).spectators == 0


def test_a_room_knows_who_looks_at_it(hours):
    presence.room_seen(ROOM, ALICE)
    hours.pass_by(15)
    presence.room_seen(ROOM, BOB)
    assert presence.room_present(ROOM) == {ALICE, BOB}
    hours.pass_by(10)
    assert presence.room_present(ROOM) == {BOB}


def test_nobody_is_held_absent_while_the_cache_does_not_answer(dead):
    presence.seen(TABLE, 0, ALICE)
    dead()
    assert who() == [True, True]
    assert presence.since() is None
    assert not presence.seen(TABLE, 0, ALICE)
    assert not presence.left(Spot("table", TABLE, ALICE, plays=True))
    assert presence.room_present(ROOM) == set()
    with pytest.raises(presence.Unreachable):
        presence.here(TABLE, [ALICE, BOB])


def test_a_cache_that_does_not_answer_is_not_asked_at_every_look(monkeypatch):
    asked = []

    def fail(*_arguments):
        asked.append(1)
        raise ConnectionError

    monkeypatch.setattr(cache, "get_many", fail)
    for _ in range(5):
        who()
    assert len(asked) == 1


def test_absence_is_judged_anew_after_the_store_was_lost_or_out_of_reach(hours, monkeypatch):
    presence.mark([])
    before = presence.since()
    assert before < hours.now - timedelta(minutes=30)
    cache.clear()
    assert presence.since() == hours.now
    presence.mark([])
    hours.pass_by(100)
    assert presence.since() == hours.now - timedelta(seconds=100)
    monkeypatch.setattr(presence, "_silent_at", hours.now - timedelta(seconds=5))
    assert presence.since() == hours.now - timedelta(seconds=5)
