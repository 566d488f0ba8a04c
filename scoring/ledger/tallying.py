"""Tallies of a sheet: worked out again from it whenever it changes."""

from __future__ import annotations

from dataclasses import asdict

from scoring import rules as scoring
from scoring.ledger.readings import SheetReading, read_sheet
from scoring.models import Tally
from scoring.rules import ScoringRules


def tally_again(sheet_id: int) -> None:
    """Write the tallies of a sheet its caller has locked; none unless it is over and counts."""
    Tally.objects.filter(sheet_id=sheet_id).delete()
    Tally.objects.bulk_create(tallies_of(read_sheet(sheet_id)))


def tallies_of(sheet: SheetReading) -> list[Tally]:
    """What must stand in the tallies for this sheet: one a seat, or nothing."""
    if not sheet.bonuses_written or sheet.replaced_by_id is not None:
        return []
    if sheet.ended is None or sheet.ended_at is None:
        return []
    rules = ScoringRules.from_options(sheet.rules)
    figures = scoring.tallies(rules, sheet.results, sheet.lines, sheet.ended, len(sheet.seats))
    users = [seat.user_id for seat in sheet.seats]
    return [
        Tally(
            sheet_id=sheet.id,
            seat=seat.seat,
            user_id=seat.user_id,
            # Of more than two, nobody is the one opponent.
            opponent_user_id=users[at - 1] if len(users) == 2 else None,
            started_at=sheet.started_at,
            ended_at=sheet.ended_at,
            preset=sheet.rules.get("preset", ""),
            source=sheet.source,
            **asdict(own),
        )
        for at, (seat, own) in enumerate(zip(sheet.seats, figures, strict=True))
    ]
