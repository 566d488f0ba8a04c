"""The only writer and adder-up of score sheets.

Lock order: Game, then ScoreSheet, then chip accounts. Every writer here locks the sheet's row
first, checks, writes, and rings after commit. Totals are always a sum of the lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_
from scoring import live
from scoring import rules as scoring
from scoring.models import ScoreLine, ScoreSheet, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules, Standing


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Who sits down at a sheet: a name, and the account behind it if there is one."""

    name: str
    user_id: int | None = None
    kind: str = "person"


@dataclass(frozen=True, slots=True)
class SeatReading:
    """A seat as the sheet has it."""

    seat: int
    name: str
    kind: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class SheetReading:
    """Everything that stands on a sheet, and what it adds up to."""

    id: int
    rules: Mapping[str, Any]
    seats: tuple[SeatReading, ...]
    lines: tuple[Line, ...]
    standing: Standing
    started_at: datetime
    ended: Ended | None
    ended_at: datetime | None
    bonuses_written: bool
    replaces_id: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """Who played, seat by seat, under the names of that day."""
        return tuple(seat.name for seat in self.seats)


def open_sheet(rules: Mapping[str, Any], seats: Sequence[SeatEntry]) -> int:
    """Start a sheet with its own frozen copy of the rules; seats are numbered in order."""
    ScoringRules.from_options(rules)
    if len(seats) < 2:
        raise BadSheet("too_few_seats", N_("A sheet needs two players."))
    with transaction.atomic():
        sheet = ScoreSheet.objects.create(rules=dict(rules))
        SheetSeat.objects.bulk_create(
            SheetSeat(
                sheet=sheet, seat=seat, name=entry.name, user_id=entry.user_id, kind=entry.kind
            )
            for seat, entry in enumerate(seats)
        )
    return sheet.pk


def record_hand(sheet_id: int, number: int, result: HandResult) -> Standing:
    """Write a hand's one line, none for a void hand, and end the sheet if it brings the target.

    Part of the caller's transaction: a hand is over and written, or neither.
    """
    with transaction.atomic():
        sheet = _locked(sheet_id)
        _require_open(sheet)
        rules, lines, seats = _rules(sheet), _lines(sheet_id), _seat_count(sheet_id)
        if number < 1 or any(line.hand is not None and line.hand >= number for line in lines):
            raise BadSheet(
                "hand_already_written", N_("Hand %(number)s cannot be written now."), number=number
            )
        line = scoring.hand_line(rules, number, result)
        if line is not None:
            _require_seat(line.seat, seats)
            _write(sheet_id, [line])
            lines = (*lines, line)
        goal = scoring.reached(rules, lines)
        ended = None if goal is None else Ended("target", goal)
        if ended is not None:
            _end(sheet, ended)
        return scoring.standing(rules, lines, ended, seats)


def end_sheet(sheet_id: int, how: str, by: int | None = None) -> None:
    """End a sheet otherwise than by a hand. ``by``: the seat that left (rules, section 12)."""
    with transaction.atomic():
        sheet = _locked(sheet_id)
        _require_open(sheet)
        if how not in (*scoring.LEFT, *scoring.UNDONE):
            raise BadSheet("bad_end", N_("A sheet cannot be ended by %(how)s."), how=how)
        if by is not None or how in scoring.LEFT:
            _require_seat(by, _seat_count(sheet_id))
        _end(sheet, Ended(how, by))


def write_bonuses(sheet_id: int) -> bool:
    """Write the end-of-game lines of an ended sheet; False if there is nothing (left) to write.

    Exactly once, however often it is called or killed: the lock lets one writer in at a time, all
    lines and the mark are one transaction, and ``each_bonus_once`` stands behind both.
    """
    with transaction.atomic():
        sheet = ScoreSheet.objects.select_for_update().filter(pk=sheet_id).first()
        if sheet is None or not sheet.how or sheet.bonuses_at is not None:
            return False
        bonuses = scoring.bonus_lines(
            _rules(sheet), _lines(sheet_id), _ended(sheet), _seat_count(sheet_id)
        )
        _write(sheet_id, bonuses)
        sheet.bonuses_at = timezone.now()
        sheet.save(update_fields=["bonuses_at"])
        live.ring(sheet_id)
    return True


def write_correction(sheet_id: int, seat: int, points: int, reason: str, author: str) -> None:
    """A free line by an administrator: it changes totals only (rules, section 8)."""
    if not reason.strip() or not author.strip():
        raise BadSheet("no_reason", N_("A correction needs a reason and an author."))
    with transaction.atomic():
        _locked(sheet_id)
        _require_seat(seat, _seat_count(sheet_id))
        line = Line(seat, scoring.CORRECTION, None, points, reason=reason.strip())
        _write(sheet_id, [line], author=author.strip())
        live.ring(sheet_id)


