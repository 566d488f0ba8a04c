"""What a pad's page draws: the sheet as it is now, and what it was before a correction.

Points and totals are the ledger's. The page draws from this alone, first and after every change,
so what it shows after a reload cannot differ.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any
from zlib import crc32

from accounts.refusal import N_, Refusal
from games import dealing, paper, readers
from games.rooms import Watched
from scoring import ledger, pad
from scoring.ledger import SheetReading
from scoring.rules import HandResult

# What the page works out by itself while it cannot ask: the same figures, no others.
TOLD = (
    "format", "gin", "big_gin", "undercut", "target", "spades_double", "knock_limit",
    "oklahoma_ace", "next_dealer", "layoffs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand in words. ``trace``: what the edition before had in its place, if another."""

    number: int
    kind: str
    winner: int | None
    knocker: int
    defender: int
    spade: bool
    points: int
    run: int
    what: str
    rest: str
    dealer: int | None
    trace: str


def pad_of(sheet_id: int, user_id: int) -> SheetReading:
    """The pad this number belongs to, as it is now, for whoever may read it.

    Raises Refusal: not_found, for anybody else, and for a sheet that is no pad.
    """
    found = ledger.read_sheets([sheet_id]).get(sheet_id)
    if found is None or found.source != "paper" or not readers.may_read_sheet(user_id, sheet_id):
        raise Refusal("not_found", N_("There is no such sheet."))
    if found.replaced_by_id is None:
        return found
    return ledger.read_sheet(ledger.current_of(sheet_id))


def state_of(sheet: SheetReading, user_id: int) -> dict[str, Any]:
    """The whole state of a pad for one reader, as JSON can carry it."""
    hands, gone = rows_of(sheet)
    return {
        "pad": sheet.original_id,
        "sheet": sheet.id,
        "at": _at(sheet),
        "user": user_id,
        "keeper": sheet.keeper_id == user_id,
        "names": list(sheet.names),
        "rules": {name: sheet.rules.get(name) for name in TOLD},
        "hands": [asdict(row) for row in hands],
        "gone": gone,
        "dealer": dealers(sheet)[-1] if sheet.ended is None else None,
        "points": list(sheet.standing.hand_points),
        "won": list(sheet.standing.hands_won),
        "over": _over(sheet),
        "editions": pad.earlier_editions(sheet),
    }


def _at(sheet: SheetReading) -> list[int]:
    """Grows with everything that happens to a pad, so that of two states the later is known."""
    written = [sheet.ended is not None, sheet.bonuses_written]
    known = sum(seat.user_id is not None for seat in sheet.seats)
    return [sheet.id, len(sheet.hands), *map(int, written), known, len(sheet.lines)]


def _over(sheet: SheetReading) -> dict[str, Any] | None:
    if sheet.ended is None:
        return None
    bonuses = paper.bonus_rows(sheet) if sheet.bonuses_written else []
    bonuses += paper.correction_rows(sheet)
    return {
        "how": sheet.ended.how,
        "ending": paper.ending(sheet),
        "pending": not sheet.bonuses_written,
        "verdict": paper.verdict(sheet) if sheet.bonuses_written else "",
        "bonuses": [
            {"what": row.what, "rest": row.rest, "cells": [cell.run for cell in row.cells]}
            for row in bonuses
        ],
        "totals": list(sheet.standing.totals),
    }


def dealers(sheet: SheetReading) -> list[int | None]:
    """Who dealt each hand, and last who deals the next one."""
    found = [sheet.first_dealer]
    for result in sheet.results:
        last = found[-1]
        if last is None:
            found.append(None)
        else:
            option = str(sheet.rules.get("next_dealer") or "alternate")
            found.append(dealing.next_dealer(option, last, result.winner, len(sheet.seats)))
    return found


def rows_of(sheet: SheetReading) -> tuple[list[HandRow], list[str]]:
    """The hands, each with what a correction changed in it, and those that one took out."""
    rows = list(paper.hand_rows(sheet))
    if sheet.replaces_id is not None:
        rows = paper.traced(rows, sheet, ledger.read_sheet(sheet.replaces_id))
    kept = [row for row in rows if not row.gone]
    hands = [
        _row(row, hand.result, dealer)
        for row, hand, dealer in zip(kept, sheet.hands, dealers(sheet), strict=False)
    ]
    return hands, [row.what for row in rows if row.gone]


def _row(row: paper.Row, result: HandResult, dealer: int | None) -> HandRow:
    cell = row.cells[result.winner] if result.winner is not None else paper.Cell()
    return HandRow(
        row.number or 0, result.kind, result.winner, result.knocker_deadwood,
        result.defender_deadwood, result.spade, cell.gain or 0, cell.run or 0, row.what,
        f"{row.rest} {row.sums}".strip(), dealer, row.trace,
    )  # fmt: skip


def watch_pad(sheet_id: int, user_id: int) -> Watched:
    """What the socket of a pad's page asks: a stamp that differs when the pad does."""
    sheet = pad_of(sheet_id, user_id)
    asked = [(one.pk, one.state) for one in pad.invitations_at(sheet.original_id)]
    stamp = f"{crc32(repr((_at(sheet), asked)).encode()):x}"
    waits = sheet.ended is not None and not sheet.bonuses_written
    return Watched(stamp, frozenset({sheet.id} if waits else ()))
