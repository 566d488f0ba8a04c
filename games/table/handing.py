"""Seats that become another person's, when a guest turns out to have an account."""

from __future__ import annotations

from games.models import GameSeat, Table, Waiting
from games.table.rights import count_changes


def hand_over(user_id: int, to_id: int) -> None:
    """Give somebody's seats in games that are over to another, and their places in line up."""
    Waiting.objects.filter(user_id=user_id).delete()
    over = GameSeat.objects.filter(user_id=user_id, game__ended_at__isnull=False)
    tables = list(over.values_list("game__table_id", flat=True))
    over.update(user_id=to_id)
    # What processes keep of who came to a table when is another's now.
    count_changes(Table.objects.filter(pk__in=tables))
