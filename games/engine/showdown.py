"""How a hand ended, with every hand laid out (rules, sections 5 and 6). No points: see scoring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.engine.arrangements import Arrangement, arrangements
from games.engine.cards import BITS, Card, Cards, spread
from games.engine.defence import LaidOff, best_defence
from games.engine.melds import least_deadwood
from games.engine.rules import PlayRules
from games.engine.seats import round_from

End = Literal["knock", "gin", "big_gin", "undercut", "first_knock", "void"]


@dataclass(frozen=True)
class Layout:
    """One hand at the showdown: melds, cards laid off on the knocker's melds, the rest.

    ``before`` is the deadwood the hand would have had without laying off.
    """

    melds: tuple[tuple[Card, ...], ...]
    laid_off: LaidOff
    loose: tuple[Card, ...]
    deadwood: int
    before: int


@dataclass(frozen=True)
class Outcome:
    """How a hand ended. ``layout`` has one entry a seat.

    In a void hand nobody knocked or won and both deadwoods are 0. ``spade``: the upcard was one.
    """

    end: End
    knocker: int | None
    winner: int | None
    knocker_deadwood: int
    defender_deadwood: int
    spade: bool
    thrown: Card | None
    layout: tuple[Layout, ...]


def void(held: Sequence[Cards], spade: bool) -> Outcome:
    """Return the outcome of a hand that nobody won."""
    layout = tuple(_laid_out(arrangements(cards)[0]) for cards in held)
    return Outcome("void", None, None, 0, 0, spade, None, layout)


def showdown(
    rules: PlayRules,
    held: Sequence[Cards],
    knocker: int,
    shown: Arrangement,
    thrown: Card | None,
    spade: bool,
) -> Outcome:
    """Lay out all hands after a knock, gin or big gin (nothing thrown) and say who won.

    The defenders lay off in turn, each also on what those before them laid off.
    """
    closed = shown.deadwood == 0 or not rules.layoffs or rules.format == "first_knock"
    layout = {knocker: _laid_out(shown)}
    melds = list(shown.melds)
    defenders = round_from(knocker, len(held))[1:]
    for seat in defenders:
        layout[seat] = _defence(held[seat], [] if closed else melds)
        for card, number in layout[seat].laid_off:
            melds[number] |= BITS[card]
    best = min(defenders, key=lambda seat: layout[seat].deadwood)
    defended = layout[best].deadwood
    end = _end(rules, shown.deadwood, defended, thrown)
    return Outcome(
        end=end,
        knocker=knocker,
        winner=best if end == "undercut" else knocker,
        knocker_deadwood=shown.deadwood,
        defender_deadwood=defended,
        spade=spade,
        thrown=thrown,
        layout=tuple(layout[seat] for seat in range(len(held))),
    )


def _end(rules: PlayRules, knocked: int, defended: int, thrown: Card | None) -> End:
    """Name the end (rules, section 5): nothing undercuts gin, and first to knock has won."""
    if rules.format == "first_knock":
        return "first_knock"
    if thrown is None:
        return "big_gin"
    if knocked == 0:
        return "gin"
    return "undercut" if defended <= knocked else "knock"


def _defence(cards: Cards, melds: Sequence[Cards]) -> Layout:
    defence = best_defence(cards, melds)
    return _laid_out(defence.rest, defence.laid_off, least_deadwood(cards))


def _laid_out(
    arrangement: Arrangement, laid_off: LaidOff = (), before: int | None = None
) -> Layout:
    return Layout(
        melds=tuple(spread(meld) for meld in arrangement.melds),
        laid_off=laid_off,
        loose=spread(arrangement.loose),
        deadwood=arrangement.deadwood,
        before=arrangement.deadwood if before is None else before,
    )
