"""Sheets worked out again from what was told of their hands. Reads only; what differs is said.

Every "derived" of this app is checked here against what it is derived from: lines, the end,
bonuses, sums, tallies and the chain of editions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from accounts.refusal import Refusal
from scoring import rules as scoring
from scoring.ledger.readings import SheetReading, read_sheet, read_sheets
from scoring.ledger.tallying import tallies_of
from scoring.models import ScoreLine, ScoreSheet, Tally
from scoring.rules import Line, ScoringRules

LATE = timedelta(minutes=10)  # bonuses that are not written by then, no sweep has written
UNREADABLE = (Refusal, LookupError, TypeError, ValueError)
TALLIED = [one.attname for one in Tally._meta.concrete_fields if not one.primary_key]


@dataclass(frozen=True, slots=True)
class Audited:
    """A sheet, None if it cannot even be read, and what is wrong with it."""

    sheet_id: int
    reading: SheetReading | None
    differences: list[str]


def audited(sheet_ids: Sequence[int]) -> list[Audited]:
    """Work out each of these sheets again, in a fixed number of statements."""
    sums, tallies = _sums(sheet_ids), _tallies(sheet_ids)
    before = {row.pk: row for row in ScoreSheet.objects.filter(replaced_by__in=sheet_ids)}
    found = []
    for sheet_id, sheet in _readings(sheet_ids).items():
        if isinstance(sheet, str):
            found.append(Audited(sheet_id, None, [sheet]))
            continue
        said = []
        for check in (_hands, _end, _bonuses):
            said += _refusals_too(check, sheet)
        if sums.get(sheet_id, {}) != _by_seat(sheet):
            said.append("the points of its lines do not add up to its totals")
        said += _tallied(sheet, tallies.get(sheet_id, []))
        said += _edition(sheet, before.get(sheet.replaces_id or 0))
        found.append(Audited(sheet_id, sheet, said))
    return found


def _readings(sheet_ids: Sequence[int]) -> dict[int, SheetReading | str]:
    """The sheets that can be read; of one that cannot, why."""
    try:
        return dict(read_sheets(sheet_ids))
    except UNREADABLE:
        pass  # one of them spoils it for all: each by itself
    found: dict[int, SheetReading | str] = {}
    for sheet_id in sheet_ids:
        try:
            found[sheet_id] = read_sheet(sheet_id)
        except UNREADABLE as error:
            found[sheet_id] = f"it cannot be read ({type(error).__name__})"
    return found


def _refusals_too(
    check: Callable[[SheetReading], Iterator[str]], sheet: SheetReading
) -> list[str]:
    try:
        return list(check(sheet))
    except Refusal as refusal:
        return [f"what is written cannot be ({refusal.code})"]


def _hands(sheet: SheetReading) -> Iterator[str]:
    """A line for every hand that is not void, and no other."""
    rules = ScoringRules.from_options(sheet.rules)
    written = {line.hand: line for line in sheet.lines if line.kind in scoring.HAND_KINDS}
    numbers = [hand.number for hand in sheet.hands]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its hands are not numbered from 1"
    for hand in sheet.hands:
        line = scoring.hand_line(rules, hand.number, hand.result)
        if line != written.get(hand.number):
            yield (
                f"hand {hand.number}: worth {told(line)}; "
                f"written: {told(written.get(hand.number))}"
            )
    for number in sorted(written.keys() - set(numbers), key=str):
        yield f"hand {number}: a line, but no hand"


def _end(sheet: SheetReading) -> Iterator[str]:
    """The target ends a game, and nothing comes after it."""
    rules = ScoringRules.from_options(sheet.rules)
    lines = sorted(_of_hands(sheet), key=lambda line: line.hand or 0)
    goal = scoring.reached(rules, lines)
    ended = sheet.ended
    if goal is not None and scoring.reached(rules, lines[:-1]) is not None:
        yield "hands were written after the target was reached"
    if goal is not None and (ended is None or ended.how not in ("target", "voided")):
        yield f"seat {goal} reached the target, but that did not end it"
    if ended is not None and ended.how == "target" and ended.by != goal:
        yield f"it ended by seat {ended.by} reaching the target; worked out: {goal}"


def _bonuses(sheet: SheetReading) -> Iterator[str]:
    """The end-of-game lines, all of them and once, in time."""
    rules = ScoringRules.from_options(sheet.rules)
    written = Counter(line for line in sheet.lines if line.kind in scoring.BONUS_KINDS)
    due: Counter[Line] = Counter()
    if sheet.bonuses_written and sheet.ended is not None:
        due.update(scoring.bonus_lines(rules, _of_hands(sheet), sheet.ended, len(sheet.seats)))
    for line in (due - written).elements():
        yield f"seat {line.seat} lacks {told(line)}"
    for line in (written - due).elements():
        yield f"seat {line.seat} has {told(line)}, which is not due"
    late = sheet.ended_at is not None and timezone.now() - sheet.ended_at > LATE
    if late and not sheet.bonuses_written:
        yield "its bonuses were never written"


def _tallied(sheet: SheetReading, stored: Sequence[dict[str, Any]]) -> Iterator[str]:
    """One tally a seat of a game that is over and counts, each figure as the sheet has it."""
    due = {tally.seat: tally for tally in tallies_of(sheet)}
    rows = {row["seat"]: row for row in stored}
    for seat in sorted(due.keys() | rows.keys()):
        if seat not in rows:
            yield f"seat {seat} has no tally"
        elif seat not in due:
            yield f"seat {seat} has a tally, which is not due"
        else:
            for name in TALLIED:
                worked_out = getattr(due[seat], name)
                if rows[seat][name] != worked_out:
                    yield f"seat {seat}: tally of {name} {rows[seat][name]}, not {worked_out}"


def _edition(sheet: SheetReading, before: ScoreSheet | None) -> Iterator[str]:
    """An edition follows an older sheet of the same game: its rules, its family."""
    if sheet.replaces_id is None:
        if sheet.original_id != sheet.id:
            yield "it is the edition of another sheet, but replaces none"
    elif before is None or before.pk >= sheet.id:
        yield "it replaces a sheet that is not older"
    else:
        if (before.original_id or before.pk) != sheet.original_id:
            yield f"it replaces sheet {before.pk}, which is of another game"
        if before.rules != sheet.rules or before.source != sheet.source:
            yield f"it has other rules or another source than sheet {before.pk}"


def _of_hands(sheet: SheetReading) -> list[Line]:
    return [line for line in sheet.lines if line.kind in scoring.HAND_KINDS]


def _by_seat(sheet: SheetReading) -> dict[int, int]:
    """The totals of the seats that have lines."""
    with_lines = {line.seat for line in sheet.lines}
    return {seat: sheet.standing.totals[seat] for seat in with_lines}


def _sums(sheet_ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """The points of each seat as the database adds them up."""
    found: dict[int, dict[int, int]] = {}
    stored = ScoreLine.objects.filter(sheet_id__in=sheet_ids).order_by()
    for sheet_id, seat, points in stored.values_list("sheet_id", "seat").annotate(Sum("points")):
        found.setdefault(sheet_id, {})[seat] = points
    return found


def _tallies(sheet_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in Tally.objects.filter(sheet_id__in=sheet_ids).values(*TALLIED):
        found.setdefault(row["sheet_id"], []).append(row)
    return found


def told(line: Line | None) -> str:
    """A line, in short."""
    if line is None:
        return "no line"
    times = f" × {line.multiplier}" if line.multiplier != 1 else ""
    return f"{line.kind} {line.base} + {line.bonus}{times} for seat {line.seat}"
