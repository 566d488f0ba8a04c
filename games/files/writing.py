"""A sheet as a file: JSON that loses nothing, and CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from scoring.chips import Outcome
from scoring.ledger import SheetReading
from scoring.rules import CORRECTION, HandResult, Line
from scoring.rules.stakes import buy_in

# A spreadsheet would take a cell that begins so for a formula; where people write decimals with a
# comma, cells begin behind a semicolon.
FORMULA = re.compile(r"(^|;)(?=\s*[=+\-@＝＋－＠\t\r])")
COLUMNS = ("date", "hand", "kind", "name", "base", "bonus", "multiplier", "points")


def as_json(sheet: SheetReading, staked: Outcome | None = None) -> dict[str, Any]:
    """The game as ``score_sheet`` and the import read it; its bonuses follow from it.

    ``staked``: what it was played for and what came of it, told exactly. Read back, it moves no
    chips.
    """
    told: dict[str, Any] = {
        "players": list(sheet.names),
        "started": sheet.started_at.isoformat(),
        "rules": dict(sheet.rules),
        "hands": [_hand(result) for result in sheet.results],
    }
    if sheet.first_dealer is not None:
        told["first_dealer"] = sheet.first_dealer
    if sheet.ended is not None and sheet.ended_at is not None:
        by = {} if sheet.ended.by is None else {"by": sheet.ended.by}
        told["ended"] = {"how": sheet.ended.how, **by, "at": sheet.ended_at.isoformat()}
    corrections = [_correction(line) for line in sheet.lines if line.kind == CORRECTION]
    if corrections:
        told["corrections"] = corrections
    if staked is not None:
        told["stakes"] = _stakes(staked)
    return told


def _stakes(staked: Outcome) -> dict[str, Any]:
    told: dict[str, Any] = {**staked.stakes.to_dict(), "put_up": staked.put_up_at.isoformat()}
    if staked.settlement is not None and staked.settled_at is not None:
        told["settled"] = {
            "at": staked.settled_at.isoformat(),
            "buy_in": f"{staked.settlement.buy_in:.4f}",
            "commission": f"{staked.settlement.commission:.4f}",
            "paid": [f"{amount:.4f}" for amount in staked.settlement.paid],
        }
    return told


def _hand(result: HandResult) -> dict[str, Any]:
    if result.kind == "void":
        return {"kind": "void", **({"idle": True} if result.idle else {})}
    return {
        "winner": result.winner,
        "kind": result.kind,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        **({"spade": True} if result.spade else {}),
    }


def _correction(line: Line) -> dict[str, Any]:
    return {
        "seat": line.seat, "points": line.points, "reason": line.reason, "author": line.author,
    }  # fmt: skip


def as_csv(sheet: SheetReading, staked: Outcome | None = None) -> str:
    """A row a line in the order of the sheet, void hands too, with everybody's running total.

    Played for chips, it has a column of them at its end: what each put up and was paid, exactly.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    names = [no_formula(name) for name in sheet.names]
    writer.writerow([*COLUMNS, *names, *(["chips"] if staked else [])])
    totals = [0] * len(names)
    lines = {line.hand: line for line in sheet.lines if line.hand is not None}
    for hand in sheet.hands:
        line = lines.get(hand.number)
        date = hand.written_at.isoformat(timespec="seconds")
        if line is None:
            writer.writerow([date, hand.number, "void", "", "", "", "", 0, *totals])
        else:
            writer.writerow([date, *_row(line, names, totals)])
    date = sheet.ended_at.isoformat(timespec="seconds") if sheet.ended_at else ""
    for line in sheet.lines:
        if line.hand is None:
            writer.writerow([date, *_row(line, names, totals)])
    for at, kind, name, amount in _chips(staked, names):
        blank = [""] * (len(COLUMNS) - 4 + len(names))
        writer.writerow([at, "", kind, name, *blank, f"{amount:.4f}"])
    return out.getvalue()


def _chips(
    staked: Outcome | None, names: Sequence[str]
) -> Iterator[tuple[str, str, str, Decimal]]:
    """When, what, whose and how many: below zero where it was put up."""
    if staked is None:
        return
    at, each = staked.put_up_at.isoformat(timespec="seconds"), buy_in(staked.stakes)
    yield from ((at, "put up", name, -each) for name in names if each)
    if staked.settlement is not None and staked.settled_at is not None:
        at = staked.settled_at.isoformat(timespec="seconds")
        paid = zip(names, staked.settlement.paid, strict=True)
        yield from ((at, "paid", name, amount) for name, amount in paid)
        yield at, "commission", "", staked.settlement.commission


def _row(line: Line, names: Sequence[str], totals: list[int]) -> list[Any]:
    """A line's cells; its points are added to ``totals``."""
    totals[line.seat] += line.points
    worth = (line.base, line.bonus, line.multiplier, line.points)
    return [line.hand or "", line.kind, names[line.seat], *worth, *totals]


def no_formula(name: str) -> str:
    return FORMULA.sub(r"\1'", name)
