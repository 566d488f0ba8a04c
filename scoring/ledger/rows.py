"""The rows of a sheet: locked, asked and written, for the verbs beside this file alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.utils import timezone

from accounts import hot
from accounts.refusal import N_
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules

# Raw, since the end of every hand runs them, and every look after it.
LINES = """
SELECT l.sheet_id, l.seat, l.kind, l.hand, l.base, l.bonus, l.multiplier, l.reason, l.author
  FROM {asked} JOIN scoring_scoreline l ON l.sheet_id = a.id ORDER BY l.id
"""
_COUNTS = """
SELECT (SELECT COUNT(*) FROM scoring_sheetseat WHERE sheet_id = %s),
       (SELECT COALESCE(MAX(number), 0) FROM scoring_sheethand WHERE sheet_id = %s)
"""

_LOCK = "SELECT id FROM scoring_scoresheet WHERE id = %s"
_UNCHANGED = """
SELECT 1 / COUNT(*) FROM scoring_scoresheet s
 WHERE s.id = %s AND s.how = '' AND s.source = %s
   AND %s = (SELECT COUNT(*) FROM scoring_scoreline WHERE sheet_id = s.id)
   AND %s = (SELECT COALESCE(MAX(number), 0) FROM scoring_sheethand WHERE sheet_id = s.id)
"""
_HOLD = "SELECT rules, how, ended_by, source FROM scoring_scoresheet WHERE id = %s"
_END = "UPDATE scoring_scoresheet SET how = %s, ended_by = %s, ended_at = %s WHERE id = %s"


class Held(NamedTuple):
    """A sheet that is locked, as the end of a hand finds it."""

    rules: ScoringRules
    ended: Ended | None
    source: str
    lines: tuple[Line, ...]
    seats: int
    last: int  # the number of its last hand; 0: none yet


# What is kept of a hand's result, in the order of HandResult.
TOLD = ("winner", "kind", "knocker_deadwood", "defender_deadwood", "spade", "idle")


def locked(sheet_id: int) -> ScoreSheet:
    return ScoreSheet.objects.select_for_update().get(pk=sheet_id)


def _alone() -> str:
    return " FOR UPDATE" if connection.features.has_select_for_update else ""


def unchanged(sheet_id: int, lines: int, last: int) -> list[hot.Statement]:
    """Lock a sheet of the table, and the condition (hot.store_if) that it is open and has so many
    lines, the last of its hands being this one.
    """
    asked = sheet_id, ScoreSheet.Source.TABLE.value, lines, last
    return [(_LOCK + _alone(), [sheet_id]), (_UNCHANGED, asked)]


def hold(sheet_id: int, *unsent: hot.Statement) -> Held:
    """Lock a sheet and read it, by one way there and back.

    ``unsent``: what the caller writes before, sent along. Raises ScoreSheet.DoesNotExist.
    """
    *_sent, held, found, ((seats, last),) = hot.rows(
        *unsent,
        (_HOLD + _alone(), [sheet_id]), asking(LINES, [sheet_id]), (_COUNTS, [sheet_id, sheet_id]),
    )  # fmt: skip
    if not held:
        raise ScoreSheet.DoesNotExist
    ((options, how, by, source),) = held
    by_rules = ScoringRules.from_options(json.loads(options))
    ended = Ended(how, by) if how else None
    return Held(by_rules, ended, source, lines_by([sheet_id], found)[sheet_id], seats, last)


def require_open(ended: Ended | None) -> None:
    if ended is not None:
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
    return lines_by([sheet_id], hot.rows(asking(LINES, [sheet_id]))[0])[sheet_id]


def asking(text: str, sheet_ids: Sequence[int]) -> hot.Statement:
    """A statement about many sheets, which are its table ``a``."""
    return text.format(asked=hot.given(id=int)), [hot.numbers(sheet_ids)]


def lines_by(sheet_ids: Sequence[int], found: hot.Rows) -> dict[int, tuple[Line, ...]]:
    """What LINES gave, sheet by sheet."""
    each: dict[int, list[Line]] = {sheet_id: [] for sheet_id in sheet_ids}
    for sheet_id, seat, kind, hand, base, bonus, multiplier, reason, author in found:
        line = Line(seat, kind, hand, base, bonus, multiplier, reason or None, author or None)
        each[sheet_id].append(line)
    return {sheet_id: tuple(lines) for sheet_id, lines in each.items()}


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


def ending(sheet_id: int, how: Ended, at: datetime | None = None) -> hot.Statement:
    """The statement that ends a sheet."""
    ended_at = connection.ops.adapt_datetimefield_value(at or timezone.now())
    return _END, [how.how, how.by, ended_at, sheet_id]
