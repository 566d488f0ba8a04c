"""The least deadwood of a hand, exactly and fast (rules, section 1).

Runs of one suit never compete, so a hand without a possible set is four look-ups. A rank whose
cards lie in no run is taken as a set outright; only the ranks that a run wants too are tried
both ways. c, d, h and s below are the thirteen bits of each suit, and every set of ranks is
thirteen bits as well.
"""

from __future__ import annotations

from games.engine.cards import POINTS, Card, Cards, spread, suit
from games.engine.tables import IN_RUNS, LOOSE, NONE, SAVING, SUIT

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

    With eleven cards a set that no run wants may be taken before the discard is chosen: of the
    other eight or seven cards one can always go without loss, as they are not all needed in
    melds of three (and a fourth card of a set costs nothing either).
    """
    c = cards & SUIT
    d = cards >> 13 & SUIT
    h = cards >> 26 & SUIT
    s = cards >> 39
    ranks = c & d & (h | s) | h & s & (c | d)
    if not ranks:
        return _least_thrown(c, d, h, s, 0, NONE, _MORE_THAN_ANY)
    wanted = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
    taken = ranks ^ wanted
    saving = 0 if taken & c & d & h & s else NONE
    rest = ~taken
    return _least_thrown(c & rest, d & rest, h & rest, s & rest, wanted, saving, _MORE_THAN_ANY)


def _least_thrown(c: int, d: int, h: int, s: int, ranks: int, saving: int, least: int) -> int:
    """Try these ranks both ways and throw the best card of what no set holds.

    ``saving`` is what throwing a card from the sets already taken brings: nothing from a set of
    four, and a set of three cannot spare one. ``least`` is the best found so far.
    """
    if not ranks:
        deadwood = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
        if deadwood - 10 >= least:
            return least
        for_c = SAVING[c]
        if for_c > saving:
            saving = for_c
        for_d = SAVING[d]
        if for_d > saving:
            saving = for_d
        for_h = SAVING[h]
        if for_h > saving:
            saving = for_h
        for_s = SAVING[s]
        if for_s > saving:
            saving = for_s
        deadwood -= saving
        return deadwood if deadwood < least else least
    rank = ranks & -ranks
    ranks ^= rank
    rest = ~rank
    c_ = c & rest
    d_ = d & rest
    h_ = h & rest
    s_ = s & rest
    if not c & d & h & s & rank:
        least = _least_thrown(c_, d_, h_, s_, ranks, saving, least)
        return _least_thrown(c, d, h, s, ranks, saving, least)
    least = _least_thrown(c_, d_, h_, s_, ranks, 0, least)
    least = _least_thrown(c, d, h, s, ranks, saving, least)
    if IN_RUNS[c] & rank:
        least = _least_thrown(c, d_, h_, s_, ranks, saving, least)
    if IN_RUNS[d] & rank:
        least = _least_thrown(c_, d, h_, s_, ranks, saving, least)
    if IN_RUNS[h] & rank:
        least = _least_thrown(c_, d_, h, s_, ranks, saving, least)
    if IN_RUNS[s] & rank:
        least = _least_thrown(c_, d_, h_, s, ranks, saving, least)
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
