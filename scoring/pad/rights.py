"""Who may write on a pad: its keeper, and nobody else."""

from __future__ import annotations

from accounts.refusal import N_, Refusal
from scoring import ledger
from scoring.ledger import SheetReading
from scoring.models import ScoreSheet


def own_pad(sheet_id: int, user_id: int) -> SheetReading:
    """The pad, locked, for its keeper; for anybody else it is not there to be written."""
    sheet = ScoreSheet.objects.select_for_update().filter(pk=sheet_id, source="paper").first()
    if sheet is None or user_id is None or sheet.keeper_id != user_id:
        raise Refusal("not_found", N_("There is no such sheet."))
    return ledger.read_sheet(sheet_id)


def require_current(pad: SheetReading) -> None:
    if pad.replaced_by_id is not None:
        ledger.require_current(pad.id)
