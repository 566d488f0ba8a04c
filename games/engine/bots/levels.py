"""The levels by name, and the move each makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.bots.baseline import Chance, habitue
from games.engine.bots.beginner import beginner
from games.engine.bots.expert import expert
from games.engine.bots.score import Score
from games.engine.bots.strong import strong
from games.engine.view import View

LEVELS: Final = ("beginner", "regular", "strong", "expert")
"""Débutant, Habitué, Fort and Expert, as they are stored."""


def choose(level: str, views: Sequence[View], score: Score, chance: Chance) -> str:
    """Return the move of a level for the seat whose views these are (``seen``), now to act.

    The same views, score and chance make the same move.
    """
    if level not in LEVELS:
        raise ValueError(f"there is no level called {level}")
    if level == "beginner":
        return beginner(views[-1], chance)
    if level == "strong":
        return strong(views, score)
    if level == "expert":
        return expert(views, score)
    return habitue(views[-1], chance)
