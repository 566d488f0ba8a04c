"""Starts that were broken off once their chain was published: a server that draws again shows."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from games.models import Shuffle

LISTED_AT_MOST = 20


class Aborted(NamedTuple):
    """One of them: where, when, and what had been published."""

    table: int
    opened_at: datetime
    commitment: str


def aborted_in(room_id: int) -> list[Aborted]:
    """The latest in this room."""
    rows = Shuffle.objects.filter(
        game__table__room_id=room_id, settled_at=None, game__ended_at__isnull=False
    )
    fields = rows.order_by("-pk").values_list("game__table__number", "opened_at", "commitment")
    return [Aborted(*row) for row in fields[:LISTED_AT_MOST]]
