"""What the Expert's network makes of a move, in points of the hand: a second opinion."""

from __future__ import annotations

from games.engine.bots import net as network
from games.engine.bots.equity import points_of_ends
from games.engine.bots.habits import HABITS
from games.engine.bots.judge import after_taking
from games.engine.bots.memory import Memory
from games.engine.bots.net import PLAY, SHOW, Net, common, of_hand
from games.engine.bots.odds import Odds
from games.engine.bots.score import Score
from games.engine.bots.strong import ranked
from games.engine.cards import BITS, CARDS, Card
from games.engine.melds import best_discard, least_deadwood


class Opinion:
    """The points the network expects of each move of one seat, now to act."""

    def __init__(self, net: Net, memory: Memory, score: Score, spade: bool) -> None:
        self._net, self._memory, self._score = net, memory, score
        self._points = points_of_ends(score, net.bases, spade)

    def of(self, move: str) -> float | None:
        """Return what it expects of a move; None of gin, which it was never asked about."""
        verb, _, name = move.partition(" ")
        if verb == "discard":
            return self._thrown(self._memory, CARDS[name])
        if verb == "knock" and least_deadwood(self._memory.held ^ BITS[CARDS[name]]):
            return self._knocked(self._memory, CARDS[name])
        if move == "draw discard":
            return self._taken()
        return None if verb in ("knock", "big") else self._left()

    def _thrown(self, memory: Memory, card: Card) -> float:
        odds = Odds(memory, HABITS)
        asked = of_hand(
            memory, memory.held ^ BITS[card], memory.unseen, card, network.THREW, odds.danger(card)
        )
        return self._net.worth(self._ground(memory), asked, PLAY, self._points)

    def _knocked(self, memory: Memory, card: Card) -> float:
        kept = memory.held ^ BITS[card]
        asked = of_hand(memory, kept, memory.unseen, None, network.KNOCKING, 0.0)
        return self._net.worth(self._ground(memory), asked, SHOW, self._points)

    def _taken(self) -> float | None:
        memory = after_taking(self._memory)
        best = best_discard(memory.held, memory.locked)
        least = least_deadwood(memory.held ^ BITS[best])
        if least == 0:
            return None
        found = self._thrown(memory, ranked(memory, Odds(memory, HABITS), HABITS)[0][1])
        return max(found, self._knocked(memory, best)) if least <= memory.limit else found

    def _left(self) -> float:
        memory = self._memory
        under = memory.pile & ~(0 if memory.top is None else BITS[memory.top])
        phase = network.PASSED if memory.phase == "upcard" else network.BEFORE_STOCK
        asked = of_hand(memory, memory.held, memory.unseen, memory.top, phase, 0.0)
        ground = self._net.ground(common(memory, under, self._score))
        return self._net.worth(ground, asked, PLAY, self._points)

    def _ground(self, memory: Memory) -> list[network.Row]:
        return self._net.ground(common(memory, memory.pile, self._score))
