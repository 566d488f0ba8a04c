"""Where cards come from, and who deals. Of a hand's own stream; chance itself is for bots alone."""

from __future__ import annotations

import os
from random import Random

from games.engine import cards, shuffle
from games.engine.bots import Chance
from games.engine.seats import next_seat


def fresh_deck(stream: shuffle.RandomBytes) -> str:
    """A deck shuffled from the stream of its hand, as stored (rules, section 2)."""
    return "".join(cards.text(card) for card in shuffle.shuffled(stream))


def first_dealer(stream: shuffle.RandomBytes, seats: int = 2) -> int:
    """The seat that deals the first hand of a game, drawn from its stream (rules, section 2)."""
    return shuffle.first_dealer(stream, seats)


def chance() -> Chance:
    """Numbers for a player to be guided by: quick, and of no kin to any deck."""
    return Random(os.urandom(16)).randrange  # noqa: S311 - no secret hangs on them


def cards_of(deck: str) -> tuple[cards.Card, ...]:
    """A stored deck as the engine takes it."""
    return tuple(cards.card(deck[at : at + 2]) for at in range(0, len(deck), 2))


def next_dealer(option: str, dealer: int, winner: int | None, seats: int = 2) -> int:
    """Who deals after a hand (rules, section 2).

    ``option`` is the room's ``next_dealer``; ``winner`` the seat that won the hand, None for a
    void hand, which the same dealer deals again.
    """
    if winner is None:
        return dealer
    if option == "winner":
        return winner
    # With two seats the loser is the only other one; with more, the one after the winner.
    return next_seat(winner if option == "loser" else dealer, seats)
