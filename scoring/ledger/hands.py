"""A game as it is played: a sheet is opened, hands are written on it, it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from accounts.refusal import N_
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.editions import family, require_current
from scoring.models import ScoreSheet, SheetHand, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, ScoringRules, Standing


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Who sits down at a sheet: a name, and the account behind it if there is one."""

    name: str
    user_id: int | None = None
    kind: str = "person"


def open_sheet(
    rules: Mapping[str, Any],
    seats: Sequence[SeatEntry],
    *,
    source: str = "table",
    keeper_id: int | None = None,
    first_dealer: int | None = None,
    started_at: datetime | None = None,
) -> int:
    """Start a sheet with its own frozen copy of the rules; seats are numbered in order.

    A sheet that is not of the table is written by its ``keeper_id``.
    """
    ScoringRules.from_options(rules)
    if len(seats) < 2:
        raise BadSheet("too_few_seats", N_("A sheet needs two players."))
    if first_dealer is not None:
        rows.require_seat(first_dealer, len(seats))
    with transaction.atomic():
        sheet = ScoreSheet.objects.create(
            rules=dict(rules),
            source=source,
            keeper_id=keeper_id,
            first_dealer=first_dealer,
            started_at=started_at or timezone.now(),
        )
        SheetSeat.objects.bulk_create(
            SheetSeat(
                sheet=sheet, seat=seat, name=entry.name, user_id=entry.user_id, kind=entry.kind
            )
            for seat, entry in enumerate(seats)
        )
    return sheet.pk


def record_hand(
    sheet_id: int, number: int, result: HandResult, entry: UUID | None = None
) -> Standing:
    """Write how a hand ended and its one line (none for a void hand); the target ends the sheet.

    Part of the caller's transaction: a hand is over and written, or neither. An ``entry`` already
    written, on this edition or an older one, writes nothing: the standing is the answer to both.
    """
    with transaction.atomic():
        sheet = rows.locked(sheet_id)
        seats, last = _seats_and_hands(sheet_id)
        if entry is not None and SheetHand.objects.filter(family(sheet), entry=entry).exists():
            return _standing(sheet, seats)
        rows.require_open(sheet)
        if sheet.source != ScoreSheet.Source.TABLE:  # at the table, only what ended is replaced
            require_current(sheet_id)
        rules, lines = rows.rules(sheet), rows.lines(sheet_id)
        if number <= last:
            raise BadSheet(
                "hand_already_written", N_("Hand %(number)s cannot be written now."), number=number
            )
        line = scoring.hand_line(rules, number, result)
        if line is not None:
            rows.require_seat(line.seat, seats)
            rows.write_lines(sheet_id, [line])
            lines = (*lines, line)
        rows.hand_row(sheet_id, number, result, entry).save(force_insert=True)
        goal = scoring.reached(rules, lines)
        ended = None if goal is None else Ended("target", goal)
        if ended is not None:
            rows.end(sheet, ended)
        return scoring.standing(rules, lines, ended, seats)


def _seats_and_hands(sheet_id: int) -> tuple[int, int]:
    """How many sit at the sheet, and the number of its last hand, in one statement."""
    found = ScoreSheet.objects.filter(pk=sheet_id).aggregate(
        seats=Count("seats", distinct=True), last=Max("hands__number")
    )
    return found["seats"], found["last"] or 0


def _standing(sheet: ScoreSheet, seats: int) -> Standing:
    return scoring.standing(rows.rules(sheet), rows.lines(sheet.pk), rows.ended(sheet), seats)


def end_sheet(sheet_id: int, how: str, by: int | None = None) -> None:
    """End a sheet otherwise than by a hand. ``by``: the seat that left (rules, section 12)."""
    with transaction.atomic():
        sheet = rows.locked(sheet_id)
        rows.require_open(sheet)
        if sheet.source != ScoreSheet.Source.TABLE:
            require_current(sheet_id)
        if how not in (*scoring.LEFT, *scoring.UNDONE):
            raise BadSheet("bad_end", N_("A sheet cannot be ended by %(how)s."), how=how)
        if by is not None or how in scoring.LEFT:
            rows.require_seat(by, rows.seat_count(sheet_id))
        rows.end(sheet, Ended(how, by))
