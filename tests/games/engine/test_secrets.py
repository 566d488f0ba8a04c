"""No view tells a secret, and the test that says so would notice one (architecture, Secrets)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from games.engine.cards import NAMES, gather, texts
from games.engine.melds import least_deadwood
from games.engine.position import legal_moves
from games.engine.rules import PlayRules
from games.engine.view import view_for
from tests.games.engine.hands import OPTION_SETS, random_play, rules_of_play, seeds
from tests.games.engine.secrets_kept import assert_secrets_kept, unknown_to


@given(rules_of_play, seeds)
@settings(max_examples=12, deadline=None)
def test_no_view_changes_with_what_it_may_not_know(rules, seed):
    random = Random(seed)
    for position in random_play(rules, random, eager=0.2):
        assert_secrets_kept(view_for, position, random)


def test_no_option_opens_a_secret():
    for number, rules in enumerate(OPTION_SETS):
        random = Random(number)
        for position in random_play(rules, random, eager=1):
            if position.ply % 4 == number % 4 or position.phase == "over":
                assert_secrets_kept(view_for, position, random)


def other_of(position, seat):
    return 1 if seat is None else 1 - seat


def next_of_the_stock(position, seat):
    return {"next": NAMES[position.deck[position.stock_from]]}


def order_of_the_stock(position, seat):
    return {"order": position.deck[-1] > position.deck[-2]}


def set_of_the_stock(position, seat):
    return {"left": sorted(position.deck[position.stock_from :])}


def other_hand(position, seat):
    return {"held": texts(position.held[other_of(position, seat)])}


def other_deadwood(position, seat):
    return {"deadwood": least_deadwood(gather(position.held[other_of(position, seat)]))}


def what_was_drawn(position, seat):
    return {"log": position.log[-2:]}


def moves_of_the_other(position, seat):
    return {"legal": legal_moves(position)}


LEAKS = [
    next_of_the_stock,
    order_of_the_stock,
    set_of_the_stock,
    other_hand,
    other_deadwood,
    what_was_drawn,
    moves_of_the_other,
]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_noticed(leak):
    def leaking(position, seat):
        return view_for(position, seat) | {"planted": leak(position, seat)}

    def watch():
        random = Random(1)
        for position in random_play(PlayRules(), random, eager=0):
            assert_secrets_kept(leaking, position, random)

    with pytest.raises(AssertionError):
        watch()


def test_the_unknown_cards_are_those_a_player_could_not_name():
    """The test moves what is secret, and nothing else: else it would prove nothing."""
    random = Random(7)
    for position in random_play(PlayRules(), random, eager=0.3):
        if position.phase == "over":
            continue
        for seat in (0, 1):
            hidden = unknown_to(position, seat)
            assert not hidden & set(position.held[seat])
            assert not hidden & set(position.pile)
            assert len(hidden) >= position.stock
        # a spectator knows neither hand
        assert unknown_to(position, None) >= unknown_to(position, 0)
