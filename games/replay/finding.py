"""Which hand of a sheet may be told again, and its course: the only place that opens hands.

A hand is over when its row says so: by its last move, or cut short by the end of the game. Until
then nothing here answers, whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.refusal import N_, Refusal
from games.engine.view import view_for
from games.models import Game, Hand
from games.positions import course_of, rules_of
from scoring import shares

View = dict[str, Any]


class NotOver(Refusal):
    """The hand is still being played."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A hand that is over: what everybody may now see of each of its moments, the deal first."""

    sheet_id: int
    number: int
    doubles_spades: bool
    views: tuple[View, ...]
    before: int | None
    after: int | None

    @property
    def last(self) -> View:
        """The last moment: the showdown, unless the hand was cut short."""
        return self.views[-1]


def replayed(sheet_id: int, number: int) -> Replayed | None:
    """Hand ``number`` of the game this sheet is of, whichever edition; None if there is none.

    Raises NotOver while it is open: a hand may be told again only once it cannot be changed.
    """
    first = shares.first_edition(sheet_id)
    game = Game.objects.filter(sheet_id=first).first() if first else None
    if first is None or game is None:
        return None
    hands = {hand.number: hand for hand in game.hands.defer("deck")}
    if number not in hands:
        return None
    if hands[number].ended_at is None:
        raise NotOver("not_over", N_("This hand is still being played."))
    over = sorted(other for other, hand in hands.items() if hand.ended_at is not None)
    at = over.index(number)
    return Replayed(
        sheet_id=first,
        number=number,
        doubles_spades=rules_of(game.pk).scoring.spades_double,
        views=_views(game.pk, hands[number]),
        before=over[at - 1] if at else None,
        after=over[at + 1] if at + 1 < len(over) else None,
    )


def _views(game_id: int, hand: Hand) -> tuple[View, ...]:
    positions = course_of(game_id, hand.pk)
    return tuple(view_for(position, None, open_hands=True) for position in positions)

