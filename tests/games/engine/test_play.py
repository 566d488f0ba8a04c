"""Hands played at random under every set of options: what must hold at every ply."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import DECK
from games.engine.moves import BARE
from games.engine.position import IllegalMove, apply, deal, legal_moves, replay
from games.engine.view import view_for
from tests.games.engine.hands import OPTION_SETS, random_play, rules_of_play, seeds


@given(rules_of_play, seeds)
@settings(max_examples=15, deadline=None)
def test_every_offered_move_is_taken_and_every_other_refused(rules, seed):
    for position in random_play(rules, Random(seed)):
        offered = legal_moves(position)
        assert len(offered) == len(set(offered))
        for move in BARE:
            if move in offered:
                assert apply(position, move).ply == position.ply + 1
            else:
                with pytest.raises(IllegalMove):
                    apply(position, move)


@given(rules_of_play, seeds)
@settings(max_examples=20, deadline=None)
def test_every_arrangement_offered_may_be_chosen_and_the_first_is_the_default(rules, seed):
    for position in random_play(rules, Random(seed), eager=0.1):
        if position.to_act is None:
            continue
        for knock in view_for(position, position.to_act)["knocks"]:
            move = f"knock {knock['card']}"
            for place, arrangement in enumerate(knock["arrangements"]):
                chosen = apply(position, f"{move} {' '.join(arrangement['melds'])}").outcome
                assert chosen.knocker_deadwood == knock["deadwood"]
                if place == 0:
                    assert chosen == apply(position, move).outcome


@given(rules_of_play, seeds, st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_cards_are_neither_lost_nor_doubled_and_the_hand_ends(rules, seed, eager):
    first = position = None
    for position in random_play(rules, Random(seed), eager):
        first = first or position
        thrown = [] if position.outcome is None else [position.outcome.thrown]
        cards = Counter(
            [
                *(card for held in position.held for card in held),
                *position.pile,
                *position.deck[position.stock_from :],
                *(card for card in thrown if card is not None),
            ]
        )
        assert cards == Counter(DECK)
        assert position.stock >= 2
    assert position is not None
    assert position.phase == "over"
    moves = [entry.move for entry in position.log]
    assert replay(rules, position.deck, position.dealer, moves) == position
    assert replay(rules, first.deck, first.dealer, moves[:-1]).log == position.log[:-1]


@pytest.mark.parametrize("seats", [3, 4])
def test_more_players_reach_an_end_too(seats):
    random = Random(seats)
    for _ in range(10):
        deck = list(DECK)
        random.shuffle(deck)
        position = deal(OPTION_SETS[0], deck, random.randrange(seats), seats)
        while position.phase != "over":
            move = random.choice(legal_moves(position))
            for seat in (*range(seats), None):
                assert len(view_for(position, seat)["others"]) == seats - (seat is not None)
            position = apply(position, move)
        assert len(position.outcome.layout) == seats


@given(rules_of_play, seeds)
@settings(max_examples=30, deadline=None)
def test_the_winner_follows_from_the_deadwoods(rules, seed):
    *_, position = random_play(rules, Random(seed), eager=1)
    outcome = position.outcome
    if outcome.end == "void":
        assert outcome.winner is None
        return
    undercut = outcome.end == "undercut"
    assert (outcome.winner == outcome.knocker) is not undercut
    assert outcome.knocker_deadwood <= position.limit
    if rules.format == "points" and outcome.knocker_deadwood:
        assert undercut is (outcome.defender_deadwood <= outcome.knocker_deadwood)
    other = outcome.layout[1 - outcome.knocker]
    assert other.deadwood == outcome.defender_deadwood <= other.before
    if outcome.knocker_deadwood == 0 or not rules.layoffs or rules.format == "first_knock":
        assert other.laid_off == ()
