"""How a player holds their cards: a sort, or an order of their own, kept on every device."""

from __future__ import annotations

from collections.abc import Sequence

from games.table.rights import Refused


def sort(table_id: int, user_id: int, sort: str, cards: Sequence[str]) -> None:
    """Keep the order of one's own hand."""
    raise Refused("not_yet", "")
