"""The end of a game on its sheet: the end-of-game lines, once, and an administrator's lines."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_
from scoring import chips, live
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.editions import require_current
from scoring.ledger.tallying import tally_again
from scoring.models import ScoreSheet
from scoring.rules import BadSheet, Line


def write_bonuses(sheet_id: int) -> bool:
    """Write the end-of-game lines of an ended sheet; False if there is nothing (left) to write.

    Exactly once, however often it is called or killed: the lock lets one writer in at a time, all
    lines, chips, tallies and the mark are one transaction, and ``each_bonus_once`` stands behind.
    """
    with transaction.atomic():
        sheet = ScoreSheet.objects.select_for_update().filter(pk=sheet_id).first()
        ended = rows.ended(sheet) if sheet is not None else None
        if sheet is None or ended is None or sheet.bonuses_at is not None:
            return False
        rules, lines, seats = rows.rules(sheet), rows.lines(sheet_id), rows.seat_count(sheet_id)
        rows.write_lines(sheet_id, scoring.bonus_lines(rules, lines, ended, seats))
        sheet.bonuses_at = timezone.now()
        sheet.save(update_fields=["bonuses_at"])
        if sheet.source == ScoreSheet.Source.TABLE:
            chips.settle(sheet, rules, lines, ended, seats)
        tally_again(sheet_id)
        live.ring(sheet_id)
    return True


def settle_chips(sheet_id: int, at: datetime | None = None) -> bool:
    """Share out what a sheet written whole was played for; False if there is nothing to share."""
    with transaction.atomic():
        sheet = rows.locked(sheet_id)
        lines, seats = rows.lines(sheet_id), rows.seat_count(sheet_id)
        if sheet.bonuses_at is None or sheet.source != ScoreSheet.Source.TABLE:
            return False
        return chips.settle(sheet, rows.rules(sheet), lines, rows.ended(sheet), seats, at)


def write_correction(sheet_id: int, seat: int, points: int, reason: str, author: str) -> None:
    """A free line by an administrator: it changes totals only, no chips (rules, section 8)."""
    if not reason.strip() or not author.strip():
        raise BadSheet("no_reason", N_("A correction needs a reason and an author."))
    with transaction.atomic():
        rows.locked(sheet_id)
        rows.require_seat(seat, rows.seat_count(sheet_id))
        require_current(sheet_id)
        line = Line(
            seat, scoring.CORRECTION, None, points, reason=reason.strip(), author=author.strip()
        )
        rows.write_lines(sheet_id, [line])
        tally_again(sheet_id)
        live.ring(sheet_id)


def sheets_without_bonuses() -> list[int]:
    """Ended sheets whose bonuses a lost task has not written yet, oldest first."""
    ended = ScoreSheet.objects.filter(ended_at__isnull=False, bonuses_at=None)
    return list(ended.order_by("pk").values_list("pk", flat=True))
