"""The move the table makes when a player's time is up."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from games.engine.position import IllegalMove, apply, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.timeout import house_move
from tests.games.engine.hands import deck_of, played, random_deck, rules_of_play, seeds

ALICE = "3c 4c 5c 8h 8d 8s Jc Jd Jh 6d"
BOB = "Ad 2s 4h 6s 7s 9d Td Qc Kc Kh"


def test_a_card_taken_from_the_pile_stays_and_the_best_other_goes():
    position = played(PlayRules(), deck_of(ALICE, BOB, upcard="9h"), "draw discard")
    assert house_move(position) == "discard 6d"


def test_a_card_drawn_from_the_stock_goes_again():
    deck = deck_of(ALICE, BOB, upcard="2h", stock="9h")
    assert house_move(played(PlayRules(), deck, "pass, pass, draw stock")) == "discard 9h"


def test_a_card_drawn_from_the_stock_stays_where_the_room_says_so():
    deck = deck_of(ALICE, BOB, upcard="2h", stock="9h")
    position = played(PlayRules(keep_drawn_card="any"), deck, "pass, pass, draw stock")
    assert house_move(position) == "discard 6d"


def test_the_upcard_is_passed_and_the_stock_drawn_from():
    deck = deck_of(ALICE, BOB, upcard="9h")
    assert house_move(played(PlayRules(), deck, "")) == "pass"
    assert house_move(played(PlayRules(), deck, "pass, pass")) == "draw stock"
    assert house_move(played(PlayRules(), deck, "draw discard, discard 6d")) == "draw stock"


@given(rules_of_play, seeds)
@settings(max_examples=25, deadline=None)
def test_the_house_alone_plays_every_hand_to_a_void_end(rules, seed):
    position = deal(rules, random_deck(Random(seed)), dealer=0)
    while position.phase != "over":
        move = house_move(position)
        assert move in legal_moves(position)
        assert not move.startswith(("knock", "big"))
        position = apply(position, move)
    assert position.outcome.end == "void"
    with pytest.raises(IllegalMove):
        house_move(position)
