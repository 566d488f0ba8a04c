"""Hands at a glance, as the stronger levels need them ten thousand times a move: bits alone.

Nothing here builds an object of the engine; the answers are the engine's own, but for the knocker's
choice among equal arrangements, which is the first found.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.engine.cards import POINTS, Card, Cards
from games.engine.defence import best_defence
from games.engine.melds import least_after_discard, least_deadwood
from games.engine.tables import IN_RUNS, LOOSE, SUIT

ACES: Final[Cards] = 1 | 1 << 13 | 1 << 26 | 1 << 39
KINGS: Final[Cards] = ACES << 12
NOT_ACES: Final[Cards] = ((1 << 52) - 1) ^ ACES
NOT_KINGS: Final[Cards] = ((1 << 52) - 1) ^ KINGS
BY_POINTS: Final[tuple[Cards, ...]] = tuple(
    sum(1 << card for card in range(52) if POINTS[card] == points) for points in range(11)
)
"""The cards that count so many points."""


def near_in_suit(cards: Cards) -> Cards:
    """Return the cards of the same suits one or two ranks from any of these."""
    up = (cards & NOT_KINGS) << 1
    down = (cards & NOT_ACES) >> 1
    return up | down | (up & NOT_KINGS) << 1 | (down & NOT_ACES) >> 1


def of_rank(cards: Cards) -> Cards:
    """Return all cards of the ranks of these."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    return ranks * ACES


def of_rank_twice(cards: Cards) -> Cards:
    """Return all cards of the ranks of which at least two are here."""
    c = cards & SUIT
    d = cards >> 13 & SUIT
    h = cards >> 26 & SUIT
    s = cards >> 39
    return (c & (d | h | s) | d & (h | s) | h & s) * ACES


NEAR: Final[tuple[Cards, ...]] = tuple(
    (near_in_suit(1 << card) | of_rank(1 << card)) & ~(1 << card) for card in range(52)
)
"""The cards that could meet this one in a meld."""


def meldable(cards: Cards) -> Cards:
    """Return the other cards that would make a meld with two of these."""
    up = (cards & NOT_KINGS) << 1
    down = (cards & NOT_ACES) >> 1
    runs = up & ((up & NOT_KINGS) << 1 | down) | down & (down & NOT_ACES) >> 1
    return (runs | of_rank_twice(cards)) & ~cards


def melds_with(cards: Cards, card: Card) -> bool:
    """Tell whether one more card would lie in a meld of these, and leave less to throw away."""
    bit, now = 1 << card, least_deadwood(cards)
    if not now or not meldable(cards) & bit:
        return False
    return least_deadwood(cards | bit) < now + POINTS[card]


@lru_cache(maxsize=1 << 16)
def arranged(cards: Cards) -> tuple[int, Cards, Cards]:
    """Return the least deadwood, the cards that are then left over, and those in sets."""
    c = cards & SUIT
    d = cards >> 13 & SUIT
    h = cards >> 26 & SUIT
    s = cards >> 39
    ranks = c & d & (h | s) | h & s & (c | d)
    sets: Cards = 0
    if ranks:
        wanted = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
        sets = (ranks ^ wanted) * ACES & cards
        if wanted:
            sets |= _best_sets(cards & ~sets, wanted)[1]
        rest = cards & ~sets
        c = rest & SUIT
        d = rest >> 13 & SUIT
        h = rest >> 26 & SUIT
        s = rest >> 39
    runs = IN_RUNS[c] | IN_RUNS[d] << 13 | IN_RUNS[h] << 26 | IN_RUNS[s] << 39
    return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s], cards & ~(sets | runs), sets


def _best_sets(cards: Cards, ranks: int) -> tuple[int, Cards]:
    """Return the least deadwood and the sets it takes, of ranks that a run wants too."""
    if not ranks:
        c, d, h, s = cards & SUIT, cards >> 13 & SUIT, cards >> 26 & SUIT, cards >> 39
        return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s], 0
    rank = ranks & -ranks
    ranks ^= rank
    kind = rank * ACES & cards
    best, taken = _best_sets(cards, ranks)
    choices = [kind]
    if kind.bit_count() == 4:
        choices += [kind & ~(rank << shift) for shift in (0, 13, 26, 39)]
    for choice in choices:
        least, more = _best_sets(cards & ~choice, ranks)
        if least < best:
            best, taken = least, more | choice
    return best, taken


@lru_cache(maxsize=1 << 16)
def least_of_eleven(cards: Cards) -> int:
    """``least_after_discard``, remembered."""
    return least_after_discard(cards)


def melds_of(cards: Cards) -> list[Cards]:
    """Return the melds of one arrangement with the least deadwood."""
    _, loose, sets = arranged(cards)
    melds = []
    ranks = (sets | sets >> 13 | sets >> 26 | sets >> 39) & SUIT
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        melds.append(rank * ACES & sets)
    runs = cards & ~(loose | sets)
    for shift in (0, 13, 26, 39):
        suit = runs >> shift & SUIT
        while suit:
            block = suit & ~(suit + (suit & -suit))
            suit ^= block
            melds.append(block << shift)
    return melds


def after_laying_off(cards: Cards, melds: list[Cards]) -> int:
    """Return the least deadwood of a defender against a knock with these melds."""
    reach = 0
    for meld in melds:
        reach |= near_in_suit(meld) if meld & meld >> 1 else of_rank(meld)
    if not reach & cards:
        return least_deadwood(cards)
    return best_defence(cards, melds).rest.deadwood


def highest(cards: Cards) -> Card:
    """Return the card of the highest rank among these."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    top = cards & (1 << ranks.bit_length() - 1) * ACES
    return (top & -top).bit_length() - 1
