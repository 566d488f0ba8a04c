"""What stands on sheets, read in a fixed number of statements, and what it adds up to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from accounts import hot
from accounts.called import called
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.models import ScoreSheet
from scoring.rules import Ended, HandResult, Line, ScoringRules, Standing


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
    return readings(*hot.rows(*asking(sheet_ids)))


def asking(sheet_ids: Sequence[int]) -> list[hot.Statement]:
    """The statements by which they are read, to be sent together with others."""
    return [rows.asking(text, sheet_ids) for text in (_SEATS, _HANDS, rows.LINES)]


def readings(found: hot.Rows, hands: hot.Rows, lines: hot.Rows) -> dict[int, SheetReading]:
    """What these gave."""
    sheets: dict[int, list[_Seat]] = {}
    for row in found:
        sheets.setdefault(row[0], []).append(_Seat(*row))
    asked = list({row[0] for row in (*found, *hands, *lines)})
    written, of_hands = rows.lines_by(asked, lines), _hands_by(asked, hands)
    return {pk: _reading(seats, of_hands[pk], written[pk]) for pk, seats in sheets.items()}


class _Seat(NamedTuple):
    """A seat and its sheet, as a row of _SEATS."""

    id: int
    rules: str
    started_at: Any
    ended_at: Any
    how: str
    ended_by: int | None
    bonuses_at: Any
    replaces_id: int | None
    original_id: int | None
    source: str
    keeper_id: int | None
    first_dealer: int | None
    newer_id: int | None
    seat: int
    name: str
    kind: str
    user_id: int | None


_SEATS = """
SELECT s.id, s.rules, s.started_at, s.ended_at, s.how, s.ended_by, s.bonuses_at, s.replaces_id,
       s.original_id, s.source, s.keeper_id, s.first_dealer, n.id,
       c.seat, c.name, c.kind, c.user_id
  FROM {asked}
  JOIN scoring_scoresheet s ON s.id = a.id
  JOIN scoring_sheetseat c ON c.sheet_id = s.id
  LEFT JOIN scoring_scoresheet n ON n.replaces_id = s.id
 ORDER BY s.id, c.seat
"""
_HANDS = """
SELECT h.sheet_id, h.number, h.written_at, h.winner, h.kind, h.knocker_deadwood,
       h.defender_deadwood, h.spade, h.idle
  FROM {asked} JOIN scoring_sheethand h ON h.sheet_id = a.id ORDER BY h.sheet_id, h.number
"""


def _hands_by(sheet_ids: Sequence[int], found: hot.Rows) -> dict[int, tuple[HandReading, ...]]:
    each: dict[int, list[HandReading]] = {sheet_id: [] for sheet_id in sheet_ids}
    for sheet_id, number, written, winner, kind, knocker, defender, spade, idle in found:
        result = HandResult(winner, kind, knocker, defender, bool(spade), bool(idle))
        each[sheet_id].append(HandReading(number, result, _stored(written)))
    return {sheet_id: tuple(hands) for sheet_id, hands in each.items()}


def _reading(
    seats: Sequence[_Seat], hands: tuple[HandReading, ...], lines: tuple[Line, ...]
) -> SheetReading:
    sheet = seats[0]
    ended = Ended(sheet.how, sheet.ended_by) if sheet.how else None
    rules = json.loads(sheet.rules)
    by = ScoringRules.from_options(rules)
    return SheetReading(
        id=sheet.id,
        rules=rules,
        seats=tuple(SeatReading(one.seat, one.name, one.kind, one.user_id) for one in seats),
        hands=hands,
        lines=lines,
        standing=scoring.standing(by, lines, ended, len(seats)),
        started_at=_stored(sheet.started_at),
        ended=ended,
        ended_at=hot.moment(sheet.ended_at),
        bonuses_written=sheet.bonuses_at is not None,
        replaces_id=sheet.replaces_id,
        replaced_by_id=sheet.newer_id,
        original_id=sheet.original_id or sheet.id,
        source=sheet.source,
        keeper_id=sheet.keeper_id,
        first_dealer=sheet.first_dealer,
    )


def _stored(value: object) -> datetime:
    found = hot.moment(value)
    if found is None:
        raise ValueError("a time that is always stored is missing")
    return found


def totals(sheet_id: int) -> tuple[int, ...]:
    """All points on the sheet, seat by seat."""
    return scoring.totals(rows.lines(sheet_id), rows.seat_count(sheet_id))


def is_won(sheet_id: int) -> bool:
    """Whether somebody has won this game; a game called off or voided is won by nobody."""
    return read_sheet(sheet_id).standing.winner is not None
