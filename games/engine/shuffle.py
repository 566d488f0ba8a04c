"""The shuffle: uniform over all orders, from whatever source of random bytes is passed in.

Fisher–Yates from the last card down on big-endian 32-bit draws; a draw that would favour some
cards is thrown away. The same source always gives the same deck. ``Stream`` is the source of a
fair deal: anybody who holds the secret of a hand and what both players gave draws the same again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Final

from games.engine.cards import DECK, Card

RandomBytes = Callable[[int], bytes]
"""Given a number, that many random bytes."""

DEAL: Final = b"ginrami-deal-1"


class Stream:
    """HMAC-SHA256 over a counter, keyed by the secret of one hand of one game.

    Whoever reads it draws in a fixed order: in a game's first hand the first draw is the first
    dealer's, and the cards follow; in every other hand the cards begin at once.
    """

    def __init__(self, secret: bytes, game: int, hand: int, given: Sequence[bytes]) -> None:
        named = DEAL + game.to_bytes(8, "big") + hand.to_bytes(4, "big")
        self._key, self._message = secret, named + b"".join(given)
        self._block, self._left = 0, b""

    def __call__(self, count: int) -> bytes:
        while len(self._left) < count:
            message = self._message + self._block.to_bytes(4, "big")
            self._left += hmac.digest(self._key, message, hashlib.sha256)
            self._block += 1
        drawn, self._left = self._left[:count], self._left[count:]
        return drawn

    def __repr__(self) -> str:
        return "<Stream>"


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
