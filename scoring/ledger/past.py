"""Sheets of games that are past, many at once: as a demonstration site and the benches need them.

The same rules, constraints and triggers as everywhere; only the statements are few, and the times
are those of the games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.editions import hand_lines
from scoring.ledger.hands import SeatEntry
from scoring.ledger.readings import read_sheets
from scoring.ledger.tallying import tallies_of
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat, Tally
from scoring.rules import Ended, HandResult, ScoringRules

WORKED_OUT_IN = timedelta(seconds=1)  # how long after the end the bonuses were written


@dataclass(frozen=True, slots=True)
class PastSheet:
    """A sheet as it was written hand by hand: each result with its time.

    ``ended``: how it was left; reaching the target ends it by itself. Neither: it is still open.
    """

    rules: Mapping[str, Any]
    seats: Sequence[SeatEntry]
    hands: Sequence[tuple[HandResult, datetime]]
    started_at: datetime
    ended: Ended | None = None
    ended_at: datetime | None = None
    source: str = "table"
    keeper_id: int | None = None
    first_dealer: int | None = None


def write_past(sheets: Sequence[PastSheet]) -> list[int]:
    """Write these sheets with their bonuses and tallies; returns their numbers, in their order.

    Raises BadSheet for a hand the rules cannot produce; then none is written.
    """
    with transaction.atomic():
        written = ScoreSheet.objects.bulk_create(_opened(sheet) for sheet in sheets)
        SheetSeat.objects.bulk_create(
            SheetSeat(
                sheet=row, seat=seat, name=entry.name, user_id=entry.user_id, kind=entry.kind
            )
            for row, sheet in zip(written, sheets, strict=True)
            for seat, entry in enumerate(sheet.seats)
        )
        over = _write_hands(written, sheets)
        _end(over)
        readings = read_sheets([row.pk for row, _ended in over])
        Tally.objects.bulk_create(
            tally for reading in readings.values() for tally in tallies_of(reading)
        )
    return [row.pk for row in written]


def _opened(sheet: PastSheet) -> ScoreSheet:
    return ScoreSheet(
        rules=dict(sheet.rules),
        source=sheet.source,
        keeper_id=sheet.keeper_id,
        first_dealer=sheet.first_dealer,
        started_at=sheet.started_at,
    )


def _write_hands(
    written: Sequence[ScoreSheet], sheets: Sequence[PastSheet]
) -> list[tuple[ScoreSheet, Ended]]:
    """Hands and all their lines; gives the sheets that are over, with how and when they ended."""
    hands: list[SheetHand] = []
    lines: list[ScoreLine] = []
    over: list[tuple[ScoreSheet, Ended]] = []
    for row, sheet in zip(written, sheets, strict=True):
        rules = ScoringRules.from_options(sheet.rules)
        results = [result for result, _at in sheet.hands]
        of_hands = hand_lines(rules, results, len(sheet.seats))
        goal = scoring.reached(rules, of_hands)
        ended = sheet.ended if goal is None else Ended("target", goal)
        last = sheet.ended_at or (sheet.hands[-1][1] if sheet.hands else sheet.started_at)
        if ended is not None:
            row.how, row.ended_by, row.ended_at = ended.how, ended.by, last
            row.bonuses_at = last + WORKED_OUT_IN
            over.append((row, ended))
        for number, (result, at) in enumerate(sheet.hands, 1):
            hands.append(rows.hand_row(row.pk, number, result, written_at=at))
        bonuses = scoring.bonus_lines(rules, of_hands, ended, len(sheet.seats)) if ended else ()
        for line in (*of_hands, *bonuses):
            at = last + WORKED_OUT_IN if line.hand is None else sheet.hands[line.hand - 1][1]
            lines.append(rows.line_row(row.pk, line, at))
    SheetHand.objects.bulk_create(hands)
    ScoreLine.objects.bulk_create(lines)
    return over


def _end(over: Sequence[tuple[ScoreSheet, Ended]]) -> None:
    """After their hands, which no sheet takes once it is over."""
    ScoreSheet.objects.bulk_update(
        [row for row, _ended in over], ["how", "ended_by", "ended_at", "bonuses_at"]
    )
