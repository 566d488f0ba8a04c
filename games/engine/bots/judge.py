"""The Expert's look at one decision: every discard, a knock, the pile or the stock, each judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from games.engine.bots import net as network
from games.engine.bots.equity import Values
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import NEAR
from games.engine.bots.memory import Memory
from games.engine.bots.net import PLAY, SHOW, Net, common, of_hand
from games.engine.bots.odds import Odds
from games.engine.bots.score import Score
from games.engine.cards import BITS, Card, spread
from games.engine.melds import best_discard, least_deadwood


class Judged(NamedTuple):
    """A card to throw, and what that is worth."""

    worth: float
    card: Card


class Turn(NamedTuple):
    """What may be done with eleven cards: the discards, the best first, and the best knock."""

    discards: list[Judged]
    knock: Judged | None

    @property
    def knocks(self) -> bool:
        """Whether to knock now is worth at least as much as to play on."""
        return self.knock is not None and self.knock.worth >= self.discards[0].worth

    @property
    def worth(self) -> float:
        """What the better of the two is worth."""
        best = self.discards[0].worth
        return best if self.knock is None else max(best, self.knock.worth)


class Draw(NamedTuple):
    """Taking the top of the pile against leaving it."""

    taking: float
    leaving: float

    @property
    def takes(self) -> bool:
        """Whether the card is worth more than an unknown one."""
        return self.taking > self.leaving


GIN = float("inf")
"""No worth of a hand: what leads to gin at once is never weighed."""


class Judge:
    """The network's view of the decisions of one seat, at a score, the ends at these values."""

    def __init__(self, net: Net, score: Score, values: Values) -> None:
        self._net, self._score, self._values = net, score, values

    def turn(self, memory: Memory) -> Turn:
        """Judge what a seat with eleven cards may do."""
        odds = Odds(memory, HABITS)
        ground = self._net.ground(common(memory, memory.pile, self._score))
        found = []
        for card in _to_throw(memory):
            hand, danger = memory.held ^ BITS[card], odds.danger(card)
            asked = of_hand(memory, hand, odds.unseen, card, network.THREW, danger)
            found.append(Judged(self._net.worth(ground, asked, PLAY, self._values), card))
        found.sort(key=lambda each: (-each.worth, each.card))
        return Turn(found, self._knock(memory, ground))

    def _knock(self, memory: Memory, ground: Sequence[network.Row]) -> Judged | None:
        thrown = best_discard(memory.held, memory.locked)
        kept = memory.held ^ BITS[thrown]
        if least_deadwood(kept) > memory.limit:
            return None
        asked = of_hand(memory, kept, memory.unseen, None, network.KNOCKING, 0.0)
        return Judged(self._net.worth(ground, asked, SHOW, self._values), thrown)

    def draw(self, memory: Memory) -> Draw | None:
        """Judge the top of the pile; None where it can be of no use."""
        if memory.top is None or not _tempting(memory, memory.top):
            return None
        taken = after_taking(memory)
        thrown = best_discard(taken.held, taken.locked)
        if not least_deadwood(taken.held ^ BITS[thrown]):
            return Draw(GIN, 0.0)
        return Draw(self.turn(taken).worth, self.leaving(memory))

    def leaving(self, memory: Memory) -> float:
        """Judge leaving the top of the pile: for the stock, or, at the deal, to the other seat."""
        top = memory.top
        under = memory.pile & ~(0 if top is None else BITS[top])
        phase = network.PASSED if memory.phase == "upcard" else network.BEFORE_STOCK
        ground = self._net.ground(common(memory, under, self._score))
        asked = of_hand(memory, memory.held, memory.unseen, top, phase, 0.0)
        return self._net.worth(ground, asked, PLAY, self._values)


def _to_throw(memory: Memory) -> list[Card]:
    """Return the cards that can go without more deadwood than there is, and the best by points."""
    held, best = memory.held, best_discard(memory.held, memory.locked)
    now = least_deadwood(held)
    return [
        card for card in spread(held & ~memory.locked)
        if card == best or least_deadwood(held ^ BITS[card]) <= now
    ]  # fmt: skip


def _tempting(memory: Memory, top: Card) -> bool:
    bit, held = BITS[top], memory.held
    if NEAR[top] & held:
        return True
    return least_deadwood((held | bit) ^ BITS[best_discard(held | bit, bit)]) < least_deadwood(held)


def after_taking(memory: Memory) -> Memory:
    """Return what the seat knows once it has taken the top of the pile."""
    bit = 0 if memory.top is None else BITS[memory.top]
    return replace(
        memory, phase="discard", held=memory.held | bit, locked=bit, pile=memory.pile & ~bit,
        shown=memory.shown | bit, idle=memory.idle + 1, top=None,
    )  # fmt: skip
