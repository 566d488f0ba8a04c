"""Sheets that become another person's, when a guest turns out to have an account.

No line, no total and no name changes: only whose seat it is.
"""

from __future__ import annotations

from django.db.models import Q

from scoring import live
from scoring.ledger.tallying import tally_again
from scoring.models import ScoreSheet, SheetSeat


def sat_together(one_id: int, other_id: int) -> bool:
    """Whether two people ever sat at one sheet, of the table or of paper."""
    return SheetSeat.objects.filter(user_id=one_id, sheet__seats__user_id=other_id).exists()


def hand_over(user_id: int, to_id: int) -> None:
    """Give somebody's seats at sheets, and the pads they keep, to another."""
    mine = SheetSeat.objects.filter(user_id=user_id)
    kept = ScoreSheet.objects.filter(keeper_id=user_id)
    seated = ScoreSheet.objects.filter(seats__in=mine)
    concerned = Q(pk__in=seated.values("pk")) | Q(pk__in=kept.values("pk"))
    list(ScoreSheet.objects.filter(concerned).order_by("pk").select_for_update())
    sheets = list(seated.order_by("pk").values_list("pk", flat=True))
    mine.update(user_id=to_id)
    kept.update(keeper_id=to_id)
    for sheet_id in sheets:
        tally_again(sheet_id)
        live.ring(sheet_id)
