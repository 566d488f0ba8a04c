"""What stands under the last hand: how the game ended, the end-of-game lines, who won."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.paper.rows import Cell, Row
from scoring.ledger import SheetReading
from scoring.rules import CORRECTION, Line


def ending(sheet: SheetReading) -> str:
    """How the game ended, in the line drawn under the last hand."""
    if sheet.ended is None:
        return ""
    by = sheet.names[sheet.ended.by] if sheet.ended.by is not None else ""
    hands = [line.hand for line in sheet.lines if line.hand is not None]
    sentence = {
        "target": _("Target %(target)s reached by %(name)s in hand %(hand)s"),
        "resigned": _("%(name)s resigned"),
        "time": _("%(name)s ran out of time"),
        "claimed": _("%(name)s stayed away"),
        "called_off": _("Called off by agreement"),
        "voided": _("Declared void by the administrator"),
    }[sheet.ended.how]
    if sheet.ended.how == "target" and sheet.standing.reached is not None:
        by = sheet.names[sheet.standing.reached]
        if _by_first_knock(sheet):
            sentence = _("%(name)s knocked first")
    return sentence % {
        "name": by,
        "target": sheet.rules.get("target"),
        "hand": max(hands, default=0),
    }


def bonus_rows(sheet: SheetReading) -> list[Row]:
    """The lines under the target, and why a shutout is not due when the rules know one."""
    rows = []
    for kind, what in (
        ("line", _("Line bonus")), ("game", _("Game bonus")), ("shutout", _("Shutout")),
    ):  # fmt: skip
        lines = {line.seat: line for line in sheet.lines if line.kind == kind}
        rest = _reason(sheet, kind, lines)
        if lines or rest:
            rows.append(Row(what, rest, cells=_boxes(sheet, lines)))
    return rows


def correction_rows(sheet: SheetReading) -> list[Row]:
    """Every free correction, with its reason and who made it."""
    return [
        Row(
            _("Correction"),
            _("%(reason)s (%(author)s)") % {"reason": line.reason, "author": line.author},
            cells=_boxes(sheet, {line.seat: line}),
        )
        for line in sheet.lines
        if line.kind == CORRECTION
    ]


def _boxes(sheet: SheetReading, lines: Mapping[int, Line]) -> list[Cell]:
    return [
        Cell(run=lines[seat].points if seat in lines else None) for seat in _seats(sheet)
    ]


def _reason(sheet: SheetReading, kind: str, lines: Mapping[int, Line]) -> str:
    if kind == "line" and lines:
        won = [sheet.standing.hands_won[seat] for seat in sorted(lines)]
        counts = _("%(one)s and %(two)s") % {"one": won[0], "two": won[1]} if won[1:] else won[0]
        return ngettext(
            "%(counts)s hand at %(bonus)s", "%(counts)s hands at %(bonus)s", max(won)
        ) % {"counts": counts, "bonus": sheet.rules.get("line_bonus")}
    reached = sheet.standing.reached
    if kind != "shutout" or lines or reached is None or _by_first_knock(sheet):
        return ""
    if sheet.rules.get("shutout") == "none":
        return ""
    loser = next((seat for seat in _seats(sheet) if seat != reached), reached)
    if sheet.rules.get("shutout_when") == "zero_points":
        points = sheet.standing.hand_points[loser]
        return ngettext(
            "not due: %(name)s scored %(number)s point",
            "not due: %(name)s scored %(number)s points",
            points,
        ) % {"name": sheet.names[loser], "number": points}
    hands = sheet.standing.hands_won[loser]
    return ngettext(
        "not due: %(name)s won %(number)s hand", "not due: %(name)s won %(number)s hands", hands
    ) % {"name": sheet.names[loser], "number": hands}


def verdict(sheet: SheetReading) -> str:
    """Who wins the game, and by how much where the totals say so."""
    winner, totals = sheet.standing.winner, sheet.standing.totals
    if winner is None:
        return _("The game has no winner.")
    best_other = max(totals[seat] for seat in _seats(sheet) if seat != winner)
    ahead = totals[winner] - best_other
    if ahead <= 0 or _by_first_knock(sheet):
        return _("%(name)s wins the game.") % {"name": sheet.names[winner]}
    return ngettext(
        "%(name)s wins the game by %(points)s point.",
        "%(name)s wins the game by %(points)s points.",
        ahead,
    ) % {"name": sheet.names[winner], "points": ahead}


def _by_first_knock(sheet: SheetReading) -> bool:
    """Whether one knock is the whole game: then there is nothing to add up."""
    return sheet.rules.get("format") == "first_knock"


def _seats(sheet: SheetReading) -> range:
    return range(len(sheet.seats))