def sheets_without_bonuses() -> list[int]:
    """Ended sheets whose bonuses a lost task has not written yet, oldest first."""
    ended = ScoreSheet.objects.filter(ended_at__isnull=False, bonuses_at=None)
    return list(ended.order_by("pk").values_list("pk", flat=True))


def read_sheet(sheet_id: int) -> SheetReading:
    """The whole sheet at one look. Raises ScoreSheet.DoesNotExist."""
    found = read_sheets([sheet_id])
    if sheet_id not in found:
        raise ScoreSheet.DoesNotExist
    return found[sheet_id]


def read_sheets(sheet_ids: Sequence[int]) -> dict[int, SheetReading]:
    """Many sheets in three statements, however many they are; unknown numbers are left out."""
    if not sheet_ids:
        return {}
    seats: dict[int, list[SeatReading]] = {sheet_id: [] for sheet_id in sheet_ids}
    rows = SheetSeat.objects.filter(sheet_id__in=sheet_ids).order_by("sheet_id", "seat")
    for row in rows:
        seats[row.sheet_id].append(SeatReading(row.seat, row.name, row.kind, row.user_id))
    lines = _lines_of(sheet_ids)
    return {
        sheet.pk: _reading(sheet, tuple(seats[sheet.pk]), lines[sheet.pk])
        for sheet in ScoreSheet.objects.filter(pk__in=sheet_ids)
    }


def _reading(
    sheet: ScoreSheet, seats: tuple[SeatReading, ...], lines: tuple[Line, ...]
) -> SheetReading:
    ended = _ended(sheet)
    return SheetReading(
        id=sheet.pk,
        rules=sheet.rules,
        seats=seats,
        lines=lines,
        standing=scoring.standing(_rules(sheet), lines, ended, len(seats)),
        started_at=sheet.started_at,
        ended=ended,
        ended_at=sheet.ended_at,
        bonuses_written=sheet.bonuses_at is not None,
        replaces_id=sheet.replaces_id,
    )


def totals(sheet_id: int) -> tuple[int, ...]:
    """All points on the sheet, seat by seat."""
    return scoring.totals(_lines(sheet_id), _seat_count(sheet_id))


def is_won(sheet_id: int) -> bool:
    """Whether somebody has won this game; a game called off or voided is won by nobody."""
    return read_sheet(sheet_id).standing.winner is not None


def _locked(sheet_id: int) -> ScoreSheet:
    return ScoreSheet.objects.select_for_update().get(pk=sheet_id)


def _require_open(sheet: ScoreSheet) -> None:
    if sheet.how:
        raise BadSheet("sheet_ended", N_("This game is over: its sheet takes no more hands."))


def _require_seat(seat: int | None, seats: int) -> None:
    if seat is None or not 0 <= seat < seats:
        raise BadSheet("no_such_seat", N_("There is no seat %(seat)s at this sheet."), seat=seat)


def _rules(sheet: ScoreSheet) -> ScoringRules:
    return ScoringRules.from_options(sheet.rules)


def _ended(sheet: ScoreSheet) -> Ended | None:
    return Ended(sheet.how, sheet.ended_by) if sheet.how else None


def _seat_count(sheet_id: int) -> int:
    return SheetSeat.objects.filter(sheet_id=sheet_id).count()


def _lines(sheet_id: int) -> tuple[Line, ...]:
    return _lines_of([sheet_id])[sheet_id]


def _lines_of(sheet_ids: Sequence[int]) -> dict[int, tuple[Line, ...]]:
    found: dict[int, list[Line]] = {sheet_id: [] for sheet_id in sheet_ids}
    rows = ScoreLine.objects.filter(sheet_id__in=sheet_ids).order_by("pk")
    columns = ("seat", "kind", "hand", "base", "bonus", "multiplier", "reason")
    for row in rows.values_list(*columns, "sheet_id"):
        seat, kind, hand, base, bonus, multiplier, reason, sheet_id = row
        found[sheet_id].append(Line(seat, kind, hand, base, bonus, multiplier, reason or None))
    return {sheet_id: tuple(lines) for sheet_id, lines in found.items()}


def _write(sheet_id: int, lines: Sequence[Line], author: str = "") -> None:
    ScoreLine.objects.bulk_create(
        ScoreLine(
            sheet_id=sheet_id,
            seat=line.seat,
            kind=line.kind,
            hand=line.hand,
            base=line.base,
            bonus=line.bonus,
            multiplier=line.multiplier,
            reason=line.reason or "",
            author=author,
        )
        for line in lines
    )


def _end(sheet: ScoreSheet, ended: Ended) -> None:
    sheet.how, sheet.ended_by, sheet.ended_at = ended.how, ended.by, timezone.now()
    sheet.save(update_fields=["how", "ended_by", "ended_at"])
