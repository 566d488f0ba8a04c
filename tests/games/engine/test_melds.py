"""Least deadwood and best discards, against vectors and against the referee."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from games.engine.cards import BITS, NAMES, card, gather, parse, points, spread, texts
from games.engine.melds import best_discard, best_discards, least_after_discard, least_deadwood
from tests.games.engine import referee
from tests.games.engine.hands import hands_of, names, vectors


def test_the_vectors_agree():
    counted = Counter()
    for row in vectors("deadwood"):
        cards = parse(row["hand"])
        counted[row["n"]] += 1
        if row["n"] == 10:
            assert least_deadwood(cards) == row["deadwood"], row
        else:
            assert least_after_discard(cards) == row["deadwood"], row
            least, best = best_discards(cards)
            assert least == row["deadwood"], row
            assert set(texts(spread(best))) == set(row["best_discards"]), row
    assert counted == {10: 1000, 11: 1000}


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        # the four stands in the run, not in the set (greedy: 21)
        ("4s 4h 4d 4c 5c 6c 9h 9d 9s Kd", 10),
        ("4s 4h 4d 4c 5s 6s 9h 9d 9s Kd", 10),
        ("4s 4h 4d 4c 5c 7c 9h 9d 9s Kd", 22),
        # the ace is low only, and nothing goes round the corner
        ("As Qs Ks 2h 3h 4h 7c 7d 7h 9d", 30),
        ("As 2s 3s 2h 3h 4h 7c 7d 7h 9d", 9),
        ("Ks As 2s 5h 6h 7h 9c 9d 9h 4d", 17),
        ("Js Qs Ks 2h 3h 4h 7c 7d 7h As", 1),
        # neighbouring bits of two suits are no run: Q K of clubs, ace of diamonds
        ("Qc Kc Ad 2h 3h 4h 7c 7d 7h 9s", 30),
        ("Ks Qs Ah 2h 4h 6h 8h Th Qh Kd", 71),
        # one run of seven, the middle card taken by a set
        ("3c 4c 5c 6c 7c 8c 9c 6d 6h As", 1),
        # all in one suit
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc", 0),
        # worked examples and cases
        ("4s 4h 4d 7s 8s 9s Ac As 6c 2d", 10),
        ("7c 8c 9c 6s Kh Qd Jh Td 5d Ah", 52),
        ("2s 3s 4s 3d 3h 7c 8c 9c Tc Ac", 7),
    ],
)
def test_hands_from_the_field(hand, deadwood):
    assert least_deadwood(parse(hand.split())) == deadwood


@pytest.mark.parametrize(("fourth", "kept"), [("5c", 11), ("4c", 10)])
def test_the_limit_is_about_the_ten_cards_kept(fourth, kept):
    cards = parse(f"4h 5h 6h 9s 9d 9c Ac 2d 3s {fourth} Kh".split())
    assert least_after_discard(cards) == kept
    assert texts(spread(best_discards(cards)[1])) == ["Kh"]


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("4c 4d 4h 4s 8c 8d 8h 8s Jc Qc Kc", 0),  # a card of either four
        ("4c 4d 4h 4s 8c 8d 8h Tc Jc Qc Kc", 0),
        ("4c 4d 4h 8c 8d 8h Jc Qc Kc Ac As", 1),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", 0),
        ("5c 6c 7c 8s 7d 7h 7s 8c Kc Kd Kh", 0),  # one seven in a run, the others a set
        ("Ac 3c 5c 7c 9c Jc Kc 2d 4d 6d 8d", 55),
    ],
)
def test_one_of_eleven_can_always_go(hand, left):
    assert least_after_discard(parse(names(hand))) == left


@given(hands_of(10))
@settings(max_examples=300, deadline=None)
def test_least_deadwood_is_the_referees(hand):
    assert least_deadwood(gather(hand)) == referee.least_deadwood(frozenset(texts(hand)))


@given(hands_of(11))
@settings(max_examples=60, deadline=None)
def test_best_discards_are_the_referees(hand):
    names = frozenset(texts(hand))
    left = {name: referee.least_deadwood(names - {name}) for name in names}
    least, best = best_discards(gather(hand))
    assert least == least_after_discard(gather(hand)) == min(left.values())
    assert set(texts(spread(best))) == {name for name in names if left[name] == least}


@given(hands_of(11))
@settings(max_examples=400, deadline=None)
def test_the_fast_discard_is_the_slow_one(hand):
    cards = gather(hand)
    assert least_after_discard(cards) == min(least_deadwood(cards ^ BITS[one]) for one in hand)


@given(hands_of(11))
@settings(max_examples=200, deadline=None)
def test_a_locked_card_is_never_the_best_discard(hand):
    cards, locked = gather(hand), BITS[hand[0]]
    least, best = best_discards(cards, locked)
    assert not best & locked
    assert least == min(least_deadwood(cards ^ BITS[one]) for one in hand[1:])
    assert BITS[best_discard(cards, locked)] & best


def test_of_equal_discards_the_higher_goes_then_the_suits_in_order():
    ties = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc 3d"
    assert NAMES[best_discard(parse(ties.split()))] == "3d"
    # either end of the run may go, and the ten counts more than the ace
    assert NAMES[best_discard(parse(names("Ac 2c 3c 4c 5d 6d 7d 8d Jc Jh Js")))] == "8d"
    equal = parse(names("3c 4c 5c 3d 4d 5d 7h 8h 9h Ks Kd"))
    assert NAMES[best_discard(equal)] == "Kd"
    figures = parse(names("3c 4c 5c 3d 4d 5d 7h 8h 9h Ks Qd"))
    assert points(card("Ks")) == points(card("Qd"))
    assert NAMES[best_discard(figures)] == "Qd"
