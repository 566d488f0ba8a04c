"""Cards: notation, points and order (rules, section 1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import (
    BITS,
    DECK,
    NAMES,
    card,
    gather,
    parse,
    points,
    rank,
    spread,
    suit,
    text,
    texts,
)


def test_every_card_has_its_own_name_and_number():
    assert len(set(NAMES)) == 52
    assert [card(text(number)) for number in DECK] == list(range(52))


def test_suits_go_c_d_h_s_and_ranks_ace_to_king():
    assert (card("Ac"), card("Kc"), card("Ad"), card("Ah"), card("Ks")) == (0, 12, 13, 26, 51)
    assert (suit(card("7h")), rank(card("7h"))) == (2, 6)


@pytest.mark.parametrize(
    ("name", "worth"), [("Ac", 1), ("2d", 2), ("9s", 9), ("Th", 10), ("Jc", 10), ("Ks", 10)]
)
def test_an_ace_counts_one_and_figures_ten(name, worth):
    assert points(card(name)) == worth


def test_the_deck_is_worth_340():
    assert sum(points(number) for number in DECK) == 340


@pytest.mark.parametrize("name", ["", "1c", "10c", "7H", "h7", "Xx", "7 h"])
def test_what_is_no_card_has_no_number(name):
    with pytest.raises(KeyError):
        card(name)


@given(st.sets(st.integers(0, 51)))
def test_bits_and_cards_are_two_ways_to_say_the_same(numbers):
    assert spread(gather(numbers)) == tuple(sorted(numbers))
    assert parse(texts(numbers)) == sum(BITS[number] for number in numbers)
