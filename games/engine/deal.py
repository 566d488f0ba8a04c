"""A moment of a hand, and the first one: the deal (rules, sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from games.engine.cards import DECK, Card, suit
from games.engine.rules import PlayRules
from games.engine.seats import next_seat, round_from
from games.engine.showdown import Outcome

HAND: Final = 10
SPADES: Final = 3

Phase = Literal["upcard", "draw", "discard", "over"]


class Entry(NamedTuple):
    """One move of the log. ``card`` is the card drawn; from the stock it is a secret."""

    seat: int
    move: str
    card: Card | None = None


@dataclass(frozen=True, repr=False)
class Position:
    """A moment of a hand. It holds the deck, so it is never shown: ``view_for`` is.

    ``held`` keeps the order of a hand: the dealt cards by suit, later ones as they came.
    ``pile`` ends with its top card. ``idle_turns`` counts the turns in a row in which nobody
    drew from the stock.
    """

    rules: PlayRules
    deck: tuple[Card, ...]
    dealer: int
    seats: int
    limit: int
    phase: Phase
    to_act: int | None
    held: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    stock_from: int
    idle_turns: int = 0
    log: tuple[Entry, ...] = ()
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        return f"<Position: ply {self.ply}, {self.phase}, seat {self.to_act} to act>"

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.log)

    @property
    def stock(self) -> int:
        """How many cards the stock still holds."""
        return len(self.deck) - self.stock_from

    @property
    def upcard(self) -> Card:
        """The card turned up at the deal, wherever it is now."""
        return self.deck[HAND * self.seats]

    @property
    def spade(self) -> bool:
        """Whether the upcard was a spade."""
        return suit(self.upcard) == SPADES

    @property
    def drawn(self) -> Card | None:
        """The card drawn this turn, until the turn is over."""
        return self.log[-1].card if self.phase == "discard" else None

    @property
    def locked(self) -> Card | None:
        """The card that may not be thrown this turn: the one just taken (rules, section 4)."""
        if self.phase == "discard" and (
            self.log[-1].move == "draw discard" or self.rules.keep_drawn_card == "any"
        ):
            return self.log[-1].card
        return None

    @property
    def stock_only(self) -> bool:
        """Whether all passed the upcard, so that this draw is from the stock (section 3)."""
        return self.phase == "draw" and self.log[-1].move == "pass"


def deal(rules: PlayRules, deck: Sequence[Card], dealer: int, seats: int = 2) -> Position:
    """Deal ten cards each, one at a time, the dealer last, and turn up the next (section 2)."""
    if sorted(deck) != list(DECK) or not 0 <= dealer < seats:
        raise ValueError("a hand takes the 52 cards, each once, and a dealer who is seated")
    dealt = HAND * seats
    first = next_seat(dealer, seats)
    held: list[tuple[Card, ...]] = [()] * seats
    for place, seat in enumerate(round_from(first, seats)):
        held[seat] = tuple(sorted(deck[place:dealt:seats]))
    return Position(
        rules=rules,
        deck=tuple(deck),
        dealer=dealer,
        seats=seats,
        limit=rules.limit(deck[dealt]),
        phase="upcard",
        to_act=first,
        held=tuple(held),
        pile=(deck[dealt],),
        stock_from=dealt + 1,
    )
