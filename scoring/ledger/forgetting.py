"""A player's name taken off every sheet: no line, no total and no seat of theirs is touched."""

from __future__ import annotations

from accounts import names
from scoring import live
from scoring.models import ScoreSheet, SheetSeat


def forget(user_id: int) -> None:
    """Write on all editions of all their sheets that a deleted player sat there.

    The account stays at the seat: it names nobody any more, and figures of others count by it.
    """
    seats = SheetSeat.objects.filter(user_id=user_id)
    running = ScoreSheet.objects.filter(seats__user_id=user_id, bonuses_at=None, replaced_by=None)
    for sheet_id in running.values_list("pk", flat=True):
        live.ring(sheet_id)
    seats.update(name=names.GONE)
