"""Decks and hands for the tests of the engine: set up by name, or played at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.engine.cards import DECK, SUITS, Card, card
from games.engine.position import Position, apply, deal, legal_moves
from games.engine.rules import VALUES, PlayRules

VECTORS = Path(__file__).parents[2] / "vectors"

OPTION_SETS = [
    PlayRules(**dict(zip(VALUES, values, strict=True)))  # type: ignore[arg-type]
    for values in product(*VALUES.values())
    if not ("first_knock" in values and dict(zip(VALUES, values, strict=True))["big_gin"])
]


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / f"{name}.jsonl").read_text().splitlines()]


def names(text: str) -> list[str]:
    return text.split()


def deck_of(alice: str, bob: str = "", upcard: str = "", stock: str = "") -> tuple[Card, ...]:
    """A deck for dealer bob (seat 1): alice, seat 0, is the first to be dealt to and to act.

    Where nothing is said bob and the table get any cards.
    """
    named = [card(name) for name in f"{alice} {bob} {upcard} {stock}".split()]
    assert len(named) == len(set(named)), "a card is named twice"
    rest = [other for other in DECK if other not in named]
    hers = [card(name) for name in alice.split()]
    his = [card(name) for name in bob.split()] or [rest.pop(place * 2) for place in range(10)]
    turned = card(upcard) if upcard else rest.pop()
    dealt = [one for pair in zip(hers, his, strict=True) for one in pair]
    return (*dealt, turned, *(card(name) for name in stock.split()), *rest)


def played(rules: PlayRules, deck: tuple[Card, ...], moves: str, dealer: int = 1) -> Position:
    """The position after moves written ``pass, pass, draw stock``."""
    position = deal(rules, deck, dealer)
    for move in filter(None, moves.split(", ")):
        position = apply(position, move)
    return position


def random_deck(random: Random) -> tuple[Card, ...]:
    deck = list(DECK)
    random.shuffle(deck)
    return tuple(deck)


def random_play(rules: PlayRules, random: Random, eager: float = 0.3) -> Iterator[Position]:
    """Every position of a hand played at random; ``eager`` is how often a knock is not missed.

    The two hands are now and then dealt from few ranks, so that melds, gins and lay-offs happen.
    """
    deck = list(random_deck(random))
    if random.random() < 0.5:
        deck.sort(key=lambda number: (number % 13 // 6, random.random()))
    position = deal(rules, deck, random.randrange(2))
    yield position
    while position.phase != "over":
        legal = legal_moves(position)
        ends = [move for move in legal if move.startswith(("knock", "big"))]
        choice = random.choice(ends if ends and random.random() < eager else legal)
        position = apply(position, choice)
        yield position


rules_of_play = st.sampled_from(OPTION_SETS)
seeds = st.integers(0, 2**32 - 1)


def hands_of(size: int) -> st.SearchStrategy[list[Card]]:
    """Hands from the whole deck, and dense ones from five or six neighbouring ranks."""
    dense = st.builds(
        lambda low, width: [s * 13 + r for s in range(len(SUITS)) for r in range(low, low + width)],
        st.integers(0, 7),
        st.sampled_from([5, 6]),
    )
    pool = st.one_of(st.just(list(DECK)), dense, dense)
    return pool.flatmap(
        lambda cards: st.lists(st.sampled_from(cards), min_size=size, max_size=size, unique=True)
    )
