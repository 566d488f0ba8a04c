"""What the paper beside the table says: what a hand may be worth, and how the game stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """The points of a hand under the room's rules, and the hand points so far of both seats."""

    gin: int = 25
    big_gin: int | None = None
    undercut: int = 25
    spades_double: bool = False
    first_knock: bool = False
    target: int = 100
    mine: int = 0
    other: int = 0
