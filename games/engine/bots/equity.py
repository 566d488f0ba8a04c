"""What the end of a hand is worth: in points, and as the chance to win the game from there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.engine.bots.score import Score

UNDERCUT: Final = 10
VOID: Final = 11
OTHERS: Final = 12
"""First the ends where this seat scores, then a void hand, then the same of the other seat."""
STEP: Final = 5  # points to a step: the chance to win is worked out on a grid
FARTHEST: Final = 50  # steps to the target beyond which a point is a point

Values = tuple[float, ...]
BOUNDS: Final = ((5, 10, 17, 25, 35), (12, 25, 40))
"""Up to which differences of deadwood knocks and gins are one end and the next."""


def number_of_end(end: str, mine: bool, difference: int) -> int:
    """Return the number of an end, of 23; ``mine`` tells whether this seat scores."""
    if end == "void":
        return VOID
    if end == "undercut":
        number = UNDERCUT
    else:
        bounds = BOUNDS[end != "knock"]
        number = (0 if end == "knock" else 6) + sum(difference > bound for bound in bounds)
    return number if mine else OTHERS + number


def points_of_ends(score: Score, bases: Sequence[float], doubled: bool) -> Values:
    """Return what each end brings this seat; ``bases`` are the mean differences of deadwood."""
    if score.first_knock:
        ends = [1.0 if end != UNDERCUT else -1.0 for end in range(VOID)]
        return (*ends, 0.0, *(-points for points in ends))
    times = 2 if doubled and score.spades_double else 1
    bonus = _bonus(score.gin, score.undercut)
    mine, others = bases[:VOID], bases[OTHERS:]
    return (
        *(times * (base + more) for base, more in zip(mine, bonus, strict=True)), 0.0,
        *(-times * (base + more) for base, more in zip(others, bonus, strict=True)),
    )  # fmt: skip


def _bonus(gin: int, undercut: int) -> list[int]:
    return [0] * 6 + [gin] * 4 + [undercut]


def worths_of_ends(
    score: Score, points: Values, bases: tuple[float, ...], often: tuple[float, ...]
) -> Values:
    """Return the chance to win the game after each end, where the target is near enough to tell.

    ``often`` says how often hands come to each end. Farther from the target points are as good.
    """
    needs = _steps(score.target - score.mine), _steps(score.target - score.other)
    if score.first_knock or max(needs) > FARTHEST:
        return points
    chances = _chances(score.gin, score.undercut, bases, often)

    def after(points: float) -> float:
        mine, other = max(0.0, points), max(0.0, -points)
        return _between(
            chances, score.target - score.mine - mine, score.target - score.other - other
        )

    return tuple(map(after, points))


def _steps(points: float) -> int:
    return max(0, -int(-points // STEP))


def _between(chances: list[list[float]], mine: float, other: float) -> float:
    """Read the grid between its points, so that every point counts a little."""
    if mine <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    a, b = mine / STEP, other / STEP
    i, j = min(int(a), FARTHEST - 1), min(int(b), FARTHEST - 1)
    u, v = a - i, b - j
    row, below = chances[i], chances[i + 1]
    return (
        (1 - u) * (1 - v) * row[j] + (1 - u) * v * row[j + 1]
        + u * (1 - v) * below[j] + u * v * below[j + 1]
    )  # fmt: skip


@lru_cache(maxsize=32)
def _chances(
    gin: int, undercut: int, bases: tuple[float, ...], often: tuple[float, ...]
) -> list[list[float]]:
    """Return the chance to win with so many steps to go against so many.

    Hands go on ending as often each way as they did in training: whoever plays better is the more
    likely to win from afar, and has the less reason to take a risk.
    """
    bonus = _bonus(gin, undercut)
    won, lost = [
        [(often[end + first], max(1, int((bases[end + first] + bonus[end]) / STEP + 0.5)))
         for end in range(VOID)]
        for first in (0, OTHERS)
    ]  # fmt: skip
    every = sum(share for share, _ in won + lost)
    chances = [[0.5] * (FARTHEST + 1) for _ in range(FARTHEST + 1)]
    for there in range(1, FARTHEST + 1):
        chances[0][there], chances[there][0] = 1.0, 0.0
    for mine in range(1, FARTHEST + 1):
        for other in range(1, FARTHEST + 1):
            chances[mine][other] = (
                sum(share * chances[max(0, mine - steps)][other] for share, steps in won)
                + sum(share * chances[mine][max(0, other - steps)] for share, steps in lost)
            ) / every
    return chances
