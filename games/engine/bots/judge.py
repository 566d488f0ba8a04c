"""The Expert's look at one decision: every discard, a knock, the pile or the stock, each judged."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.engine.bots import net as network
from games.engine.bots.equity import Values
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import NEAR, arranged, meldable
from games.engine.bots.memory import Memory
from games.engine.bots.net import PLAY, SHOW, Net, common, of_hand
from games.engine.bots.odds import Odds
from games.engine.cards import BITS, Card, spread
from games.engine.melds import best_discard, least_deadwood


class Judged(NamedTuple):
    """A card to throw and what that is worth; ``knock`` where it is thrown face down."""

    value: float
    card: Card
    knock: bool = False


def throws(net: Net, memory: Memory, values: Values) -> list[Judged]:
    """Judge what may be thrown by a seat that holds eleven cards, the best first."""
    odds = Odds(memory, HABITS)
    held, unseen = memory.held, odds.unseen
    best = best_discard(held, memory.locked)
    _, loose, _ = arranged(held)
    ground = net.ground(common(memory, memory.pile))
    found = []
    for card in spread(loose & ~memory.locked | BITS[best]):
        hand = held ^ BITS[card]
        asked = of_hand(memory, hand, unseen, card, network.THREW, odds.danger(card))
        found.append(Judged(net.worth(ground, asked, PLAY, values), card))
    kept = held ^ BITS[best]
    if least_deadwood(kept) <= memory.limit:
        asked = of_hand(memory, kept, unseen, None, network.KNOCKING, 0.0)
        found.append(Judged(net.worth(ground, asked, SHOW, values), best, knock=True))
    return sorted(found, key=lambda each: (-each.value, not each.knock, each.card))


def tempting(memory: Memory) -> bool:
    """Tell whether the top of the pile could be of any use."""
    if memory.top is None:
        return False
    bit, held = BITS[memory.top], memory.held
    if meldable(held) & bit or NEAR[memory.top] & held:
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


def leaving(net: Net, memory: Memory, values: Values) -> float:
    """Judge leaving the top of the pile: for the stock, or, at the deal, to the other seat."""
    top = memory.top
    under = memory.pile & ~(0 if top is None else BITS[top])
    phase = network.PASSED if memory.phase == "upcard" else network.BEFORE_STOCK
    ground = net.ground(common(memory, under))
    asked = of_hand(memory, memory.held, memory.unseen, top, phase, 0.0)
    return net.worth(ground, asked, PLAY, values)
