"""The Expert's learned judgement: how a hand will end, from what one seat knows of it.

A small network whose inputs are mostly single cards (which I hold, which of them are loose, which
would make a meld, which lie under the pile, which the other took, threw or left), so that a look at
one more discard costs a few rows. Out come the chances of 23 ends: I knock, I go gin or I undercut
for so much, the same for the other, void. They are chances and not points, so that any sheet can be
reckoned from them, and any score. Its figures stand in ``expert.json``, a byte each;
``script/train_bots.py`` makes such files by self-play.
"""

from __future__ import annotations

import json
from base64 import b85decode, b85encode
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, Final

from games.engine.bots.hands import arranged, meldable
from games.engine.bots.memory import Memory
from games.engine.bots.odds import outlook
from games.engine.bots.score import Score
from games.engine.cards import Card, Cards, spread

WIDE: Final = 256
NARROW: Final = 32
"""How many figures lie between: a wide row that is added up, and a narrow one reckoned from it."""
ENDS: Final = 23
HELD, LOOSE, OUTS, UNDER, KNOWN, THROWN, LEFT, TOP, LAST, BEFORE = range(0, 520, 52)
DEADWOOD: Final = 520
ROUND: Final = DEADWOOD + 24
TAKEN: Final = ROUND + 14
PHASE: Final = TAKEN + 4
LIMIT: Final = PHASE + 4
MINE: Final = LIMIT + 11
OTHERS: Final = MINE + 10
INPUTS: Final = OTHERS + 10
FIGURES: Final = 8
THREW, BEFORE_STOCK, PASSED, KNOCKING = range(4)
"""Where a hand stands: a card thrown, the pile left for the stock, the upcard passed, a knock."""
SUITS: Final = ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))
WAYS: Final = tuple(
    tuple(
        one - one % 52 + suits[one % 52 // 13] * 13 + one % 13 if one < DEADWOOD else one
        for one in range(INPUTS)
    )
    for suits in SUITS
)
"""Each hand is looked at in as many ways, its suits changed about, which changes nothing in the
game: the network errs otherwise in each, and the mean errs least."""
PLAY, SHOW = 0, 1
"""Which question is asked: how the hand goes on, or what comes of a knock at once."""
FILE: Final = Path(__file__).with_name("expert.json")
TABLES: Final = ("inputs", "figures", "start", "narrow", "narrow_start", "play", "show",
                 "ends_start")  # fmt: skip

Row = tuple[float, ...]


def packed(row: Sequence[float]) -> list[float | str]:
    """Return a row as it stands in the file: the step, and every figure as a number of steps."""
    step = max(float(f"{max(map(abs, row)) / 127:.4g}"), 1e-6)
    whole = (max(-127, min(127, round(figure / step))) for figure in row)
    return [step, b85encode(bytes(number % 256 for number in whole)).decode()]


def unpacked(row: Sequence[Any]) -> Row:
    """Return the figures of a row of the file."""
    step, text = row
    return tuple((byte - 256 if byte > 127 else byte) * step for byte in b85decode(text))


class Net:
    """The figures of the network, row by row."""

    def __init__(self, figures: dict[str, Any], ways: int = len(SUITS)) -> None:
        tables = {name: [unpacked(row) for row in figures[name]] for name in TABLES}
        self.inputs, self.figures = tables["inputs"], tables["figures"]
        self.start = tables["start"][0]
        self.narrow, self.narrow_start = tables["narrow"], tables["narrow_start"][0]
        self.ends = [tables["play"], tables["show"]]
        self.ends_start = tables["ends_start"]
        self.bases = tuple(figures["bases"])
        self.often = tuple(figures["often"])
        if (len(self.inputs), len(self.figures)) != (INPUTS, FIGURES):
            raise ValueError("these are not the Expert's figures")
        self._from_wide = list(zip(*self.narrow, strict=True))
        self._figure_columns = list(zip(*self.figures, strict=True))
        self.ways = [[self.inputs[one] for one in way] for way in WAYS[:ways]]

    def ground(self, active: Sequence[int]) -> list[Row]:
        """Add up what several questions have in common, the suits changed about in each way."""
        return [
            tuple(map(sum, zip(self.start, *(rows[one] for one in active), strict=True)))
            for rows in self.ways
        ]

    def chances(
        self, ground: Sequence[Row], active: Sequence[int], figures: Sequence[float], question: int
    ) -> list[float]:
        """Return the chances of all ends: what is said of the hand in other suits, on average."""
        fixed = self._of_figures(figures)
        found = [
            self._chances(list(map(sum, zip(base, fixed, *(rows[one] for one in active),
                                            strict=True))), question)
            for base, rows in zip(ground, self.ways, strict=True)
        ]  # fmt: skip
        return [sum(column) / len(found) for column in zip(*found, strict=True)]

    def _of_figures(self, figures: Sequence[float]) -> Row:
        return tuple(float(sum(map(mul, figures, column))) for column in self._figure_columns)

    def _chances(self, place: Sequence[float], question: int) -> list[float]:
        awake = [(value, row) for value, row in zip(place, self._from_wide, strict=True)
                 if value > 0]  # fmt: skip
        wide = [value for value, _ in awake]
        rows = list(zip(*(row for _, row in awake), strict=True)) or [()] * NARROW
        narrow = [value if value > 0 else 0.0 for value in _through(self.narrow_start, rows, wide)]
        raw = _through(self.ends_start[question], self.ends[question], narrow)
        most = max(raw)
        grown = [exp(value - most) for value in raw]
        every = sum(grown)
        return [value / every for value in grown]

    def worth(
        self,
        ground: Sequence[Row],
        asked: tuple[Sequence[int], Sequence[float]],
        question: int,
        values: Sequence[float],
    ) -> float:
        """Return what the ends are worth on average, each at its value."""
        return float(sum(map(mul, self.chances(ground, *asked, question), values)))


def _through(start: Row, rows: Sequence[Row], values: Sequence[float]) -> list[float]:
    return [
        first + float(sum(map(mul, values, row))) for first, row in zip(start, rows, strict=True)
    ]


def common(memory: Memory, under: Cards, score: Score) -> list[int]:
    """Return the inputs that all hands share which may come of one decision."""
    taken = min(3, memory.known.bit_count())
    seen = [
        base + card
        for base, card in ((LAST, memory.last), (BEFORE, memory.before))
        if card is not None
    ]
    return [
        *(UNDER + card for card in spread(under)),
        *(KNOWN + card for card in spread(memory.known)),
        *(THROWN + card for card in spread(memory.thrown)),
        *(LEFT + card for card in spread(memory.left)),
        *seen, ROUND + min(13, memory.round), TAKEN + taken, LIMIT + memory.limit,
        MINE + _to_go(score, score.mine), OTHERS + _to_go(score, score.other),
    ]  # fmt: skip


def _to_go(score: Score, points: int) -> int:
    """Return the steps to the target, of ten points; what is farther than the last is that."""
    return 9 if score.first_knock else max(0, min(9, (score.target - points - 1) // 10))


def of_hand(
    memory: Memory, hand: Cards, unseen: Cards, top: Card | None, phase: int, danger: float
) -> tuple[list[int], list[float]]:
    """Return the inputs and figures of ten cards held, with this card on the pile."""
    deadwood, loose, _ = arranged(hand)
    ahead = outlook(hand, deadwood, loose, unseen, memory.limit)
    active = [HELD + card for card in spread(hand)]
    active += [LOOSE + card for card in spread(loose)]
    active += [OUTS + card for card in spread(meldable(hand) & unseen)]
    if top is not None:
        active.append(TOP + top)
    active += [DEADWOOD + _deadwood_step(deadwood), PHASE + phase]
    figures = [
        ahead.gain / 5, ahead.knock, ahead.gin * 5, ahead.outs * 3, danger * 2, deadwood / 30,
        memory.turns / 20, unseen.bit_count() / 20,
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
