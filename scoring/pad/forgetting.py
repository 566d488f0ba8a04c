"""A keeper or somebody invited deletes their account."""

from __future__ import annotations

from scoring.models import PadInvitation, ScoreSheet
from scoring.pad.inviting import ASKED
from scoring.pad.writing import end


def forget(user_id: int) -> None:
    """End what nobody could write on any more, and drop invitations that lead nowhere."""
    kept = ScoreSheet.objects.filter(keeper_id=user_id, source=ScoreSheet.Source.PAPER)
    unfinished = kept.filter(ended_at=None, replaced_by=None).order_by("pk")
    for sheet_id in list(unfinished.values_list("pk", flat=True)):
        end(sheet_id, user_id)
    PadInvitation.objects.filter(sheet__keeper_id=user_id, state=ASKED).delete()
    PadInvitation.objects.filter(user_id=user_id).delete()
