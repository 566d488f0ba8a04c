"""The Habitué sees one seat's view and makes a move of it that the rules allow."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from games.engine.bots import habitue
from games.engine.position import apply, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.view import view_for
from tests.games.engine.hands import deck_of, played, random_deck, rules_of_play, seeds

ALICE = "3c 4c 5c 8h 8d Jc Jd Qs 6d Kh"
BOB = "Ad 2s 4h 6s 7s 9d Td Qc Kc Ks"
GIN_BUT_ONE = "3c 4c 5c 8h 8d 8s Jc Jd Jh 2d"


def first(count: int) -> int:
    return 0


def move_of(position, **more):
    return habitue(view_for(position, position.to_act), first, **more)


def test_it_takes_an_upcard_that_makes_a_meld():
    assert move_of(played(PlayRules(), deck_of(ALICE, BOB, upcard="8s"), "")) == "draw discard"


def test_it_takes_a_card_that_makes_a_meld_longer():
    assert move_of(played(PlayRules(), deck_of(ALICE, BOB, upcard="6c"), "")) == "draw discard"


def test_it_leaves_a_low_card_that_goes_into_no_meld():
    deck = deck_of(ALICE, BOB, upcard="Ah", stock="2d")
    assert move_of(played(PlayRules(), deck, "")) == "pass"
    later = played(PlayRules(), deck, "pass, draw discard, discard Ks")
    assert move_of(later) == "draw stock"


def test_it_throws_the_highest_card_that_could_meet_no_other():
    """The jacks are a pair and the queen stands beside none; the king is as high: chance says."""
    position = played(PlayRules(), deck_of(ALICE, BOB, upcard="8s"), "draw discard")
    among = {habitue(view_for(position, 0), lambda count, n=n: min(n, count - 1)) for n in (0, 1)}
    assert among == {"discard Qs", "discard Kh"}


def test_it_breaks_a_pair_when_nothing_else_is_left():
    hand = "3c 4c 5c 8h 8d 8s Jc Jd 6h 6d"
    position = played(PlayRules(knock_limit=0), deck_of(hand, BOB, upcard="3h"), "draw discard")
    assert move_of(position) in ("discard Jc", "discard Jd")


def test_it_never_throws_the_card_just_taken():
    position = played(PlayRules(knock_limit=0), deck_of(GIN_BUT_ONE, BOB, upcard="Qh"),
                      "draw discard")  # fmt: skip
    assert move_of(position) == "discard 2d"


def test_it_knocks_as_soon_as_it_may_and_with_the_least():
    deck = deck_of("3c 4c 5c 8h 8d Jc Jd Jh 5d Kh", BOB, upcard="8s")
    assert move_of(played(PlayRules(), deck, "draw discard")) == "knock Kh"


def test_patience_waits_for_less_deadwood():
    deck = deck_of("3c 4c 5c 8h 8d Jc Jd Jh 5d Kh", BOB, upcard="8s")
    position = played(PlayRules(), deck, "draw discard")
    assert move_of(position, knock_at=4) == "discard Kh"
    assert move_of(position, knock_at=5) == "knock Kh"


def test_big_gin_is_declared():
    hand = "3c 4c 5c 8h 8d 8s Jc Jd Jh 6c"
    position = played(PlayRules(big_gin=True), deck_of(hand, BOB, upcard="7c"), "pass, pass")
    position = played(PlayRules(big_gin=True), deck_of(hand, BOB, upcard="Kd", stock="7c"),
                      "pass, pass, draw stock")  # fmt: skip
    assert move_of(position) == "big gin"


def test_with_eleven_cards_in_melds_it_still_finds_one_to_throw():
    hand = "3c 4c 5c 8h 8d 8s Jc Jd Jh 6c"
    position = played(PlayRules(), deck_of(hand, BOB, upcard="Kd", stock="7c"),
                      "pass, pass, draw stock")  # fmt: skip
    assert move_of(position).startswith("knock ")


@settings(max_examples=60, deadline=None)
@given(rules_of_play, seeds)
def test_whatever_the_rules_its_hands_come_to_an_end(rules: PlayRules, seed: int):
    random = Random(seed)
    position = deal(rules, random_deck(random), random.randrange(2))
    while position.phase != "over":
        seat = position.to_act
        move = habitue(view_for(position, seat), random.randrange, random.choice((0, 4, 10)))
        assert move in legal_moves(position)
        position = apply(position, move)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_same_view_and_chance_make_the_same_move(seat):
    deck = random_deck(Random(3))
    position = deal(PlayRules(), deck, 1 - seat)
    moves = {habitue(view_for(position, seat), Random(1).randrange) for _ in range(5)}
    assert len(moves) == 1
