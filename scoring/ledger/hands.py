"""A game as it is played: a sheet is opened, hands are written on it, it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import hot
from accounts.refusal import N_
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.editions import family, require_current
from scoring.ledger.readings import SheetReading
from scoring.models import ScoreSheet, SheetHand, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules, Standing


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
    sheet_id: int,
    number: int,
    result: HandResult,
    entry: UUID | None = None,
    unsent: Sequence[hot.Statement] = (),
) -> Standing:
    """Write how a hand ended and its one line (none for a void hand); the target ends the sheet.

    Part of the caller's transaction: a hand is over and written, or neither. An ``entry`` already
    written, on this edition or an older one, writes nothing: the standing is the answer to both.
    ``unsent``: what the caller writes before, sent along.
    """
    with hot.joined():
        held = rows.hold(sheet_id, *unsent)
        if entry is not None and _written(sheet_id, entry):
            return scoring.standing(held.rules, held.lines, held.ended, held.seats)
        rows.require_open(held.ended)
        if held.source != ScoreSheet.Source.TABLE:  # at the table, only what ended is replaced
            require_current(sheet_id)
        if number <= held.last:
            raise BadSheet(
                "hand_already_written", N_("Hand %(number)s cannot be written now."), number=number
            )
        return _write(sheet_id, held, number, result, entry)


def _written(sheet_id: int, entry: UUID) -> bool:
    sheet = ScoreSheet.objects.get(pk=sheet_id)
    return SheetHand.objects.filter(family(sheet), entry=entry).exists()


def _write(
    sheet_id: int, held: rows.Held, number: int, result: HandResult, entry: UUID | None
) -> Standing:
    written, lines, ended = _writing(sheet_id, held, number, result, entry)
    hot.run(*written)
    return scoring.standing(held.rules, lines, ended, held.seats)


def _writing(
    sheet_id: int, held: rows.Held, number: int, result: HandResult, entry: UUID | None = None
) -> tuple[list[hot.Statement], tuple[Line, ...], Ended | None]:
    """The statements that write a hand, and the lines and the end that the sheet has by it."""
    lines, now, written = held.lines, timezone.now(), []
    line = scoring.hand_line(held.rules, number, result)
    if line is not None:
        rows.require_seat(line.seat, held.seats)
        written.append(hot.inserting(rows.line_row(sheet_id, line, now)))
        lines = (*lines, line)
    written.append(hot.inserting(rows.hand_row(sheet_id, number, result, entry, now)))
    goal = scoring.reached(held.rules, lines)
    ended = None if goal is None else Ended("target", goal)
    if ended is not None:
        written.append(rows.ending(sheet_id, ended))
    return written, lines, ended


class Foreseen(NamedTuple):
    """How a hand is going to be written: on a sheet as it was read, or not at all."""

    conditions: list[hot.Statement]  # for hot.store_if, a lock among them
    writes: list[hot.Statement]
    over: bool  # the game, by this hand


def foresee_hand(sheet: SheetReading, number: int, result: HandResult) -> Foreseen:
    """The statements by which ``record_hand`` would write a hand of the table, in one piece."""
    last = max((hand.number for hand in sheet.hands), default=0)
    by_rules = ScoringRules.from_options(sheet.rules)
    held = rows.Held(by_rules, sheet.ended, sheet.source, sheet.lines, len(sheet.seats), last)
    writes, _lines, ended = _writing(sheet.id, held, number, result)
    conditions = rows.unchanged(sheet.id, len(sheet.lines), last)
    return Foreseen(conditions, writes, ended is not None)


def end_sheet(sheet_id: int, how: str, by: int | None = None) -> None:
    """End a sheet otherwise than by a hand. ``by``: the seat that left (rules, section 12)."""
    with transaction.atomic():
        sheet = rows.locked(sheet_id)
        rows.require_open(rows.ended(sheet))
        if sheet.source != ScoreSheet.Source.TABLE:
            require_current(sheet_id)
        if how not in (*scoring.LEFT, *scoring.UNDONE):
            raise BadSheet("bad_end", N_("A sheet cannot be ended by %(how)s."), how=how)
        if by is not None or how in scoring.LEFT:
            rows.require_seat(by, rows.seat_count(sheet_id))
        hot.run(rows.ending(sheet_id, Ended(how, by)))
