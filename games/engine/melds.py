"""The least deadwood of a hand, exactly and fast (rules, section 1).

Runs of one suit never compete, so a hand without a possible set is four look-ups. A rank whose
cards lie in no run is taken as a set outright; only the ranks that a run wants too are tried
both ways. c, d, h and s below are the thirteen bits of each suit, and every set of ranks is
thirteen bits as well.
"""

from __future__ import annotations

from games.engine.cards import POINTS, Card, Cards, spread, suit
from games.engine.tables import HIGHEST, IN_RUNS, LOOSE, SUIT

_MORE_THAN_ANY = 1000


def least_deadwood(cards: Cards) -> int:
    """Return the least that can be left over, over all ways of melding these cards."""
    c = cards & SUIT
    d = cards >> 13 & SUIT
    h = cards >> 26 & SUIT
    s = cards >> 39
    ranks = c & d & (h | s) | h & s & (c | d)
    if not ranks:
        return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
    wanted = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
    if wanted != ranks:
        rest = ~(ranks ^ wanted)
        c &= rest
        d &= rest
        h &= rest
        s &= rest
        if not wanted:
            return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
    if wanted & (wanted - 1):
        return _least_of_several(c, d, h, s, wanted)
    return _least_of_one(c, d, h, s, wanted)


def _least_of_one(c: int, d: int, h: int, s: int, rank: int) -> int:
    """Choose between no set of this rank, the whole set, and three of four."""
    rest = ~rank
    none = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
    whole = LOOSE[c & rest] + LOOSE[d & rest] + LOOSE[h & rest] + LOOSE[s & rest]
    if c & d & h & s & rank:
        whole -= max(
            LOOSE[c & rest] - LOOSE[c],
            LOOSE[d & rest] - LOOSE[d],
            LOOSE[h & rest] - LOOSE[h],
            LOOSE[s & rest] - LOOSE[s],
            0,
        )
    return whole if whole < none else none


def _least_of_several(c: int, d: int, h: int, s: int, ranks: int) -> int:
    """Make the same choice for the lowest of these ranks, and below each the next one's.

    Only a card that a run wants is ever left out of a set of four.
    """
    rank = ranks & -ranks
    ranks ^= rank
    least_of = _least_of_several if ranks & (ranks - 1) else _least_of_one
    rest = ~rank
    c_ = c & rest
    d_ = d & rest
    h_ = h & rest
    s_ = s & rest
    none = least_of(c, d, h, s, ranks)
    whole = least_of(c_, d_, h_, s_, ranks)
    least = whole if whole < none else none
    if c & d & h & s & rank:
        if IN_RUNS[c] & rank:
            least = min(least, least_of(c, d_, h_, s_, ranks))
        if IN_RUNS[d] & rank:
            least = min(least, least_of(c_, d, h_, s_, ranks))
        if IN_RUNS[h] & rank:
            least = min(least, least_of(c_, d_, h, s_, ranks))
        if IN_RUNS[s] & rank:
            least = min(least, least_of(c_, d_, h_, s, ranks))
    return least


def least_after_discard(cards: Cards) -> int:
    """Return the least that can be left over of eleven cards when the best of them is gone.

    However eleven cards are melded, one can go without loss: a loose one, or one of a meld of
    four or more, since melds of three do not add up to eleven. So of any choice of sets the
    highest loose card goes, and a set that no run wants is taken outright as before.
    """
    c = cards & SUIT
    d = cards >> 13 & SUIT
    h = cards >> 26 & SUIT
    s = cards >> 39
    ranks = c & d & (h | s) | h & s & (c | d)
    if ranks:
        wanted = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
        if wanted != ranks:
            rest = ~(ranks ^ wanted)
            return _least_thrown(c & rest, d & rest, h & rest, s & rest, wanted, _MORE_THAN_ANY)
    return _least_thrown(c, d, h, s, ranks, _MORE_THAN_ANY)


def _least_thrown(c: int, d: int, h: int, s: int, ranks: int, least: int) -> int:
    """Try these ranks both ways and throw the highest loose card; ``least`` is the best so far."""
    if not ranks:
        deadwood = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
        if deadwood - 10 >= least:
            return least
        thrown = HIGHEST[c]
        if HIGHEST[d] > thrown:
            thrown = HIGHEST[d]
        if HIGHEST[h] > thrown:
            thrown = HIGHEST[h]
        if HIGHEST[s] > thrown:
            thrown = HIGHEST[s]
        deadwood -= thrown
        return deadwood if deadwood < least else least
    rank = ranks & -ranks
    ranks ^= rank
    rest = ~rank
    c_ = c & rest
    d_ = d & rest
    h_ = h & rest
    s_ = s & rest
    least = _least_thrown(c_, d_, h_, s_, ranks, least)
    least = _least_thrown(c, d, h, s, ranks, least)
    if c & d & h & s & rank:
        if IN_RUNS[c] & rank:
            least = _least_thrown(c, d_, h_, s_, ranks, least)
        if IN_RUNS[d] & rank:
            least = _least_thrown(c_, d, h_, s_, ranks, least)
        if IN_RUNS[h] & rank:
            least = _least_thrown(c_, d_, h, s_, ranks, least)
        if IN_RUNS[s] & rank:
            least = _least_thrown(c_, d_, h_, s, ranks, least)
    return least


def best_discards(cards: Cards, locked: Cards = 0) -> tuple[int, Cards]:
    """Return the least deadwood after a discard and every discard that reaches it.

    ``locked`` cards may not be thrown: the one just taken from the pile (rules, section 4).
    """
    least, best = _MORE_THAN_ANY, 0
    left = cards & ~locked
    while left:
        bit = left & -left
        left ^= bit
        deadwood = least_deadwood(cards ^ bit)
        if deadwood < least:
            least, best = deadwood, bit
        elif deadwood == least:
            best |= bit
    return least, best


def best_discard(cards: Cards, locked: Cards = 0) -> Card:
    """Return the one discard the table would choose among the best.

    The highest in points, then the first suit in the order c d h s, then the highest rank.
    """
    _, best = best_discards(cards, locked)
    return max(spread(best), key=lambda card: (POINTS[card], -suit(card), card))
