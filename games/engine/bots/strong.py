"""The Fort: remembers what the other took, threw and left, and weighs outs against danger.

Of what it could throw it keeps the hand with the least deadwood and the best draw to come, and
spares the other seat what it may be waiting for. When to knock, or to wait for less or for gin, it
decides by the length of the hand, by what the other was seen to take, and by the score.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.bots.habits import HABITS, Habits
from games.engine.bots.hands import NEAR, arranged, melds_with
from games.engine.bots.memory import Memory, remember
from games.engine.bots.odds import Odds, outlook
from games.engine.bots.score import Score
from games.engine.cards import BITS, NAMES, Card, Cards, spread
from games.engine.melds import best_discard, least_deadwood
from games.engine.view import View

SURE_GAIN = 5  # the least that a knock is expected to bring, in a hand of usual length


def strong(views: Sequence[View], score: Score, habits: Habits = HABITS) -> str:
    """Return the move of the seat whose views these are, when it is to act."""
    memory = remember(views)
    odds = Odds(memory, habits)
    legal: list[str] = views[-1]["legal"]
    if "draw discard" in legal and memory.top is not None:
        if takes(memory, odds, score, habits):
            return "draw discard"
        return "pass" if "pass" in legal else "draw stock"
    for move in ("draw stock", "big gin"):
        if move in legal:
            return move
    for knock in views[-1]["knocks"][:1]:
        if knock["deadwood"] <= patience(memory, score, habits):
            return f"knock {knock['card']}"
    return f"discard {NAMES[ranked(memory, odds, habits)[0][1]]}"


def patience(memory: Memory, score: Score, habits: Habits) -> float:
    """Return the most deadwood it knocks with: less, the further the other seems to have got."""
    if score.first_knock:
        return memory.limit
    at = habits.knock_at[min(memory.round // 2, len(habits.knock_at) - 1)]
    if score.mine + SURE_GAIN >= score.target:
        return max(at, memory.limit)
    most = at - habits.knock_less_per_card * memory.known.bit_count()
    if not score.undercut:
        most += SURE_GAIN
    return max(0.0, most)


def ranked(memory: Memory, odds: Odds, habits: Habits) -> list[tuple[float, Card]]:
    """Return what may be thrown with its worth, the best first; melds are kept."""
    held, free = memory.held, memory.held & ~memory.locked
    _, loose, _ = arranged(held)
    cards = loose & free or BITS[best_discard(held, memory.locked)]
    worths = [
        (worth(memory, odds, habits, held ^ BITS[card]) - _risk(memory, odds, habits, card), card)
        for card in spread(cards)
    ]
    return sorted(worths, reverse=True)


def worth(memory: Memory, odds: Odds, habits: Habits, hand: Cards) -> float:
    """Return how good ten cards are, in points."""
    deadwood, loose, _ = arranged(hand)
    ahead = outlook(hand, deadwood, loose, odds.unseen, memory.limit)
    rounds = memory.round
    return (
        -(habits.deadwood + habits.deadwood_per_round * rounds) * deadwood
        + (habits.gain + habits.gain_per_round * rounds) * ahead.gain
        + (habits.knock + habits.knock_per_round * rounds) * ahead.knock
        + habits.gin * ahead.gin
        + habits.outs * ahead.outs
        - habits.heavy * deadwood * deadwood / 50
    )


def _risk(memory: Memory, odds: Odds, habits: Habits, card: Card) -> float:
    return (habits.danger + habits.danger_per_round * memory.round) * odds.danger(card)


def takes(memory: Memory, odds: Odds, score: Score, habits: Habits) -> bool:
    """Tell whether the top of the pile is worth more than an unknown card."""
    if memory.top is None:
        return False
    bit = BITS[memory.top]
    held, both = memory.held, memory.held | bit
    now = least_deadwood(held)
    after = least_deadwood(both ^ BITS[best_discard(both, bit)])
    knocks = after <= min(memory.limit, patience(memory, score, habits))
    if knocks and (now > memory.limit or after == 0):
        return True
    melds = melds_with(held, memory.top)
    if not melds and not NEAR[memory.top] & held and after >= now:
        return False
    taken = Memory(**{**memory.__dict__, "held": both, "locked": bit})
    gain = ranked(taken, odds, habits)[0][0] - worth(memory, odds, habits, held)
    wanted = habits.take_meld if melds else habits.take + habits.take_per_round * memory.round
    return gain - habits.from_stock > wanted
