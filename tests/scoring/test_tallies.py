"""What a game comes to for each player: figures that add up whatever was played."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import (
    PRESETS,
    Ended,
    HandResult,
    bonus_lines,
    hand_line,
    reached,
    standing,
    tallies,
)
from tests.scoring.games_drawn import games


def tally_of(preset, hands, ended=None):
    rules = PRESETS[preset]
    lines = [line for n, hand in enumerate(hands, 1) if (line := hand_line(rules, n, hand))]
    ended = ended or Ended("target", reached(rules, lines))
    lines += bonus_lines(rules, lines, ended)
    return tallies(rules, hands, lines, ended)


def test_every_kind_of_hand_is_counted_for_the_one_who_made_it():
    alice, bob = tally_of(
        "complete",
        [
            HandResult(0, "knock", 4, 21),
            HandResult(1, "undercut", 8, 5),
            HandResult(None, "void"),
            HandResult(0, "gin", 0, 13),
            HandResult(0, "big_gin", 0, 40),
        ],
    )
    assert (alice.hands, alice.hands_won, bob.hands_won) == (4, 3, 1)
    assert (alice.gins, alice.big_gins, bob.gins) == (2, 1, 0)
    assert (alice.undercuts, alice.undercut_by, bob.undercuts, bob.undercut_by) == (0, 1, 1, 0)
    assert (alice.knocks, alice.knock_deadwood) == (2, 12)  # the knock that was undercut too
    assert (bob.knocks, bob.knock_deadwood) == (0, 0)
    assert (bob.caught, bob.caught_deadwood) == (3, 74)
    assert (alice.caught, alice.caught_deadwood) == (0, 0)
    assert (alice.hand_points, alice.best_hand) == (126, 71)
    assert (alice.result, bob.result) == ("won", "lost")
    assert (alice.points, alice.opponent_points) == (bob.opponent_points, bob.points)


def test_the_winner_is_the_one_the_sheet_names_not_who_reached_the_target():
    """60 + 45 against seven hands that make 99: the bonuses turn the game."""
    seven = [HandResult(1, "knock", 1, 1 + points) for points in (9, 11, 12, 14, 16, 18, 19)]
    alice, bob = tally_of(
        "money_play", [HandResult(0, "knock", 1, 61), *seven, HandResult(0, "knock", 1, 46)]
    )
    assert (alice.points, bob.points) == (255, 274)
    assert (alice.result, bob.result) == ("lost", "won")


def test_a_shutout_is_the_winners():
    alice, bob = tally_of("complete", [HandResult(0, "gin", 0, 80)])
    assert (alice.shutout, bob.shutout) == (True, False)
    alice, bob = tally_of("points_only", [HandResult(0, "gin", 0, 80)])
    assert not alice.shutout  # these rules know none


@pytest.mark.parametrize("how", ["called_off", "voided"])
def test_a_game_undone_is_won_and_lost_by_nobody(how):
    both = tally_of("complete", [HandResult(0, "knock", 1, 50)], Ended(how))
    assert [one.result for one in both] == ["none", "none"]


def test_who_leaves_has_lost_whatever_the_totals():
    both = tally_of("complete", [HandResult(0, "knock", 1, 90)], Ended("resigned", 0))
    assert [one.result for one in both] == ["lost", "won"]


def test_the_first_to_knock_counts_as_a_knock_and_catches_nobody():
    alice, bob = tally_of("first_to_knock", [HandResult(1, "first_knock", 7, 0)])
    assert (bob.knocks, bob.knock_deadwood, bob.result) == (1, 7, "won")
    assert (alice.caught, alice.hand_points) == (0, 0)


@settings(max_examples=200, deadline=None)
@given(game=games(st.sampled_from(sorted(PRESETS))))
def test_the_two_sides_of_any_game_fit_each_other(game):
    rules, hands, lines, ended = game.scoring, game.hands, game.lines, game.ended
    stands = standing(rules, lines, ended)
    both = tallies(rules, hands, lines, ended)
    scored = [hand for hand in hands if hand.kind != "void"]
    for own, other, seat in ((both[0], both[1], 0), (both[1], both[0], 1)):
        assert own.points == stands.totals[seat] == other.opponent_points
        assert own.hand_points == stands.hand_points[seat]
        assert own.hands == len(scored) == own.hands_won + other.hands_won
        assert own.undercut_by == other.undercuts
        assert own.gins >= own.big_gins
        assert own.gins + own.undercuts + own.knocks - own.undercut_by == own.hands_won
        assert own.knock_deadwood <= 10 * own.knocks
        assert own.caught <= other.hands_won
        assert own.best_hand <= own.hand_points
        assert (own.best_hand == 0) or own.hands_won
        assert {own.result, other.result} in ({"won", "lost"}, {"none"})
        assert (own.result == "won") == (stands.winner == seat)
        assert not own.shutout or (own.result == "won" and other.hand_points == 0)


def test_a_shutout_of_the_one_who_lost_in_the_end_is_no_game_won_by_it():
    """Hands won for 0 points spoil no shutout counted in points, but each has its line bonus."""
    rules = replace(PRESETS["money_play"], undercut=0)
    hands = [*[HandResult(1, "undercut", 5, 5)] * 20, HandResult(0, "gin", 0, 80)]
    lines = [line for n, hand in enumerate(hands, 1) if (line := hand_line(rules, n, hand))]
    ended = Ended("target", 0)
    lines += bonus_lines(rules, lines, ended)
    assert [line.seat for line in lines if line.kind == "shutout"] == [0]
    alice, bob = tallies(rules, hands, lines, ended)
    assert (alice.result, alice.shutout, bob.shutout) == ("lost", False, False)
