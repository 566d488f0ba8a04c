"""The shuffle: every order as likely, the same source the same deck."""

from __future__ import annotations

import hashlib
from collections import Counter

from games.engine.cards import DECK, texts
from games.engine.shuffle import first_dealer, shuffled


class Source:
    """Random bytes that are the same on every run, counted."""

    def __init__(self, seed: str) -> None:
        self.seed, self.calls = seed, 0

    def __call__(self, count: int) -> bytes:
        self.calls += 1
        return hashlib.sha256(f"{self.seed} {self.calls}".encode()).digest()[:count]


def draws(*numbers: int):
    source = iter(numbers)
    return lambda count: next(source).to_bytes(count, "big")


def test_the_same_source_gives_the_same_deck():
    deck = shuffled(Source("alice"))
    assert deck == shuffled(Source("alice"))
    assert deck != shuffled(Source("bob"))
    assert sorted(deck) == list(DECK)


def test_the_last_card_is_drawn_first_then_the_one_before():
    # each draw 0: the first card moves to the end, again and again
    assert shuffled(draws(*[0] * 51)) == (*DECK[1:], DECK[0])
    # each draw its own place: nothing moves
    assert shuffled(draws(*range(51, 0, -1))) == DECK


def test_a_draw_that_would_favour_a_card_is_thrown_away():
    # 2**32 is no multiple of 52: the numbers above its last multiple do not count
    last = 2**32 // 52 * 52
    assert shuffled(draws(last, 2**32 - 1, *range(51, 0, -1))) == DECK
    kept = shuffled(draws(last - 1, *range(50, 0, -1)))
    assert kept == DECK


def test_every_card_comes_everywhere_about_as_often():
    decks = [shuffled(Source(f"deck {number}")) for number in range(1040)]
    for place in (0, 20, 51):
        counted = Counter(deck[place] for deck in decks)
        chi = sum((counted[card] - 20) ** 2 / 20 for card in DECK)
        assert 20 < chi < 100, texts(decks[0])  # 51 degrees of freedom


def test_the_first_dealer_is_either_as_often():
    dealers = Counter(first_dealer(Source(f"game {number}")) for number in range(400))
    assert set(dealers) == {0, 1}
    assert 150 < dealers[0] < 250
    assert {first_dealer(Source(f"four {n}"), seats=4) for n in range(60)} == {0, 1, 2, 3}
