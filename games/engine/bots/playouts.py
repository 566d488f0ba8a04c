"""Hands played out in the head: worlds that fit what a seat knows, and both seats playing on there.

Both draw and throw as the Habitué does, in bits alone, over deals of the unseen cards that are as
likely as what the other seat was seen to do makes them. They knock with the Fort's patience, but in
every other world the other seat knocks as soon as it may: nobody knows whom they play. Chance is
passed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.engine.bots.baseline import Chance
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import NEAR, after_laying_off, arranged, melds_of
from games.engine.bots.memory import Memory
from games.engine.bots.odds import Odds
from games.engine.bots.score import Score
from games.engine.bots.strong import SURE_GAIN
from games.engine.cards import BITS, POINTS, Card, Cards, spread
from games.engine.melds import best_discard, least_deadwood
from games.engine.position import IDLE_TURNS, LAST_OF_THE_STOCK

FINE: Final = 1000


class World(NamedTuple):
    """What the other seat holds, the stock with its top card last, whether the other can wait."""

    other: Cards
    stock: tuple[Card, ...]
    patient: bool


@dataclass(frozen=True)
class Stake:
    """What the ends of a hand are worth."""

    score: Score
    limit: int
    doubled: bool
    layoffs: bool
    lock_all: bool

    def knocks(self, deadwood: int, patient: bool, turns: int, taken: int) -> bool:
        """Tell whether a seat knocks that could leave this deadwood.

        ``turns`` of both were had, and the other was seen to take so many cards.
        """
        if deadwood > self.limit:
            return False
        if not (patient and deadwood) or self.score.first_knock:
            return True
        at = HABITS.knock_at[min(turns // 4, len(HABITS.knock_at) - 1)]
        most = at - HABITS.knock_less_per_card * taken + (0 if self.score.undercut else SURE_GAIN)
        return deadwood <= most

    def won_by_big_gin(self, other: Cards) -> float:
        return self._times * ((self.score.big_gin or self.score.gin) + least_deadwood(other))

    def knocked(self, knocker: Cards, other: Cards) -> float:
        """Return what a knock with these ten cards brings the knocker."""
        if self.score.first_knock:
            return 1.0
        mine = arranged(knocker)[0]
        if mine == 0:
            return float(self._times * (self.score.gin + least_deadwood(other)))
        if self.layoffs:
            theirs = after_laying_off(other, melds_of(knocker))
        else:
            theirs = least_deadwood(other)
        if theirs > mine:
            return float(self._times * (theirs - mine))
        return float(-self._times * (mine - theirs + self.score.undercut))

    @property
    def _times(self) -> int:
        return 2 if self.doubled else 1


class Start(NamedTuple):
    """Where both play on from: how many turns were had, and the cards each was seen to take.

    Those taken later change nobody's patience: else taking a useless card would pay as a bluff.
    """

    stake: Stake
    patient: bool
    turns: int
    shown: int
    known: int


class Worlds:
    """Deals of the unseen cards that fit what one seat knows."""

    def __init__(self, memory: Memory, stake: Stake, chance: Chance) -> None:
        odds = Odds(memory, HABITS)
        self._memory, self._stake, self._chance = memory, stake, chance
        self._unseen = spread(memory.unseen)
        self._weights = [1 + int(FINE * odds.held(card)) for card in self._unseen]
        self._hidden = 10 - memory.known.bit_count()
        self._shown = memory.shown.bit_count()

    def one(self) -> World:
        """Deal the unseen cards once more."""
        hand = self._hand()
        rest = [card for card in self._unseen if not BITS[card] & hand]
        for place in range(len(rest) - 1, 0, -1):
            at = self._chance(place + 1)
            rest[place], rest[at] = rest[at], rest[place]
        patient = self._chance(2) == 0
        turns = (self._memory.turns + 1) // 2  # of the other, who acted last
        # As fast as players were seen to: the first cards they throw cost them little.
        for place in range(min(turns + 1 + turns // 4 if turns else 0, len(rest))):
            hand, rest[place] = self._put_in_order(hand, rest[place], place, patient)
        return World(hand, tuple(reversed(rest)), patient)

    def _put_in_order(
        self, hand: Cards, card: Card, turn: int, patient: bool
    ) -> tuple[Cards, Card]:
        """Let the other seat have had a turn; it did not knock, so it would not have."""
        after = hand | BITS[card]
        thrown = thrown_from(after, 0)
        after ^= BITS[thrown]
        if BITS[thrown] & self._memory.known:
            return hand, card
        if self._stake.knocks(arranged(after)[0], patient, 2 * turn, self._shown):
            return hand, card
        return after, thrown

    def _hand(self) -> Cards:
        hand, weights = self._memory.known, self._weights[:]
        every = sum(weights)
        for _card in range(self._hidden):
            at = self._chance(every)
            for place, weight in enumerate(weights):  # noqa: B007 - used after the loop
                at -= weight
                if at < 0:
                    break
            hand |= BITS[self._unseen[place]]
            every -= weights[place]
            weights[place] = 0
        return hand


def played_on(
    start: Start, hands: tuple[Cards, Cards], stock: list[Card], top: Card, actor: int,
    idle: int = 0, passed: bool = False,
) -> float:  # fmt: skip
    """Return what the hand brings seat 0 when both play on from a draw of ``actor``.

    ``passed``: the upcard was refused by all, and must be drawn past.
    """
    stake, patient, turns, shown, known = start
    held, taken = list(hands), (shown, known)
    sign = 1 if actor == 0 else -1
    while True:
        hand = held[actor]
        deadwood = arranged(hand)[0]
        bit = BITS[top]
        if not passed and deadwood and arranged(hand | bit)[0] < deadwood + POINTS[top]:
            locked = bit
            idle += 1
        else:
            bit = BITS[stock.pop()]
            locked = bit if stake.lock_all else 0
            idle = 0
        passed = False
        hand |= bit
        thrown = thrown_from(hand, locked)
        hand ^= BITS[thrown]
        if stake.knocks(arranged(hand)[0], patient or actor == 0, turns, taken[1 - actor]):
            return sign * stake.knocked(hand, held[1 - actor])
        if len(stock) <= LAST_OF_THE_STOCK or idle >= IDLE_TURNS:
            return 0.0
        held[actor], top, actor, sign = hand, thrown, 1 - actor, -sign
        turns += 1


def thrown_from(hand: Cards, locked: Cards) -> Card:
    """Return what the Habitué throws of eleven cards, or the best discard where it may knock."""
    _, loose, _ = arranged(hand)
    free = loose & ~locked
    if not free:
        return best_discard(hand, locked)
    highest = useless = -1
    most = most_useless = 0
    left = free
    while left:
        bit = left & -left
        left ^= bit
        card = bit.bit_length() - 1
        points = POINTS[card]
        if points > most:
            highest, most = card, points
        if points > most_useless and not NEAR[card] & loose & ~bit:
            useless, most_useless = card, points
    return highest if useless < 0 else useless
