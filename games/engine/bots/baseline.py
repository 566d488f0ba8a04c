"""The Habitué: how somebody plays who has played for years and thinks of their own cards only.

It takes a card from the pile when that card goes into a meld, throws the highest card that neither
lies in a meld nor could soon, and knocks as soon as it may. A seat's view goes in, a move comes
out; where two moves are as good, chance is asked, which is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.engine.cards import BITS, CARDS, NAMES, POINTS, Card, gather, rank, suit
from games.engine.melds import least_deadwood
from games.engine.view import View

Chance = Callable[[int], int]
"""Given a number, one of the numbers below it, each as likely."""

NEAR: Final = 2  # ranks apart in one suit, two cards may still meet in a run


def habitue(view: View, chance: Chance, knock_at: int = 10) -> str:
    """Return the move of the seat whose view this is, when it is to act.

    ``knock_at`` is patience: with more deadwood than that it plays on, though it might knock.
    """
    legal: list[str] = view["legal"]
    if "draw discard" in legal and improves(view):
        return "draw discard"
    for move in ("pass", "draw stock", "big gin"):
        if move in legal:
            return move
    if view["knocks"] and view["knocks"][0]["deadwood"] <= knock_at:
        return f"knock {view['knocks'][0]['card']}"
    return f"discard {NAMES[_thrown(view, chance)]}"


def improves(view: View) -> bool:
    """Tell whether the top of the pile would lie in a meld, and leave less to throw away."""
    card: Card = CARDS[view["pile"][0]]
    now: int = view["deadwood"]
    least = least_deadwood(gather(_cards(view["held"])) | BITS[card])
    return now > 0 and least < now + POINTS[card]


def meets_another(view: View) -> bool:
    """Tell whether the top of the pile would make a pair, or half a run, with a loose card."""
    card: Card = CARDS[view["pile"][0]]
    return any(_may_meet(card, other) for other in _cards(view["loose"]))


def _thrown(view: View, chance: Chance) -> Card:
    loose = [card for card in _cards(view["loose"]) if NAMES[card] not in view["locked"]]
    if not loose:
        return CARDS[view["best_discard"]]
    useless = [card for card in loose if not any(_may_meet(card, other) for other in loose)]
    among = useless or loose
    highest = max(POINTS[card] for card in among)
    best = [card for card in among if POINTS[card] == highest]
    return best[chance(len(best))]


def _may_meet(card: Card, other: Card) -> bool:
    """Tell whether one more card could make a meld of these two."""
    if card == other:
        return False
    if suit(card) == suit(other):
        return abs(card - other) <= NEAR
    return rank(card) == rank(other)


def _cards(names: Sequence[str]) -> list[Card]:
    return [CARDS[name] for name in names]
