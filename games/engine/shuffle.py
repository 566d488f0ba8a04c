"""The shuffle: uniform over all orders, from whatever source of random bytes is passed in.

Fisher–Yates from the last card down on big-endian 32-bit draws; a draw that would favour some
cards is thrown away (``live-play``, fair deal). The same source always gives the same deck.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.cards import DECK, Card

RandomBytes = Callable[[int], bytes]
"""Given a number, that many random bytes."""


def shuffled(random_bytes: RandomBytes) -> tuple[Card, ...]:
    """Return the 52 cards in an order drawn from the source."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, random_bytes)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def first_dealer(random_bytes: RandomBytes, seats: int = 2) -> int:
    """Return the seat that deals first, drawn from the source (rules, section 2)."""
    return _below(seats, random_bytes)


def _below(count: int, random_bytes: RandomBytes) -> int:
    """Return a number from 0 up to ``count``, each as likely."""
    fair = 2**32 // count * count
    while (draw := int.from_bytes(random_bytes(4), "big")) >= fair:
        pass
    return draw % count
