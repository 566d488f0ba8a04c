"""What there is to look at: somebody's pads, and what they are asked."""

from __future__ import annotations

from accounts.refusal import N_, Refusal
from scoring import ledger
from scoring.ledger import SheetReading
from scoring.models import PadInvitation, ScoreSheet
from scoring.pad.inviting import ASKED

ENDED_SHOWN = 10


def kept(sheet_id: int, user_id: int) -> SheetReading:
    """A pad for its keeper; for anybody else it does not exist. Any edition may be named."""
    sheet = ledger.read_sheets([sheet_id]).get(sheet_id)
    if sheet is None or sheet.source != "paper" or sheet.keeper_id != user_id:
        raise Refusal("not_found", N_("There is no such sheet."))
    return sheet


def pads_of(user_id: int) -> list[SheetReading]:
    """The sheets somebody keeps, as they are now, newest first: open ones and the last ended."""
    kept = ScoreSheet.objects.filter(keeper_id=user_id, source="paper", replaced_by=None)
    newest = kept.order_by("-started_at", "-pk").values_list("pk", flat=True)
    numbers = [*newest.filter(ended_at=None), *newest.filter(ended_at__isnull=False)[:ENDED_SHOWN]]
    found = ledger.read_sheets(numbers)
    return [found[number] for number in numbers]


def earlier_editions(sheet: SheetReading) -> list[int]:
    """The editions before this one, oldest first: what was corrected stays readable."""
    if sheet.replaces_id is None:
        return []
    family = ScoreSheet.objects.filter(original_id=sheet.original_id, pk__lt=sheet.id)
    return [sheet.original_id, *family.order_by("pk").values_list("pk", flat=True)]


def invitations_for(user_id: int) -> list[PadInvitation]:
    """What somebody is asked and has not answered."""
    asked = PadInvitation.objects.filter(user_id=user_id, state=ASKED)
    return list(asked.select_related("sheet__keeper").order_by("-asked_at", "-pk"))


def invitations_at(original_id: int) -> list[PadInvitation]:
    """Who was asked to which seat of a pad, and what they said."""
    asked = PadInvitation.objects.filter(sheet_id=original_id)
    return list(asked.select_related("user").order_by("seat"))
