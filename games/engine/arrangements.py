"""Every way to lay out a hand at its least deadwood, the preselected one first (rules, section 6).

A run cut in two is shown whole and counts once: nothing fits on the one that does not fit on the
other. The order is that of every way to lay out the hand, cut runs among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.engine.cards import BITS, NAMES, POINTS, Cards, rank, spread
from games.engine.melds import least_deadwood
from games.engine.tables import SUIT

_KINDS = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four aces: shifted by a rank, the four cards of that rank."""


@dataclass(frozen=True)
class Arrangement:
    """One way to lay out a hand: its melds in the order of their text, and what is left over."""

    melds: tuple[Cards, ...]
    loose: Cards
    deadwood: int

    @property
    def text(self) -> str:
        """The melds as a move spells them: ``3d3h3s 7c8c9cTc``."""
        return " ".join(meld_text(meld) for meld in self.melds)


def meld_text(meld: Cards) -> str:
    """Write a meld: a run in rank order, a set in the order c d h s."""
    return "".join(NAMES[card] for card in spread(meld))


def is_run(meld: Cards) -> bool:
    """Tell a run from a set: its cards are neighbours."""
    return bool(meld & meld >> 1)


def below(run: Cards) -> Cards:
    """Return the card that continues a run downwards; nothing below an ace."""
    low = run & -run
    return low >> 1 if rank(low.bit_length() - 1) > 0 else 0


def above(run: Cards) -> Cards:
    """Return the card that continues a run upwards; nothing above a king."""
    last = run.bit_length() - 1
    return BITS[last] << 1 if rank(last) < 12 else 0


def fitting(meld: Cards) -> Cards:
    """Return the cards that fit directly: a set's fourth, a run's next card at either end."""
    if is_run(meld):
        return below(meld) | above(meld)
    return _KINDS << rank(meld.bit_length() - 1) & ~meld


def whole(melds: Iterable[Cards]) -> list[Cards]:
    """Return the melds with every run that was cut in two put together again."""
    joined: list[Cards] = []
    for meld in sorted(melds):
        before = below(meld) if is_run(meld) else 0
        for place, other in enumerate(joined):
            if other & before and is_run(other):
                joined[place] |= meld
                break
        else:
            joined.append(meld)
    return joined


@lru_cache(maxsize=2048)
def arrangements(cards: Cards) -> tuple[Arrangement, ...]:
    """Return every way to lay out these cards at their least deadwood.

    First the one onto which the fewest different other cards fit directly, then by the text of
    the melds, so that a replay always preselects the same.
    """
    least = least_deadwood(cards)
    found = []
    for melds in _layouts(cards, least, _melds_in(cards), ()):
        fits = 0
        for meld in melds:
            fits |= fitting(meld)
        found.append(((fits & ~cards).bit_count(), sorted(map(meld_text, melds)), melds))
    found.sort()
    return tuple(dict.fromkeys(_arrangement(cards, melds, least) for _, _, melds in found))


def _arrangement(cards: Cards, melds: Iterable[Cards], deadwood: int) -> Arrangement:
    ordered = tuple(sorted(whole(melds), key=meld_text))
    return Arrangement(ordered, cards & ~sum(ordered), deadwood)


def _layouts(
    cards: Cards, deadwood: int, melds: dict[Cards, list[Cards]], laid: tuple[Cards, ...]
) -> Iterator[tuple[Cards, ...]]:
    """Yield the melds of every layout with exactly this least deadwood.

    The lowest card is either left over or the first of a meld. ``least_deadwood`` of the rest
    says beforehand which of these still lead to the least, so that no way in vain is gone.
    """
    if not cards:
        yield laid
        return
    low = cards & -cards
    points = POINTS[low.bit_length() - 1]
    if points <= deadwood and least_deadwood(cards ^ low) == deadwood - points:
        yield from _layouts(cards ^ low, deadwood - points, melds, laid)
    for meld in melds.get(low, ()):
        if meld & cards == meld and least_deadwood(cards ^ meld) == deadwood:
            yield from _layouts(cards ^ meld, deadwood, melds, (*laid, meld))


def _melds_in(cards: Cards) -> dict[Cards, list[Cards]]:
    """Return every meld these cards hold, by its lowest card."""
    melds: dict[Cards, list[Cards]] = {}
    for meld in (*_sets_in(cards), *_runs_in(cards)):
        melds.setdefault(meld & -meld, []).append(meld)
    return melds


def _sets_in(cards: Cards) -> Iterator[Cards]:
    c, d, h, s = (cards >> shift & SUIT for shift in (0, 13, 26, 39))
    ranks = c & d & (h | s) | h & s & (c | d)
    while ranks:
        low = ranks & -ranks
        ranks ^= low
        kind = cards & low * _KINDS
        yield kind
        if kind.bit_count() == 4:
            for card in spread(kind):
                yield kind ^ BITS[card]


def _runs_in(cards: Cards) -> Iterator[Cards]:
    for shift in (0, 13, 26, 39):
        suit = cards >> shift & SUIT
        first = suit & suit >> 1 & suit >> 2
        while first:
            low = first & -first
            first ^= low
            run = low | low << 1
            following = low << 2
            while suit & following:
                run |= following
                following <<= 1
                yield run << shift
