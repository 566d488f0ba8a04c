"""Cards in the pages of help: drawn hands, a card within a sentence, a figure worked out."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.help import drawings, figures
from games.replay.words import shown

register = template.Library()


@register.simple_tag
def card(name: str) -> SafeString:
    """A card as a small chip within a sentence."""
    (one,) = map(shown, drawings.cards_in(name))
    return format_html(
        '<span class="ci s-{}" role="img" aria-label="{}" data-chip="{}">{}</span>',
        one.suit, one.label, one.card, one.index,
    )  # fmt: skip


@register.simple_tag
def deadwood(cards: str) -> int:
    """The least deadwood of these cards."""
    return drawings.deadwood_in(cards)


@register.simple_tag
def gin_outs(cards: str) -> int:
    """How many cards would make gin of these ten."""
    return drawings.gin_outs_of(cards)


@register.simple_tag
def worth(end: str, knocker: int, defender: int) -> int:
    """What a hand that ended so is worth under the usual rules."""
    return figures.worth(end, knocker, defender)


@register.inclusion_tag("help/_hand.html")
def hand(cards: str, caption: str = "") -> dict[str, Any]:
    """A hand laid out by the engine, melds apart, its deadwood added up."""
    return {"groups": drawings.laid_out(cards), "caption": caption}


@register.inclusion_tag("help/_row.html")
def row(cards: str, caption: str = "") -> dict[str, Any]:
    """Cards in a row, as they are written, and how many would make a meld with them."""
    drawn = [shown(one) for one in drawings.cards_in(cards)]
    return {"cards": drawn, "caption": caption, "waits": drawings.outs_of(cards)}


@register.simple_tag
def showdown(
    knocker: str, defender: str, one: str, other: str, *, big: bool = False
) -> drawings.Laid:
    """Two hands laid open under the usual rules."""
    rules = figures.usual().scoring
    return drawings.example(knocker, defender, (one, other), rules, big=big)
