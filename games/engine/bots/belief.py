"""What the other seat may hold, as whole hands: as likely as what it was seen to do makes them.

Cards one by one say little: after five turns a hand is half in melds. So hands are drawn from all
that fit by a walk from hand to hand, one card exchanged at a time, which likes hands with less
deadwood the more, the longer the other has had to put them in order. How much it likes them was
measured on hands the levels played: the mean deadwood after each number of turns comes out right.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from games.engine.bots.baseline import Chance
from games.engine.bots.habits import HABITS
from games.engine.bots.memory import Memory
from games.engine.bots.odds import Odds
from games.engine.cards import BITS, Card, Cards, spread
from games.engine.melds import least_deadwood

ORDER, ORDER_PER_ROUND, MOST_ORDER = 0.03, 0.025, 0.38
WOULD_HAVE_KNOCKED: Final = 1.5
FIRST_STEPS, STEPS = 100, 12
FINE: Final = 1 << 30


class Belief:
    """Hands the other seat may hold, one after the other."""

    def __init__(self, memory: Memory, chance: Chance) -> None:
        self._memory, self._chance = memory, chance
        odds = Odds(memory, HABITS)
        cards = list(spread(memory.unseen))
        hidden = 10 - memory.known.bit_count()
        for place in range(hidden):
            at = place + chance(len(cards) - place)
            cards[place], cards[at] = cards[at], cards[place]
        self._held, self._stock = cards[:hidden], cards[hidden:]
        self._leaning = {card: log(max(odds.held(card), 1e-6)) for card in cards}
        self._order = min(MOST_ORDER, ORDER + ORDER_PER_ROUND * memory.round)
        self._hand: Cards = memory.known | sum(BITS[card] for card in self._held)
        self._cost = self._cost_of(self._hand)
        self._walk(FIRST_STEPS)

    def next(self) -> tuple[Cards, Card]:
        """Return a hand that fits, and the card the other would then draw from the stock."""
        self._walk(STEPS)
        return self._hand, self._stock[self._chance(len(self._stock))]

    def _cost_of(self, hand: Cards) -> float:
        deadwood = least_deadwood(hand)
        cost = self._order * deadwood
        if deadwood <= self._memory.limit and self._memory.round:
            cost += WOULD_HAVE_KNOCKED
        return cost

    def _walk(self, steps: int) -> None:
        held, stock, chance, leaning = self._held, self._stock, self._chance, self._leaning
        if not held or not stock:
            return
        exchanges = len(held) * len(stock)
        for _step in range(steps):
            luck, draw = divmod(chance(FINE * exchanges), exchanges)
            place, at = divmod(draw, len(stock))
            out, into = held[place], stock[at]
            hand = self._hand ^ BITS[out] ^ BITS[into]
            cost = self._cost_of(hand)
            gain = self._cost - cost + leaning[into] - leaning[out]
            if gain >= 0 or luck < exp(gain) * FINE:
                held[place], stock[at] = into, out
                self._hand, self._cost = hand, cost
