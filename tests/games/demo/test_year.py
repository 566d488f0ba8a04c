"""The plan of the year, and the times of its moves."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from games.demo.cast import NAMES, PLACES
from games.demo.playing import play_game
from games.demo.times import timed, until
from games.demo.year import evenings
from games.models import Pace
from games.presets import rule_set

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 4, 1, 10, tzinfo=UTC)


def planned(seed=1, people=8, games=300):
    return list(evenings(Random(seed), people, games, NOW, PARIS))


def test_it_holds_as_many_games_as_wished():
    for games in (1, 2, 3, 50, 301):
        assert sum(len(one.ends) for one in planned(games=games)) == games


def test_the_same_seed_plans_the_same_year():
    assert planned(7) == planned(7) != planned(8)


def test_it_is_told_in_order_and_spreads_over_the_months():
    times = [one.at for one in planned()]
    assert times == sorted(times)
    assert len({time.month for time in times}) == 12
    assert all(NOW - timedelta(days=445) < time < NOW for time in times)


def test_people_play_when_people_play_by_the_clock_on_their_wall():
    past = [one.at.astimezone(PARIS) for one in planned() if one.at < NOW - timedelta(days=1)]
    assert {time.hour for time in past} <= set(range(14, 22))
    assert {time.utcoffset() for time in past} == {timedelta(hours=1), timedelta(hours=2)}


def test_everyone_plays_and_the_first_most():
    played = Counter(person for one in planned() for person in one.people)
    assert set(played) == set(range(8))
    assert played.most_common(1)[0][0] == 0


def test_nobody_plays_where_they_may_not_enter():
    for one in planned():
        assert one.place is None or all(map(one.place.is_for, one.people))
        assert one.people[0] != one.people[1]


@pytest.mark.parametrize("people", [2, len(NAMES)])
def test_two_are_enough_and_all_have_room(people):
    assert {person for one in planned(people=people) for person in one.people} <= set(range(people))


def test_every_kind_of_game_is_there():
    year = planned()
    names = {one.place.name for one in year if one.place}
    assert names == {place.name for place in PLACES}
    assert any(one.place is None for one in year)
    ends = Counter(how for one in year for how in one.ends)
    assert set(ends) == {"", "resigned", "called_off", "time", "claimed"}
    assert any(one.guest for one in year)


def test_a_game_is_cut_where_it_has_come_to():
    rules = rule_set({"preset": "complete"})
    began = NOW - timedelta(minutes=4)
    whole = timed(play_game(rules, (10, 10), Random(4)), began, Pace.NONE, Random(4))
    for now in (began, NOW, whole[1].ended_at, whole[1].dealt_at, whole[-1].ended_at):
        hands = until(whole, now)
        assert hands
        for hand in hands[:-1]:
            assert hand.ended_at <= now
            assert hand.result is not None
        last = hands[-1]
        assert (last.ended_at is None) == (last.result is None)
        assert all(at <= now for _seat, _text, at in last.moves)
    just_before = until(whole, whole[1].ended_at - timedelta(milliseconds=1))[-1]
    assert len(just_before.moves) == len(whole[1].moves) - 1  # its last move would have ended it
    assert until(whole, whole[-1].ended_at) == whole
    assert until(whole, began - timedelta(seconds=1)) == []
