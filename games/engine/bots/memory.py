"""What a player with a memory knows: the views of their own seat since the deal, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.engine.cards import Card
from games.engine.position import course
from games.engine.rules import PlayRules
from games.engine.view import View, view_for


def seen(
    rules: PlayRules, deck: Sequence[Card], dealer: int, moves: Iterable[str], seat: int
) -> list[View]:
    """Return the seat's view at each of its decisions; the last one is now, whoever is to act."""
    positions = course(rules, deck, dealer, moves)
    last = positions.pop()
    decisions = [position for position in positions if position.to_act == seat]
    return [view_for(position, seat) for position in (*decisions, last)]
