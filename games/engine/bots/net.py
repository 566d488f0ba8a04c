"""The Expert's learned judgement: how a hand will end, from what one seat knows of it.

A small network whose inputs are mostly single cards (which I hold, which lie under the pile, which
the other took, threw or left), so that a look at one more discard costs a few rows. Out come the
chances of 23 ends: I knock, I go gin or I undercut for so much, the same for the other, void. They
are chances and not points, so that any sheet can be reckoned from them, and any score. Its figures
stand in ``expert.json``; ``script/train_bots.py`` makes such files by self-play.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, Final

from games.engine.bots.hands import arranged
from games.engine.bots.memory import Memory
from games.engine.bots.odds import outlook
from games.engine.cards import Cards, spread

HIDDEN: Final = 40
ENDS: Final = 23
HELD, UNDER, KNOWN, THROWN, LEFT, TOP = range(0, 312, 52)
DEADWOOD: Final = 312
ROUND: Final = DEADWOOD + 24
TAKEN: Final = ROUND + 14
PHASE: Final = TAKEN + 4
LIMIT: Final = PHASE + 4
INPUTS: Final = LIMIT + 11
FIGURES: Final = 7
THREW, BEFORE_STOCK, PASSED, KNOCKING = range(4)
"""Where a hand stands: a card thrown, the pile left for the stock, the upcard passed, a knock."""
PLAY, SHOW = 0, 1
"""Which question is asked: how the hand goes on, or what comes of a knock at once."""
SCALE: Final = 1000
FILE: Final = Path(__file__).with_name("expert.json")

Row = tuple[float, ...]


class Net:
    """The figures of the network, row by row."""

    def __init__(self, figures: dict[str, Any]) -> None:
        def rows(name: str) -> list[Row]:
            return [tuple(number / SCALE for number in row) for row in figures[name]]

        self.inputs, self.figures = rows("inputs"), rows("figures")
        self.start = rows("start")[0]
        self.ends = [rows("play"), rows("show")]
        self.ends_start = rows("ends_start")
        self.bases = tuple(figures["bases"])
        self.often = tuple(figures["often"])
        if (len(self.inputs), len(self.figures)) != (INPUTS, FIGURES):
            raise ValueError("these are not the Expert's figures")

    def ground(self, active: Sequence[int]) -> Row:
        """Add up what several questions have in common."""
        return tuple(map(sum, zip(self.start, *(self.inputs[one] for one in active), strict=True)))

    def place(self, ground: Row, active: Sequence[int], figures: Sequence[float]) -> Row:
        """Add to the ground what belongs to one place."""
        rows = self.inputs
        place: list[float] = list(
            map(sum, zip(ground, *(rows[one] for one in active), strict=True))
        )
        for figure, row in zip(figures, self.figures, strict=True):
            if figure:
                place = [value + figure * more for value, more in zip(place, row, strict=True)]
        return tuple(place)

    def chances(
        self, ground: Row, active: Sequence[int], figures: Sequence[float], question: int
    ) -> list[float]:
        """Return the chances of all ends."""
        return self.chances_at(self.place(ground, active, figures), question)

    def chances_at(self, place: Row, question: int) -> list[float]:
        """Return the chances of all ends at a place."""
        hidden = [value if value > 0 else 0.0 for value in place]
        start = self.ends_start[question]
        raw = [
            first + sum(map(mul, hidden, row))
            for first, row in zip(start, self.ends[question], strict=True)
        ]
        most = max(raw)
        grown = [exp(value - most) for value in raw]
        every = sum(grown)
        return [value / every for value in grown]

    def worth(
        self,
        ground: Row,
        asked: tuple[Sequence[int], Sequence[float]],
        question: int,
        values: Sequence[float],
    ) -> float:
        """Return what the ends are worth on average, each at its value."""
        return float(sum(map(mul, self.chances(ground, *asked, question), values)))

    def worth_with(self, place: Row, more: Sequence[int], values: Sequence[float]) -> float:
        """Return what playing on from a place is worth once these inputs are added to it."""
        rows = self.inputs
        with_more = tuple(map(sum, zip(place, *(rows[one] for one in more), strict=True)))
        return float(sum(map(mul, self.chances_at(with_more, PLAY), values)))


def common(memory: Memory, under: Cards) -> list[int]:
    """Return the inputs that all hands share which may come of one decision."""
    taken = min(3, memory.known.bit_count())
    return [
        *(UNDER + card for card in spread(under)),
        *(KNOWN + card for card in spread(memory.known)),
        *(THROWN + card for card in spread(memory.thrown)),
        *(LEFT + card for card in spread(memory.left)),
        ROUND + min(13, memory.round), TAKEN + taken, LIMIT + memory.limit,
    ]  # fmt: skip


def of_hand(
    memory: Memory, hand: Cards, unseen: Cards, top: int | None, phase: int, danger: float
) -> tuple[list[int], list[float]]:
    """Return the inputs and figures of ten cards held, with this card on the pile."""
    deadwood, loose, _ = arranged(hand)
    ahead = outlook(hand, deadwood, loose, unseen, memory.limit)
    active = [HELD + card for card in spread(hand)]
    if top is not None:
        active.append(TOP + top)
    active += [DEADWOOD + _deadwood_step(deadwood), PHASE + phase]
    figures = [
        ahead.gain / 5, ahead.knock, ahead.gin * 5, ahead.outs * 3, danger * 2, deadwood / 30,
        memory.turns / 20,
    ]  # fmt: skip
    return active, figures


def _deadwood_step(deadwood: int) -> int:
    if deadwood <= 12:
        return deadwood
    if deadwood <= 30:
        return 13 + (deadwood - 13) // 3
    if deadwood <= 50:
        return 19 + (deadwood - 31) // 7
    return 22 if deadwood <= 65 else 23


@lru_cache(maxsize=1)
def shipped() -> Net:
    """Return the network as shipped."""
    return Net(json.loads(FILE.read_text(encoding="utf-8")))
