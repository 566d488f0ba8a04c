"""What stands on sheets, read in a fixed number of statements, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.called import called
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.models import ScoreSheet, SheetHand, SheetSeat
from scoring.rules import Ended, HandResult, Line, Standing


@dataclass(frozen=True, slots=True)
class SeatReading:
    """A seat as the sheet has it."""

    seat: int
    name: str
    kind: str
    user_id: int | None

    @property
    def called(self) -> str:
        """The name of that day, or what is said instead of one who is gone."""
        return called(self.name)


@dataclass(frozen=True, slots=True)
class HandReading:
    """How a hand ended, void hands too."""

    number: int
    result: HandResult
    written_at: datetime


@dataclass(frozen=True, slots=True)
class SheetReading:
    """Everything that stands on a sheet, and what it adds up to.

    ``replaced_by_id`` is the next edition: a sheet that has one no longer counts. ``original_id``
    is the first edition, on the first itself too.
    """

    id: int
    rules: Mapping[str, Any]
    seats: tuple[SeatReading, ...]
    hands: tuple[HandReading, ...]
    lines: tuple[Line, ...]
    standing: Standing
    started_at: datetime
    ended: Ended | None
    ended_at: datetime | None
    bonuses_written: bool
    replaces_id: int | None
    replaced_by_id: int | None
    original_id: int
    source: str
    keeper_id: int | None
    first_dealer: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """Who played, seat by seat, under the names of that day; who is gone, by no name."""
        return tuple(seat.called for seat in self.seats)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names as titles show them, in the reader's language: the computer is told apart."""
        return tuple(
            called(seat.name, "bot" if seat.kind == "bot" else "") for seat in self.seats
        )

    @property
    def results(self) -> tuple[HandResult, ...]:
        """How the hands ended, in their order."""
        return tuple(hand.result for hand in self.hands)

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat this account sat in, if any."""
        seats = (one.seat for one in self.seats if user_id is not None and one.user_id == user_id)
        return next(seats, None)


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
    seats: dict[int, list[SeatReading]] = {}
    sheets: dict[int, tuple[ScoreSheet, int | None]] = {}
    stored = SheetSeat.objects.filter(sheet_id__in=sheet_ids).select_related("sheet")
    for row in stored.annotate(newer_id=F("sheet__replaced_by")).order_by("sheet_id", "seat"):
        sheets.setdefault(row.sheet_id, (row.sheet, row.newer_id))
        reading = SeatReading(row.seat, row.name, row.kind, row.user_id)
        seats.setdefault(row.sheet_id, []).append(reading)
    lines, hands = rows.lines_of(sheet_ids), _hands_of(sheet_ids)
    return {
        pk: _reading(sheet, newer_id, tuple(seats[pk]), hands[pk], lines[pk])
        for pk, (sheet, newer_id) in sheets.items()
    }


def _hands_of(sheet_ids: Sequence[int]) -> dict[int, tuple[HandReading, ...]]:
    found: dict[int, list[HandReading]] = {sheet_id: [] for sheet_id in sheet_ids}
    stored = SheetHand.objects.filter(sheet_id__in=sheet_ids).order_by("sheet_id", "number")
    for sheet_id, number, written_at, *told in stored.values_list(
        "sheet_id", "number", "written_at", *rows.TOLD
    ):
        found[sheet_id].append(HandReading(number, HandResult(*told), written_at))
    return {sheet_id: tuple(hands) for sheet_id, hands in found.items()}


def _reading(
    sheet: ScoreSheet,
    newer_id: int | None,
    seats: tuple[SeatReading, ...],
    hands: tuple[HandReading, ...],
    lines: tuple[Line, ...],
) -> SheetReading:
    ended = rows.ended(sheet)
    return SheetReading(
        id=sheet.pk,
        rules=sheet.rules,
        seats=seats,
        hands=hands,
        lines=lines,
        standing=scoring.standing(rows.rules(sheet), lines, ended, len(seats)),
        started_at=sheet.started_at,
        ended=ended,
        ended_at=sheet.ended_at,
        bonuses_written=sheet.bonuses_at is not None,
        replaces_id=sheet.replaces_id,
        replaced_by_id=newer_id,
        original_id=sheet.original_id or sheet.pk,
        source=sheet.source,
        keeper_id=sheet.keeper_id,
        first_dealer=sheet.first_dealer,
    )


def totals(sheet_id: int) -> tuple[int, ...]:
    """All points on the sheet, seat by seat."""
    return scoring.totals(rows.lines(sheet_id), rows.seat_count(sheet_id))


def is_won(sheet_id: int) -> bool:
    """Whether somebody has won this game; a game called off or voided is won by nobody."""
    return read_sheet(sheet_id).standing.winner is not None
