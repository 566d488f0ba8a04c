"""The Expert's look at one decision: every discard, a knock, the pile or the stock, each judged.

Two judges sit side by side: the network, which has learned how hands end, and the Fort's weighing
of outs against danger. They err in different places; together they beat either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.engine.bots import net as network
from games.engine.bots.equity import Worths
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import NEAR, melds_with
from games.engine.bots.memory import Memory
from games.engine.bots.net import PLAY, SHOW, Net, common, of_hand
from games.engine.bots.odds import Odds
from games.engine.bots.strong import ranked, worth
from games.engine.cards import BITS, Card
from games.engine.melds import best_discard, least_deadwood


class Judged(NamedTuple):
    """A card to throw: what both judges make of it, and what the network alone says it is worth."""

    both: float
    learned: float
    card: Card


class Turn(NamedTuple):
    """What may be done with eleven cards: the discards, the best first, and the best knock."""

    discards: list[Judged]
    knock: Judged | None

    @property
    def knocks(self) -> bool:
        """Whether to knock now is worth at least as much as to play on."""
        return self.knock is not None and self.knock.learned >= self.discards[0].learned

    @property
    def learned(self) -> float:
        """What the better of the two is worth."""
        best = self.discards[0].learned
        return best if self.knock is None else max(best, self.knock.learned)


def turn(net: Net, memory: Memory, worths: Worths) -> Turn:
    """Judge what a seat with eleven cards may do."""
    odds = Odds(memory, HABITS)
    held, unseen = memory.held, odds.unseen
    ground = net.ground(common(memory, memory.pile))
    found = []
    for weighed, card in ranked(memory, odds, HABITS):
        asked = of_hand(memory, held ^ BITS[card], unseen, card, network.THREW, odds.danger(card))
        learned = net.worth(ground, asked, PLAY, worths.values)
        found.append(Judged(learned + weighed * worths.point, learned, card))
    found.sort(key=lambda each: (-each.both, each.card))
    return Turn(found, _knock(net, memory, worths, ground))


def _knock(net: Net, memory: Memory, worths: Worths, ground: network.Row) -> Judged | None:
    thrown = best_discard(memory.held, memory.locked)
    kept = memory.held ^ BITS[thrown]
    if least_deadwood(kept) > memory.limit:
        return None
    asked = of_hand(memory, kept, memory.unseen, None, network.KNOCKING, 0.0)
    learned = net.worth(ground, asked, SHOW, worths.values)
    return Judged(learned, learned, thrown)


class Draw(NamedTuple):
    """Taking the top of the pile against leaving it."""

    takes: bool
    taking: float
    leaving: float


def draw(net: Net, memory: Memory, worths: Worths) -> Draw | None:
    """Judge the top of the pile; None where it can be of no use."""
    if memory.top is None or not _tempting(memory):
        return None
    top, held = memory.top, memory.held
    taken = after_taking(memory)
    then, left = turn(net, taken, worths), leaving(net, memory, worths)
    if then.knock is not None and not least_deadwood(taken.held ^ BITS[then.knock.card]):
        return Draw(True, then.learned, left)
    odds = Odds(memory, HABITS)
    gain = ranked(taken, Odds(taken, HABITS), HABITS)[0][0] - worth(memory, odds, HABITS, held)
    wanted = HABITS.from_stock
    if melds_with(held, top):
        wanted += TAKE_MELD
    else:
        wanted += HABITS.take + HABITS.take_per_round * memory.round
    both = then.learned - left + (gain - wanted) * worths.point
    return Draw(both > 0, then.learned, left)


TAKE_MELD = -20.0  # what makes a meld is taken, but where the network is very much against it


def _tempting(memory: Memory) -> bool:
    if memory.top is None:
        return False
    bit, held = BITS[memory.top], memory.held
    if melds_with(held, memory.top) or NEAR[memory.top] & held:
        return True
    both = held | bit
    return least_deadwood(both ^ BITS[best_discard(both, bit)]) < least_deadwood(held)


def after_taking(memory: Memory) -> Memory:
    """Return what the seat knows once it has taken the top of the pile."""
    bit = 0 if memory.top is None else BITS[memory.top]
    return replace(
        memory, phase="discard", held=memory.held | bit, locked=bit, pile=memory.pile & ~bit,
        shown=memory.shown | bit, idle=memory.idle + 1, top=None,
    )  # fmt: skip


def leaving(net: Net, memory: Memory, worths: Worths) -> float:
    """Judge leaving the top of the pile: for the stock, or, at the deal, to the other seat."""
    top = memory.top
    under = memory.pile & ~(0 if top is None else BITS[top])
    phase = network.PASSED if memory.phase == "upcard" else network.BEFORE_STOCK
    ground = net.ground(common(memory, under))
    asked = of_hand(memory, memory.held, memory.unseen, top, phase, 0.0)
    return net.worth(ground, asked, PLAY, worths.values)
