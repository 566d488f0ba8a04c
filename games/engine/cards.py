"""The cards: one small integer each, and one bit each in a hand (rules, section 1).

A card is ``suit * 13 + rank``, suits c d h s and ranks A to K counted from 0. A number of cards
is one integer with a bit for each of them, four blocks of thirteen bits, one block a suit. In
ascending order a run stands in rank order and a set in suit order, so both read rightly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Card = int
Cards = int

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
DECK: Final[tuple[Card, ...]] = tuple(range(52))
NAMES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
POINTS: Final[tuple[int, ...]] = tuple(min(rank, 10) for rank in range(1, 14)) * 4
BITS: Final[tuple[Cards, ...]] = tuple(1 << number for number in DECK)
CARDS: Final[dict[str, Card]] = {name: number for number, name in enumerate(NAMES)}
_NUMBERS: Final[dict[Cards, Card]] = {bit: number for number, bit in enumerate(BITS)}


def card(name: str) -> Card:
    """Return the card written ``7h``; ``KeyError`` if it is none."""
    return CARDS[name]


def text(number: Card) -> str:
    """Write a card: rank, then suit."""
    return NAMES[number]


def suit(number: Card) -> int:
    """Return the suit of a card, c d h s as 0 to 3."""
    return number // 13


def rank(number: Card) -> int:
    """Return the rank of a card, ace to king as 0 to 12."""
    return number % 13


def points(number: Card) -> int:
    """Return what a card counts as deadwood: ace 1, figures 10."""
    return POINTS[number]


def gather(numbers: Iterable[Card]) -> Cards:
    """Return some cards as one set of bits."""
    cards = 0
    for number in numbers:
        cards |= BITS[number]
    return cards


def parse(names: Iterable[str]) -> Cards:
    """Return the cards of these names as one set of bits."""
    return gather(CARDS[name] for name in names)


def spread(cards: Cards) -> tuple[Card, ...]:
    """Return the cards of a set of bits in order: suits c d h s, ace to king in each."""
    numbers = []
    while cards:
        low = cards & -cards
        numbers.append(_NUMBERS[low])
        cards ^= low
    return tuple(numbers)


def texts(numbers: Iterable[Card]) -> list[str]:
    """Write some cards one by one."""
    return [NAMES[number] for number in numbers]
