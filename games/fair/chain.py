"""The chain a game's secrets hang on: each link is the hash of the next, the first is published.

Whoever knows the first link, C, can check any later one by hashing it back; nobody can go forward.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from games.engine.shuffle import Stream

LINKS: Final = 256
"""So many hands one chain is good for."""
BYTES: Final = 32


def hashed(value: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(value).digest()


def link(last: bytes, at: int) -> bytes:
    """Link ``at`` of the chain that ends with ``last``: 0 is what is published, LINKS the last."""
    if not 0 <= at <= LINKS:
        raise ValueError("a chain has no such link")
    value = last
    for _ in range(LINKS - at):
        value = hashed(value)
    return value


def hashed_back(secret: bytes, times: int) -> bytes:
    """What a link must come to that is so many places from the first one."""
    value = secret
    for _ in range(times):
        value = hashed(value)
    return value


def place_of(hand: int, first_hand: int) -> int:
    """The link hand ``hand`` uses of a chain whose first hand is this one."""
    return hand - first_hand + 1


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """All a game's decks come from, where nobody gave anything: a game written at once."""

    game: int
    last: bytes
    substitutes: tuple[bytes, ...]

    def stream(self, hand: int) -> Stream:
        """What hand ``hand`` is drawn from, the first dealer before the first one."""
        return Stream(link(self.last, hand), self.game, hand, self.substitutes)
