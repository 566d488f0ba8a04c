"""What became of the hands of a game, for its score sheet: void hands and deadwoods included."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from games.engine.position import IDLE_TURNS, Position
from games.models import Game, Hand
from games.positions import positions_of_game


@dataclass(frozen=True, slots=True)
class Story:
    """How one hand ended; ``end`` is None for a hand cut short by the end of the game.

    ``idle``: void because nobody drew from the stock for too long, not because it ran out.
    """

    number: int
    end: str | None
    knocker: int | None = None
    winner: int | None = None
    knocker_deadwood: int = 0
    defender_deadwood: int = 0
    spade: bool = False
    idle: bool = False


def hand_stories(game_id: int) -> dict[int, Story]:
    """Every hand of the game that is over, by number, replayed from its moves."""
    over = dict(
        Hand.objects.filter(game_id=game_id, ended_at__isnull=False).values_list("pk", "number")
    )
    last = positions_of_game(game_id, over)
    return {over[hand_id]: story_of(over[hand_id], last[hand_id]) for hand_id in sorted(over)}


def story_of(number: int, last: Position) -> Story:
    """The story of a hand, from its last position."""
    outcome = last.outcome
    if outcome is None:
        return Story(number, None)
    return Story(
        number,
        outcome.end,
        outcome.knocker,
        outcome.winner,
        outcome.knocker_deadwood,
        outcome.defender_deadwood,
        outcome.spade,
        outcome.end == "void" and last.idle_turns >= IDLE_TURNS,
    )


def game_of_sheet(sheet_id: int) -> Game | None:
    """The game whose paper this is, with its table and room."""
    return Game.objects.select_related("table__room").filter(sheet_id=sheet_id).first()


def may_read_sheet(user_id: int | None, sheet_id: int) -> bool:
    """A sheet is read by its players, by members of its room, and by anyone in a public room."""
    if user_id is None:
        return False
    allowed = (
        Q(seats__user_id=user_id)
        | Q(table__room__members__user_id=user_id)
        | Q(table__room__is_public=True)
    )
    return Game.objects.filter(allowed, sheet_id=sheet_id).exists()
