"""What the list of moves shows of the coach's remarks."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from games.coach.page import Remark

register = template.Library()


@register.filter
def at_ply(signs: Mapping[int, Remark] | str, ply: int) -> Remark | None:
    """The remark a move is marked with, if it is; there is none before the coach is done."""
    return signs.get(ply) if isinstance(signs, Mapping) else None
