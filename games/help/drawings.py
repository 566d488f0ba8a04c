"""Hands drawn in the pages of help. The engine lays them out and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine.arrangements import arrangements
from games.engine.cards import CARDS, DECK, gather, points, rank, spread, texts
from games.engine.melds import least_after_discard, least_deadwood
from games.engine.rules import PlayRules
from games.engine.seats import next_seat
from games.engine.showdown import Layout, Outcome, showdown
from games.replay.words import Shown, meld_name, shown
from scoring.rules import HandResult, Line, ScoringRules, hand_line

View = Mapping[str, Any]


class NoSuchExample(ValueError):
    """A page draws a hand that cannot be: it is wrong, and its test says so."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, and what is written under them."""

    cards: Sequence[Shown]
    caption: str
    dead: bool = False
    number: int | None = None
    laid_off: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cards at a showdown."""

    name: str
    groups: Sequence[Group]
    deadwood: int
    before: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A showdown: the knocker's side first, and the line it puts on the sheet."""

    sides: tuple[Side, Side]
    outcome: Outcome
    line: Line


def cards_in(text: str) -> list[str]:
    """The cards of "7h 8h 9h", each there once."""
    cards = text.split()
    if not set(cards) <= CARDS.keys() or len(set(cards)) < len(cards):
        raise NoSuchExample(text)
    return cards


def deadwood_in(text: str) -> int:
    """The least deadwood these cards allow."""
    return least_deadwood(gather(CARDS[card] for card in cards_in(text)))


def outs_of(text: str) -> int:
    """How many cards would make a meld together with some of these, which make none yet."""
    held = [CARDS[card] for card in cards_in(text)]
    alone = sum(map(points, held))
    return sum(
        least_deadwood(gather([*held, card])) < alone + points(card)
        for card in DECK
        if card not in held
    )


def gin_outs_of(text: str) -> int:
    """How many cards would make gin of these ten."""
    held = [CARDS[card] for card in cards_in(text)]
    return sum(least_after_discard(gather([*held, card])) == 0 for card in DECK if card not in held)


def laid_out(text: str) -> list[Group]:
    """A hand as the table shows it: its melds, and what is left with its sum."""
    best = arrangements(gather(CARDS[card] for card in cards_in(text)))[0]
    return [
        *(meld(texts(spread(one))) for one in best.melds),
        *([left_over(texts(spread(best.loose)))] if best.loose else []),
    ]


def meld(cards: Sequence[str], added: Sequence[str] = (), by: str = "") -> Group:
    """A meld with the cards the other player laid off on it."""
    laid = [
        Shown(one, _("%(card)s, laid off by %(name)s") % {"card": shown(one).label, "name": by},
              laid_off=True)
        for one in added
    ]  # fmt: skip
    drawn = [*map(shown, cards), *laid]
    if len({card[0] for card in cards}) > 1:
        drawn.sort(key=lambda one: CARDS[one.card])
    return Group(drawn, meld_name(cards), laid_off=", ".join(one.index for one in laid))


def left_over(cards: Sequence[str]) -> Group:
    """The deadwood, and how it adds up."""
    ordered = sorted(cards, key=lambda card: (rank(CARDS[card]), CARDS[card]))
    sums = [points(CARDS[card]) for card in ordered]
    added = f"{' + '.join(map(str, sums))} =" if len(sums) > 1 else _("Deadwood")
    return Group([shown(card) for card in ordered], added, dead=True, number=sum(sums))


def example(
    knocker: str, defender: str, names: tuple[str, str], rules: ScoringRules, *, big: bool = False
) -> Laid:
    """Two hands laid open after a knock (or gin) by the first; eleven cards are big gin."""
    held = [gather(CARDS[card] for card in cards_in(text)) for text in (knocker, defender)]
    if held[0] & held[1] or [hand.bit_count() for hand in held] != [11 if big else 10, 10]:
        raise NoSuchExample(f"{knocker} / {defender}")
    thrown = None if big else 0
    best = arrangements(held[0])[0]
    outcome = showdown(PlayRules(big_gin=True), held, 0, best, thrown, spade=False)
    return laid(outcome, names, rules)


def laid(outcome: Outcome, names: tuple[str, str], rules: ScoringRules) -> Laid:
    """A showdown as it is drawn, seat 0 named first."""
    knocker = outcome.knocker or 0
    result = HandResult(
        outcome.winner, outcome.end, outcome.knocker_deadwood, outcome.defender_deadwood
    )
    line = hand_line(rules, 1, result)
    if line is None:
        raise NoSuchExample(outcome.end)
    order = (knocker, next_seat(knocker, 2))
    first, second = (_side(outcome.layout, seat, names, knocker) for seat in order)
    return Laid((first, second), outcome, line)


def _side(layout: Sequence[Layout], seat: int, names: tuple[str, str], knocker: int) -> Side:
    against = next_seat(seat, 2)
    own, other = layout[seat], layout[against]
    groups = []
    for at, one in enumerate(own.melds):
        added = [card for card, number in other.laid_off if number == at]
        on_it = texts(added) if seat == knocker else []
        groups.append(meld(texts(one), on_it, names[against]))
    if own.loose:
        groups.append(left_over(texts(own.loose)))
    return Side(names[seat], groups, own.deadwood, own.before)
