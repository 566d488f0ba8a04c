"""Calling a game off: one offers, the other accepts or refuses (rules, section 12)."""

from __future__ import annotations

from typing import Literal

from games.table.rights import Refused


def call_off(table_id: int, user_id: int, answer: Literal["offer", "accept", "refuse"]) -> None:
    """Offer to call the game off, or answer the offer that stands."""
    raise Refused("not_yet", "")
