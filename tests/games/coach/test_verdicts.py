"""What may be said of a decision: only what its margins allow."""

from __future__ import annotations

import pytest

from games.coach.verdicts import counted, judged, moments
from games.engine.bots import Weighed

KING, QUEEN, JACK = "discard Kc", "discard Qd", "discard Js"


def choice(ply, made, *moves):
    one = judged(ply, made, [Weighed(*move) for move in moves])
    assert one is not None
    return one


@pytest.mark.parametrize(
    ("best", "made", "verdict"),
    [
        ((4.0, 0.5), (4.0, 0.5), "right"),  # another is as high
        ((4.0, 1.0), (2.0, 1.0), "even"),  # the intervals touch
        ((40.0, 30.0), (2.0, 30.0), "even"),  # however far apart they seem
        ((4.0, 0.1), (2.1, 0.1), "even"),  # apart, by less than playing out errs
        ((4.0, 1.0), (1.9, 1.0), "doubtful"),
        ((4.0, 1.0), (-1.0, 1.0), "costly"),
    ],
)
def test_a_move_is_worse_only_where_the_margins_do_not_meet(best, made, verdict):
    assert choice(3, QUEEN, (KING, *best), (QUEEN, *made)).verdict == verdict


def test_what_is_costly_is_the_callers_to_say():
    moves = [Weighed(KING, 0.6, 0.02), Weighed(QUEEN, 0.2, 0.02)]
    assert judged(1, QUEEN, moves).verdict == "even"  # for all that playing out can tell
    assert judged(1, QUEEN, moves, costly=0.3).verdict == "costly"


def test_the_best_move_is_right():
    assert choice(3, KING, (KING, 4.0, 1.0), (QUEEN, 3.9, 1.0)).verdict == "right"


def test_there_is_nothing_to_say_where_there_was_no_choice():
    assert judged(3, KING, [Weighed(KING, 4.0, 1.0)]) is None


def test_nothing_is_said_of_a_move_that_was_not_weighed():
    assert judged(3, JACK, [Weighed(KING, 4.0, 1.0), Weighed(QUEEN, 3.0, 1.0)]) is None


def test_the_moments_that_mattered_are_the_dearest_three_in_their_order():
    hand = [
        choice(ply, QUEEN, (KING, 10.0, 0.1), (QUEEN, 10.0 - loss, 0.1))
        for ply, loss in ((1, 3), (3, 9), (5, 0.1), (7, 6), (9, 4))
    ]
    assert [one.ply for one in moments(hand)] == [3, 7, 9]


def test_where_little_was_lost_good_choices_mattered():
    good = choice(1, KING, (KING, 9.0, 1.0), (QUEEN, 2.0, 1.0))
    narrow = choice(3, KING, (KING, 9.0, 1.0), (QUEEN, 8.0, 1.0))
    worst = choice(5, QUEEN, (KING, 9.0, 1.0), (QUEEN, 5.0, 1.0))
    assert [one.ply for one in moments([good, narrow, worst])] == [1, 5]
    assert moments([narrow]) == []


def test_decisions_are_counted_by_what_is_said_of_them():
    hand = [
        choice(1, KING, (KING, 9.0, 1.0), (QUEEN, 2.0, 1.0)),
        choice(3, QUEEN, (KING, 9.0, 1.0), (QUEEN, 2.0, 1.0)),
    ]
    assert counted(hand) == {"right": 1, "even": 0, "doubtful": 0, "costly": 1}
