"""The best defence against a knock: own melds and lay-offs chosen together (rules, section 6).

It can be right to break a meld of one's own to lay its cards off. So every possible choice of
lay-offs is tried, chains included, and what remains is melded at its least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from games.engine.arrangements import Arrangement, above, arrangements, below, fitting, is_run
from games.engine.cards import Card, Cards, gather, spread
from games.engine.melds import least_deadwood

LaidOff = tuple[tuple[Card, int], ...]
"""Cards laid off, each with the number of the meld it was put on, in the order they were laid."""


@dataclass(frozen=True)
class Defence:
    """What a defender lays off, and how they lay out the rest."""

    laid_off: LaidOff
    rest: Arrangement


def best_defence(cards: Cards, melds: Sequence[Cards]) -> Defence:
    """Return the defence that leaves the least deadwood, exactly.

    Among equals the one that lays the fewest cards off, as a player would sooner keep their
    melds, and then the first in the order of cards and melds.
    """
    choices = [(tuple[tuple[Card, int], ...](), cards)]
    for number, meld in enumerate(melds):
        choices = [
            ((*laid, *((card, number) for card in more)), rest & ~gather(more))
            for laid, rest in choices
            for more in _onto(meld, rest)
        ]
    laid_off, rest = min(
        choices, key=lambda choice: (least_deadwood(choice[1]), len(choice[0]), choice[0])
    )
    return Defence(laid_off, arrangements(rest)[0])


def _onto(meld: Cards, cards: Cards) -> Iterator[tuple[Card, ...]]:
    """Yield every choice of these cards that can be laid on the meld, none of them included."""
    if not is_run(meld):
        yield ()
        if fourth := fitting(meld) & cards:
            yield spread(fourth)
        return
    for down in _chain(meld, cards, below):
        for up in _chain(meld, cards, above):
            yield (*down, *up)


def _chain(run: Cards, cards: Cards, beyond: Callable[[Cards], Cards]) -> list[tuple[Card, ...]]:
    """Return the cards that continue a run at one end: none, the next, the next two, and so on."""
    chains: list[tuple[Card, ...]] = [()]
    while following := beyond(run) & cards:
        run |= following
        chains.append((*chains[-1], *spread(following)))
    return chains
