"""Whole games played at once by scripted players: by the engine, from chance that is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from games import dealing
from games.engine import bots
from games.engine import cards as deck_of
from games.engine import position as play
from games.engine.shuffle import first_dealer, shuffled
from games.engine.view import view_for
from games.fair.chain import Sealed
from games.presets import RuleSet
from games.table import SEATS, result_of
from scoring import rules as scoring
from scoring.rules import HandResult

HANDS_AT_MOST = 60  # a game of 1000 points, and void hands
HOLD_OUT = 0.02  # how often both wait for more than a knock, mostly until the stock runs out


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand from its deal on; ``result`` is None for one that was broken off.

    ``moves`` are seats and texts. The deck is as secret as any: only whoever stores it reads it.
    """

    dealer: int
    deck: str
    moves: tuple[tuple[int, str], ...]
    result: HandResult | None

    def __repr__(self) -> str:
        return f"<PlayedHand: {len(self.moves)} moves>"


def play_hand(
    rules: RuleSet, dealer: int, knock_at: Sequence[int], random: Random,
    deck: Sequence[deck_of.Card] | None = None,
) -> PlayedHand:
    """One hand to its end; ``knock_at`` is the patience of each seat."""
    deck = deck or random.sample(deck_of.DECK, len(deck_of.DECK))
    position = play.deal(rules.play, deck, dealer, SEATS)
    while (seat := position.to_act) is not None:
        move = bots.habitue(view_for(position, seat), random.randrange, knock_at[seat])
        position = play.apply(position, move)
    ended = position.outcome
    idle = position.idle_turns >= play.IDLE_TURNS
    return PlayedHand(
        dealer=dealer,
        deck="".join(deck_of.text(card) for card in deck),
        moves=tuple((entry.seat, entry.move) for entry in position.log),
        result=None if ended is None else result_of(ended, idle),
    )


def play_game(
    rules: RuleSet, knock_at: Sequence[int], random: Random, hands: int = HANDS_AT_MOST,
    sealed: Sealed | None = None,
) -> list[PlayedHand]:
    """Hands until somebody reaches the target, or so many of them; ``sealed``: to be checked."""
    played: list[PlayedHand] = []
    lines: list[scoring.Line] = []
    stream = sealed.stream(1) if sealed else None
    dealer = random.randrange(SEATS) if stream is None else first_dealer(stream, SEATS)
    while len(played) < hands and scoring.reached(rules.scoring, lines) is None:
        patience = [-1] * SEATS if random.random() < HOLD_OUT else knock_at
        deck = None if stream is None else shuffled(stream)
        hand = play_hand(rules, dealer, patience, random, deck)
        played.append(hand)
        stream = sealed.stream(len(played) + 1) if sealed else None
        if hand.result is not None:
            line = scoring.hand_line(rules.scoring, len(played), hand.result)
            lines += [] if line is None else [line]
            dealer = dealing.next_dealer(rules.next_dealer, dealer, hand.result.winner, SEATS)
    return played
