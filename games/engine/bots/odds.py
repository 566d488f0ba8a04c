"""What one seat can reckon: what its hand may become, and what the other seat may hold.

Both are figures without chance in them. How much a card thrown or left says of its neighbours was
fitted to hands that the levels played against each other (``habits.py``).
"""

from __future__ import annotations

from typing import NamedTuple

from games.engine.bots.habits import Habits
from games.engine.bots.hands import BY_POINTS, NEAR, least_of_eleven, meldable, of_rank
from games.engine.bots.memory import Memory
from games.engine.cards import BITS, POINTS, Card, Cards

EVEN = 6.5  # cards that count less than this are kept the longer a hand lasts


class Outlook(NamedTuple):
    """What one more card from the stock brings: on average, and how likely what."""

    gain: float
    knock: float
    gin: float
    outs: float


def outlook(hand: Cards, deadwood: int, loose: Cards, unseen: Cards, limit: int) -> Outlook:
    """Look one card ahead, each unseen card as likely, and the best discard after it."""
    outs = meldable(hand) & unseen
    gain = knock = gin = 0
    left = outs
    while left:
        bit = left & -left
        left ^= bit
        least = least_of_eleven(hand | bit)
        if least < deadwood:
            gain += deadwood - least
        if least <= limit:
            knock += 1
            gin += least == 0
    rest = unseen & ~outs
    worst = next((points for points in range(10, 0, -1) if loose & BY_POINTS[points]), 0)
    for points in range(1, 11):
        if cards := rest & BY_POINTS[points]:
            count = cards.bit_count()
            least = deadwood - worst + points if points < worst else deadwood
            gain += count * (deadwood - least)
            if least <= limit:
                knock += count
                gin += count * (least == 0)
    every = unseen.bit_count() or 1
    return Outlook(gain / every, knock / every, gin / every, outs.bit_count() / every)


class Odds:
    """How likely the other seat holds a card, by all it was seen to do."""

    def __init__(self, memory: Memory, habits: Habits) -> None:
        self.memory, self.habits = memory, habits
        self.unseen = memory.unseen
        hidden = 10 - memory.known.bit_count()
        self._even = hidden / (self.unseen.bit_count() or 1)
        self._known: dict[Card, float] = {}

    def held(self, card: Card) -> float:
        """Return how likely the other seat holds this card."""
        found = self._known.get(card)
        if found is None:
            found = self._known[card] = self._held(card)
        return found

    def _held(self, card: Card) -> float:
        memory, habits = self.memory, self.habits
        if memory.known & BITS[card]:
            return 1.0
        if not self.unseen & BITS[card]:
            return 0.0
        near, kind = NEAR[card], of_rank(BITS[card])
        chance = self._even
        if near & ~kind & memory.thrown:
            chance *= habits.near_thrown
        if kind & memory.thrown:
            chance *= habits.kind_thrown
        if near & memory.left:
            chance *= habits.near_left
        if near & memory.known:
            chance *= habits.near_known
        chance *= 1 + habits.high * memory.round * (EVEN - POINTS[card]) / 10
        return min(1.0, max(0.0, chance))

    def danger(self, card: Card) -> float:
        """Return how likely the other seat could meld this card with two it holds."""
        held, rank = self.held, card % 13
        a, b, c = (held(other) for other in range(rank, 52, 13) if other != card)
        below = held(card - 1) if rank > 0 else 0.0
        lower = held(card - 2) if rank > 1 else 0.0
        above = held(card + 1) if rank < 12 else 0.0
        upper = held(card + 2) if rank < 11 else 0.0
        none = (1 - a * b) * (1 - a * c) * (1 - b * c)
        return 1 - none * (1 - lower * below) * (1 - below * above) * (1 - above * upper)
