"""What the coach says of a decision, and which moments of a hand mattered. Pure.

Estimates have margins: a move is called worse than another only where their intervals do not meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from games.engine.bots import Weighed

Verdict = Literal["right", "even", "doubtful", "costly"]

COSTLY = 5.0  # points of a hand, from which a worse move is called costly
SLIGHT = 0.4  # a share of that, below which no move is called worse: playing out errs by as much
COSTLY_FIRST_KNOCK = 0.3  # where a hand is worth one point, won or lost
MOMENTS, AT_LEAST = 3, 2


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision: the move made, every alternative, the best first, and what to say of it."""

    ply: int
    made: Weighed
    moves: Sequence[Weighed]
    verdict: Verdict

    @property
    def best(self) -> Weighed:
        return self.moves[0]

    @property
    def loss(self) -> float:
        """What the move made gives away against the best, as far as can be told."""
        return self.best.points - self.made.points

    @property
    def gain(self) -> float:
        """How far the move made surely stands above every other; 0 where it does not."""
        others = [one for one in self.moves if one is not self.made]
        if self.verdict != "right" or not others:
            return 0.0
        return max(0.0, min(_between(self.made, one) for one in others))


def judged(
    ply: int, made: str, moves: Sequence[Weighed], costly: float = COSTLY
) -> Judged | None:
    """What to say of a decision; nothing where it was none, or the move made is not weighed."""
    mine = next((one for one in moves if one.move == made), None)
    if mine is None or len(moves) < 2:
        return None
    return Judged(ply, mine, moves, _verdict(mine, moves[0], costly))


def moments(hand: Iterable[Judged]) -> list[Judged]:
    """The two or three moments that mattered, in the order they came.

    First what cost most; where little did, the choices that surely were better than any other.
    """
    every = list(hand)
    worst = [one for one in every if one.verdict in ("doubtful", "costly")]
    found = sorted(worst, key=lambda one: -one.loss)[:MOMENTS]
    if len(found) < AT_LEAST:
        good = sorted((one for one in every if one.gain > 0), key=lambda one: -one.gain)
        found += good[: AT_LEAST - len(found)]
    return sorted(found, key=lambda one: one.ply)


def counted(hand: Iterable[Judged]) -> Mapping[Verdict, int]:
    """How many decisions of each kind."""
    counts: dict[Verdict, int] = {"right": 0, "even": 0, "doubtful": 0, "costly": 0}
    for one in hand:
        counts[one.verdict] += 1
    return counts


def _verdict(made: Weighed, best: Weighed, costly: float) -> Verdict:
    if made.points >= best.points:
        return "right"
    if _between(best, made) <= 0 or best.points - made.points < costly * SLIGHT:
        return "even"
    return "costly" if best.points - made.points >= costly else "doubtful"


def _between(better: Weighed, worse: Weighed) -> float:
    """The gap between two intervals; 0 or less where they meet."""
    return (better.points - better.margin) - (worse.points + worse.margin)
