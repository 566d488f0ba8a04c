"""The rows of a sheet: locked, asked and written, for the verbs beside this file alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from accounts.refusal import N_
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules

# What is kept of a hand's result, in the order of HandResult.
TOLD = ("winner", "kind", "knocker_deadwood", "defender_deadwood", "spade", "idle")


def locked(sheet_id: int) -> ScoreSheet:
    return ScoreSheet.objects.select_for_update().get(pk=sheet_id)


def require_open(sheet: ScoreSheet) -> None:
    if sheet.how:
        raise BadSheet("sheet_ended", N_("This game is over: its sheet takes no more hands."))


def require_seat(seat: int | None, seats: int) -> None:
    if seat is None or not 0 <= seat < seats:
        raise BadSheet("no_such_seat", N_("There is no seat %(seat)s at this sheet."), seat=seat)


def rules(sheet: ScoreSheet) -> ScoringRules:
    return ScoringRules.from_options(sheet.rules)


def ended(sheet: ScoreSheet) -> Ended | None:
    return Ended(sheet.how, sheet.ended_by) if sheet.how else None


def seat_count(sheet_id: int) -> int:
    return SheetSeat.objects.filter(sheet_id=sheet_id).count()


def lines(sheet_id: int) -> tuple[Line, ...]:
    return lines_of([sheet_id])[sheet_id]


def lines_of(sheet_ids: Sequence[int]) -> dict[int, tuple[Line, ...]]:
    found: dict[int, list[Line]] = {sheet_id: [] for sheet_id in sheet_ids}
    stored = ScoreLine.objects.filter(sheet_id__in=sheet_ids).order_by("pk")
    columns = ("seat", "kind", "hand", "base", "bonus", "multiplier", "reason", "author")
    for row in stored.values_list(*columns, "sheet_id"):
        seat, kind, hand, base, bonus, multiplier, reason, author, sheet_id = row
        found[sheet_id].append(
            Line(seat, kind, hand, base, bonus, multiplier, reason or None, author or None)
        )
    return {sheet_id: tuple(each) for sheet_id, each in found.items()}


def write_lines(sheet_id: int, written: Iterable[Line]) -> None:
    ScoreLine.objects.bulk_create(line_row(sheet_id, line, timezone.now()) for line in written)


def line_row(sheet_id: int, line: Line, written_at: datetime) -> ScoreLine:
    """A line to be written."""
    return ScoreLine(
        sheet_id=sheet_id,
        seat=line.seat,
        kind=line.kind,
        hand=line.hand,
        base=line.base,
        bonus=line.bonus,
        multiplier=line.multiplier,
        reason=line.reason or "",
        author=line.author or "",
        written_at=written_at,
    )


def hand_row(
    sheet_id: int,
    number: int,
    result: HandResult,
    entry: UUID | None = None,
    written_at: datetime | None = None,
) -> SheetHand:
    """A hand to be written. Of a void hand only why it was void counts."""
    if result.kind == "void":
        result = HandResult(None, "void", idle=result.idle)
    told = {name: getattr(result, name) for name in TOLD}
    written_at = written_at or timezone.now()
    return SheetHand(sheet_id=sheet_id, number=number, entry=entry, written_at=written_at, **told)


def end(sheet: ScoreSheet, how: Ended, at: datetime | None = None) -> None:
    sheet.how, sheet.ended_by, sheet.ended_at = how.how, how.by, at or timezone.now()
    sheet.save(update_fields=["how", "ended_by", "ended_at"])
