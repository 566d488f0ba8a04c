"""A seat's views, put together, tell all that a player with a memory knows, and no more."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.bots.memory import remember
from games.engine.cards import CARDS, gather
from games.engine.position import apply, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.view import view_for
from tests.games.engine.hands import random_deck


@pytest.mark.parametrize("history", ["top_only", "open"])
def test_it_remembers_what_was_taken_thrown_and_left_since_the_deal(history):
    for seed in range(6):
        remembered_through_a_hand(PlayRules(discard_history=history), Random(seed))


def remembered_through_a_hand(rules, random):
    """Kept here by the moves themselves, move by move, and compared at each decision."""
    position = deal(rules, random_deck(random), random.randrange(2))
    views, taken, thrown, left = ([], []), [set(), set()], [[], []], [set(), set()]
    turns = 0
    while (seat := position.to_act) is not None:
        views[seat].append(view_for(position, seat))
        memory, other = remember(views[seat]), 1 - seat
        assert memory.held == gather(position.held[seat])
        assert memory.pile == gather(position.pile)
        assert memory.known == gather(taken[other])
        assert memory.shown == gather(taken[seat])
        assert memory.thrown == gather(set(thrown[other]))
        assert [memory.before, memory.last] == [None, None, *thrown[other]][-2:]
        assert memory.left == gather(left[other])
        assert (memory.turns, memory.idle) == (turns, position.idle_turns)
        assert memory.unseen.bit_count() == position.stock + 10 - len(taken[other])
        move = random.choice([one for one in legal_moves(position) if not one.startswith("knock")])
        if move == "draw discard":
            taken[seat].add(position.pile[-1])
        elif move == "pass" or (move == "draw stock" and not position.stock_only):
            left[seat].add(position.pile[-1])
        elif move.startswith("discard"):
            taken[seat].discard(CARDS[move[-2:]])
            thrown[seat].append(CARDS[move[-2:]])
            turns += 1
        position = apply(position, move)


def test_with_its_last_view_alone_it_still_knows_its_own_cards():
    position = deal(PlayRules(), random_deck(Random(2)), 0)
    for move in ("pass", "pass", "draw stock"):
        position = apply(position, move)
    memory = remember([view_for(position, 1)])
    assert memory.held == gather(position.held[1])
    assert memory.phase == "discard"
