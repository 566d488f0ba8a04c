"""The figures of each pace, and what a turn leaves of a reserve."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games import clocks

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pace", "turn", "reserve"),
    [("day", 24 * 3600, 0), ("relaxed", 180, 600), ("60", 60, 240), ("30", 30, 120)],
)
def test_each_pace_has_its_turn_and_its_reserve(pace, turn, reserve):
    figures = clocks.PACES[pace]
    assert (figures.turn.total_seconds(), figures.reserve.total_seconds()) == (turn, reserve)
    due = clocks.deadline(pace, NOON, clocks.in_whole_ms(figures.reserve))
    assert due == NOON + timedelta(seconds=turn + reserve)


def test_no_clock_runs_where_none_was_chosen():
    assert not clocks.runs("none")
    assert not clocks.runs(None)


@pytest.mark.parametrize(
    ("taken", "left"), [(0, 120), (29, 120), (30, 120), (31, 119), (75.5, 74.5), (150, 0), (9e4, 0)]
)
def test_only_what_a_turn_takes_beyond_its_time_is_eaten_from_the_reserve(taken, left):
    now = NOON + timedelta(seconds=taken)
    assert clocks.reserve_left("30", 120_000, NOON, now) == left * 1000


def test_a_clock_set_back_eats_nothing():
    assert clocks.reserve_left("30", 120_000, NOON, NOON - timedelta(hours=1)) == 120_000


@pytest.mark.parametrize(
    ("turn_began", "moves_by"), [(-100, 60), (-60, 60), (-20, 20), (0, 0), (5, 0)]
)
def test_a_turn_moves_by_no_more_of_a_gap_than_it_lived_through(turn_began, moves_by):
    stood_from = NOON - timedelta(seconds=60)
    began = NOON + timedelta(seconds=turn_began)
    assert clocks.moved(began, stood_from, NOON) == timedelta(seconds=moves_by)


@pytest.mark.parametrize(
    ("pace", "timeouts", "present", "aside"),
    [
        ("60", (1, 0), (True, False), False),
        ("60", (3, 2), (True, False), False),
        ("60", (3, 3), (True, True), True),
        ("60", (1, 0), (False, False), True),
        ("day", (1, 0), (False, False), False),
        ("day", (3, 4), (False, False), True),
    ],
)
def test_a_game_is_put_aside_when_nobody_is_there_or_all_have_three(
    pace, timeouts, present, aside
):
    assert clocks.is_put_aside(pace, timeouts, present) is aside


def test_the_showdown_is_left_within_twenty_seconds_and_at_one_move_a_day_within_a_day():
    assert clocks.next_deal_after(None) == clocks.next_deal_after("60") == timedelta(seconds=20)
    assert clocks.next_deal_after("day") == timedelta(days=1)
