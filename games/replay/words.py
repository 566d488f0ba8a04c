"""Cards and moves in words, as pieces of a sentence: what stands before the card, it, and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
CARD = "%(card)s"


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of the page: its text, and how it is read out."""

    card: str
    label: str
    laid_off: bool = False
    drawn: bool = False

    @property
    def suit(self) -> str:
        return self.card[1]

    @property
    def index(self) -> str:
        """Its rank and suit in print: "10♥"."""
        return ("10" if self.card[0] == "T" else self.card[0]) + SUIT_SIGNS[self.suit]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with at most one card in it."""

    before: str
    card: Shown | None = None
    after: str = ""


def card_name(card: str) -> str:
    """"queen of diamonds", for whoever listens."""
    ranks = {
        "A": _("ace"), "2": _("two"), "3": _("three"), "4": _("four"), "5": _("five"),
        "6": _("six"), "7": _("seven"), "8": _("eight"), "9": _("nine"), "T": _("ten"),
        "J": _("jack"), "Q": _("queen"), "K": _("king"),
    }  # fmt: skip
    suits = {"c": _("clubs"), "d": _("diamonds"), "h": _("hearts"), "s": _("spades")}
    return _("%(rank)s of %(suit)s") % {"rank": ranks[card[0]], "suit": suits[card[1]]}


def shown(card: str) -> Shown:
    return Shown(card, card_name(card))


def deal_said(view: dict[str, Any], names: Sequence[str]) -> Sentence:
    """What there is to say of the first moment."""
    name = names[view["dealer"]]
    return said(_("%(name)s deals and turns up %(card)s."), name, view["upcard"])


def move_said(view: dict[str, Any], names: Sequence[str]) -> Sentence:
    """The move that led to this moment."""
    (entry,) = view["log"]
    name = names[entry["seat"]]
    verb, *cards = entry["move"].split()
    if verb == "pass":
        return said(_("%(name)s passes."), name)
    if verb == "big":
        return said(_("%(name)s declares big gin."), name)
    if verb == "draw":
        taken = cards[0] == "discard"
        format = _("%(name)s takes %(card)s.") if taken else _("%(name)s draws %(card)s.")
        return said(format, name, entry["card"])
    if verb == "discard":
        return said(_("%(name)s discards %(card)s."), name, cards[0])
    deadwood = view["result"]["knocker_deadwood"]
    if deadwood == 0:
        return said(_("%(name)s goes gin and throws %(card)s."), name, cards[0])
    format = _("%(name)s knocks with %(deadwood)s and throws %(card)s.")
    return said(format, name, cards[0], deadwood=deadwood)


def said(format: str, name: str, card: str | None = None, **values: object) -> Sentence:
    """Fill a sentence; the card's article goes with the words before it."""
    if card is None:
        return Sentence(format % {"name": name, **values})
    before, _card, after = format.partition(CARD)
    values = {"name": name, **values}
    return Sentence(before % values + article(card), shown(card), after % values)


def article(card: str) -> str:
    """French needs it to agree with the rank."""
    if card[0] == "Q":
        return pgettext("article before queen", "the ")
    if card[0] == "A":
        return pgettext("article before ace", "the ")
    return pgettext("article before another card", "the ")


def meld_name(cards: Sequence[str]) -> str:
    """Run, set, or set of four."""
    if len({card[0] for card in cards}) > 1:
        return _("Run")
    return _("Set of four") if len(cards) > 3 else _("Set")
