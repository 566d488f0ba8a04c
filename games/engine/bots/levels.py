"""The levels by name, and the move each makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.bots.baseline import Chance, habitue
from games.engine.bots.beginner import beginner
from games.engine.bots.expert import PLAYOUTS, expert
from games.engine.bots.score import Score
from games.engine.bots.strong import strong
from games.engine.rules import PlayRules
from games.engine.view import View

LEVELS: Final = ("beginner", "regular", "strong", "expert")
"""Débutant, Habitué, Fort and Expert, as they are stored."""


def choose(
    level: str,
    views: Sequence[View],
    rules: PlayRules,
    score: Score,
    chance: Chance,
    playouts: int | None = None,
) -> str:
    """Return the move of a level for the seat whose views these are (``seen``), now to act.

    The same views, score and chance make the same move. ``playouts`` is the Expert's budget, its
    usual one if None; the others need none.
    """
    if level not in LEVELS:
        raise ValueError(f"there is no level called {level}")
    if level == "beginner":
        return beginner(views[-1], chance)
    if level == "strong":
        return strong(views, score)
    if level == "expert":
        return expert(views, rules, score, chance, PLAYOUTS if playouts is None else playouts)
    return habitue(views[-1], chance)
