"""The choice of a level wherever one can play against the computer."""

from __future__ import annotations

from typing import Any

from django import template

from accounts import bots
from games import rooms

register = template.Library()
KNOWN = "practice of the reader"


@register.inclusion_tag("games/_levels.html", takes_context=True)
def computer_levels(context: dict[str, Any]) -> dict[str, Any]:
    """The levels, the one last played against being chosen."""
    return {"levels": bots.choices(), "level": _practice(context)[1]}


@register.inclusion_tag("games/_level_names.html")
def level_names() -> dict[str, Any]:
    """The name of each level, of which the style sheet shows the one that is chosen."""
    return {"levels": bots.choices()}


@register.simple_tag(takes_context=True)
def practice_room(context: dict[str, Any]) -> int | None:
    """The room where this reader plays against the computer, once they have."""
    return _practice(context)[0]


def _practice(context: dict[str, Any]) -> tuple[int | None, str]:
    """A page may hold the choice more than once: it is asked for once."""
    known, user = vars(context["request"]), context["user"]
    if KNOWN not in known:
        known[KNOWN] = rooms.practice_of(user.pk or 0)
    return known[KNOWN]
