"""One turn ahead: what the other seat does with the card thrown, in hands it may well hold.

The other is taken to play as the Habitué does. It takes the card or leaves it, knocks or throws
something; where it throws, the network judges the place that leads to. All discards are tried in
the same hands, so that luck helps none of them, and what was judged once is remembered: the same
card thrown by the other leads to the same place.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine.bots import net as network
from games.engine.bots.baseline import Chance
from games.engine.bots.belief import Belief
from games.engine.bots.equity import VOID, Worths, number_of_end
from games.engine.bots.hands import (
    BY_POINTS,
    after_laying_off,
    arranged,
    least_of_eleven,
    melds_of,
    melds_with,
    near_in_suit,
    of_rank_twice,
)
from games.engine.bots.judge import Judged, Turn, after_taking, turn
from games.engine.bots.memory import Memory
from games.engine.bots.net import Net, Row, common, of_hand
from games.engine.cards import BITS, Card, Cards, spread
from games.engine.melds import best_discard, least_deadwood
from games.engine.position import IDLE_TURNS, LAST_OF_THE_STOCK
from games.engine.rules import PlayRules

CLOSE = 5.0  # points behind the best, by both judges, that are still worth a second look
TRIED = 3
LUCK = 12  # parts evenly among one, two, three or four
TRUST = 30  # the first look counts as much as so many hands


class Ahead:
    """A second look at one decision: what may be thrown, and what comes back."""

    def __init__(self, net: Net, memory: Memory, worths: Worths, rules: PlayRules) -> None:
        self._net, self._memory, self._worths, self._rules = net, memory, worths, rules
        self._layoffs = rules.layoffs and rules.format != "first_knock"
        self._judged: dict[tuple[Card, Card, bool], float] = {}
        self._places: dict[tuple[Card, bool], tuple[Row, Memory]] = {}

    def best(self, now: Turn, chance: Chance, hands: int) -> Card:
        """Return what to throw, out of what is close to the best by the first look."""
        first = now.discards[0]
        close = [
            each for each in now.discards[:TRIED]
            if first.both - each.both < CLOSE * self._worths.point
        ]  # fmt: skip
        if len(close) == 1 or not hands or self._last_turn:
            return first.card
        sums = [0.0] * len(close)
        belief = Belief(self._memory, chance)
        for _number in range(hands):
            other, drawn = belief.next()
            luck = chance(LUCK)
            for place, each in enumerate(close):
                sums[place] += self._after(each.card, other, drawn, luck)

        def worth(place: int) -> float:
            each: Judged = close[place]
            before = first.learned + (each.both - first.both) / 2
            return sums[place] + TRUST * before

        return close[max(range(len(close)), key=worth)].card

    @property
    def _last_turn(self) -> bool:
        return self._memory.stock <= LAST_OF_THE_STOCK or self._memory.idle >= IDLE_TURNS

    def _after(self, thrown: Card, other: Cards, drawn: Card, luck: int) -> float:
        """Let the other seat have its turn with these cards."""
        taken = melds_with(other, thrown)
        card = thrown if taken else drawn
        locked = taken or self._rules.keep_drawn_card == "any"
        eleven = other | BITS[card]
        free = eleven ^ BITS[card] if locked else eleven
        if least_of_eleven(eleven) <= self._memory.limit:
            best = best_discard(eleven, eleven ^ free)
            if least_deadwood(eleven ^ BITS[best]) <= self._memory.limit:
                return self._knocked(eleven ^ BITS[best], self._memory.held ^ BITS[thrown])
        back = _thrown(eleven, free, luck)
        stock = self._memory.stock - (not taken)
        if stock <= LAST_OF_THE_STOCK:
            return self._worths.values[VOID]
        key = thrown, back, taken
        found = self._judged.get(key)
        if found is None:
            found = self._judged[key] = self._judge(thrown, back, taken)
        return found

    def _knocked(self, knocker: Cards, mine: Cards) -> float:
        deadwood = arranged(knocker)[0]
        if deadwood and self._layoffs:
            left = after_laying_off(mine, melds_of(knocker))
        else:
            left = least_deadwood(mine)
        end = "gin" if not deadwood else "knock" if left > deadwood else "undercut"
        return self._worths.values[number_of_end(end, end == "undercut", abs(left - deadwood))]

    def _judge(self, thrown: Card, back: Card, taken: bool) -> float:
        """Judge the place where this seat is to draw, and this card lies on the pile."""
        place, memory = self._place(thrown, taken)
        more = [network.TOP + back]
        if not memory.thrown & BITS[back]:
            more.append(network.THROWN + back)
        found = self._net.worth_with(place, more, self._worths.values)
        if melds_with(memory.held, back):
            then = after_taking(_thrown_back(memory, back))
            found = max(found, turn(self._net, then, self._worths).learned)
        return found

    def _place(self, thrown: Card, taken: bool) -> tuple[Row, Memory]:
        """Return the place a discard leads to, but for what the other throws there."""
        found = self._places.get((thrown, taken))
        if found is None:
            memory = self._then(thrown, taken)
            ground = self._net.ground(common(memory, memory.pile))
            phase = network.BEFORE_STOCK
            asked = of_hand(memory, memory.held, memory.unseen, None, phase, 0.0)
            found = self._places[thrown, taken] = self._net.place(ground, *asked), memory
        return found

    def _then(self, thrown: Card, taken: bool) -> Memory:
        memory, bit = self._memory, BITS[thrown]
        return replace(
            memory,
            phase="draw",
            held=memory.held ^ bit,
            locked=0,
            shown=memory.shown & ~bit,
            pile=memory.pile if taken else memory.pile | bit,
            known=memory.known | bit if taken else memory.known,
            left=memory.left if taken else memory.left | bit,
            stock=memory.stock - (not taken),
            turns=memory.turns + 2,
            idle=memory.idle + 1 if taken else 0,
            top=None,
        )


def _thrown(eleven: Cards, free: Cards, luck: int) -> Card:
    """Return what the Habitué throws: of its highest useless cards any, as luck has it."""
    _, loose, _ = arranged(eleven)
    loose &= free
    if not loose:
        return best_discard(eleven, eleven ^ free)
    pairs = of_rank_twice(loose)
    among = loose & ~(near_in_suit(loose) | pairs) or loose
    cards = spread(
        next(found for points in range(10, 0, -1) if (found := among & BY_POINTS[points]))
    )
    return cards[luck % len(cards)]


def _thrown_back(memory: Memory, back: Card) -> Memory:
    """Return what the seat knows once the other has thrown this card."""
    bit = BITS[back]
    return replace(
        memory, pile=memory.pile | bit, known=memory.known & ~bit, thrown=memory.thrown | bit,
        top=back,
    )  # fmt: skip
