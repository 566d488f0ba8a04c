"""The score sheet as it is laid out on the page: rows in words, running totals, the verdict.

Points come from the ledger and are never worked out here; what happened in a hand comes from the
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import presets, race, rooms, stories
from games.stories import Story
from scoring import ledger
from scoring.rules import Line


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's box in a row. ``gain`` None: nothing happened in it."""

    gain: int | None = None
    run: int | None = None
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the sheet: what happened (``what`` in bold), and a box a player."""

    what: str
    rest: str = ""
    sums: str = ""
    number: int | None = None
    cells: Sequence[Cell] = field(default_factory=tuple)
    void: bool = False


def laid_out(sheet_id: int, user_id: int) -> dict[str, Any] | None:
    """Everything the page of a sheet shows to someone who may read it; None without a game."""
    game = stories.game_of_sheet(sheet_id)
    if game is None:
        return None
    sheet = ledger.read_sheet(sheet_id)
    rules = presets.RuleSet.from_dict(sheet.rules)
    hands = hand_rows(sheet, stories.hand_stories(game.pk))
    return {
        "sheet": sheet,
        "names": _names(sheet),
        "columns": len(sheet.seats) + 1,
        "game": game,
        "room": game.table.room,
        "in_room": rooms.may_enter(game.table.room_id, user_id),
        "hands": hands,
        "ending": ending(sheet),
        "bonuses": bonus_rows(sheet) if sheet.bonuses_written else [],
        "pending": sheet.ended is not None and not sheet.bonuses_written,
        "totals": sheet.standing.totals,
        "verdict": verdict(sheet) if sheet.bonuses_written else "",
        "race": race.drawn(_names(sheet), rules.scoring.target, [row.cells for row in hands]),
        "facts": facts(sheet),
        "preset": presets.PRESETS[rules.preset].name,
        "words": presets.in_words(rules),
    }


def hand_rows(sheet: ledger.SheetReading, told: Mapping[int, Story]) -> list[Row]:
    """A row a hand, void hands included, with the running total of whoever scored."""
    lines = {line.hand: line for line in sheet.lines if line.hand is not None}
    running = [0] * len(sheet.seats)
    rows = []
    for number in sorted(set(lines) | set(told)):
        line, story = lines.get(number), told.get(number)
        if line is None:
            rows.append(Row(_void(story), number=number, cells=_empty(sheet), void=True))
            continue
        running[line.seat] += line.points
        hit = sheet.standing.reached == line.seat and number == max(lines)
        cells = [
            Cell(line.points, running[seat], hit) if seat == line.seat else Cell()
            for seat in range(len(running))
        ]
        what, rest, sums = in_words(line, story)
        rows.append(Row(what, rest, sums, number, cells))
    return rows


def _void(story: Story | None) -> str:
    """Why a hand has no line."""
    if story is not None and story.end is None:
        return _("Cut short")
    if story is not None and story.idle:
        return _("Void, fifty turns without the stock")
    return _("Void, the stock ran out")


def in_words(line: Line, story: Story | None) -> tuple[str, str, str]:
    """What happened in a scored hand: its name, the two deadwoods and the sum."""
    knocker = story.knocker_deadwood if story else None
    defender = story.defender_deadwood if story else None
    what, rest = {
        "knock": (pgettext("sheet", "Knock"), _("%(knocker)s against %(defender)s")),
        "gin": (pgettext("sheet", "Gin"), _("against %(defender)s")),
        "big_gin": (pgettext("sheet", "Big gin"), _("against %(defender)s")),
        "undercut": (pgettext("sheet", "Undercut"), _("%(defender)s against %(knocker)s")),
        "first_knock": (pgettext("sheet", "First to knock"), _("with %(knocker)s")),
    }.get(line.kind, (line.kind, ""))
    said = rest % {"knocker": knocker, "defender": defender} if story else ""
    sums = ""
    if line.kind in ("gin", "big_gin"):
        sums = f"{line.bonus} + {line.base}"
    elif line.kind == "undercut":
        sums = f"{line.base} + {line.bonus}"
    if line.multiplier != 1:
        sums = f"({sums}) × {line.multiplier}" if sums else f"{line.base} × {line.multiplier}"
    return what, said, sums and f"({sums})"


def ending(sheet: ledger.SheetReading) -> str:
    """How the game ended, in the line drawn under the last hand."""
    if sheet.ended is None:
        return ""
    by = _names(sheet)[sheet.ended.by] if sheet.ended.by is not None else ""
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
        by = _names(sheet)[sheet.standing.reached]
        if _by_first_knock(sheet):
            sentence = _("%(name)s knocked first")
    return sentence % {
        "name": by,
        "target": sheet.rules.get("target"),
        "hand": max(hands, default=0),
    }


def bonus_rows(sheet: ledger.SheetReading) -> list[Row]:
    """The lines under the target, and why a shutout is not due when the rules know one."""
    rows = []
    for kind, what in (
        ("line", _("Line bonus")),
        ("game", _("Game bonus")),
        ("shutout", _("Shutout")),
        ("correction", _("Correction")),
    ):
        lines = {line.seat: line for line in sheet.lines if line.kind == kind}
        rest = _reason(sheet, kind, lines)
        if lines or rest:
            points = [lines[seat].points if seat in lines else None for seat in _seats(sheet)]
            rows.append(Row(what, rest, cells=[Cell(run=each) for each in points]))
    return rows


def _reason(sheet: ledger.SheetReading, kind: str, lines: Mapping[int, Line]) -> str:
    if kind == "line" and lines:
        won = [sheet.standing.hands_won[seat] for seat in sorted(lines)]
        counts = _("%(one)s and %(two)s") % {"one": won[0], "two": won[1]} if won[1:] else won[0]
        return ngettext(
            "%(counts)s hand at %(bonus)s", "%(counts)s hands at %(bonus)s", max(won)
        ) % {"counts": counts, "bonus": sheet.rules.get("line_bonus")}
    if kind == "correction" and lines:
        return next(iter(lines.values())).reason or ""
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
        ) % {"name": _names(sheet)[loser], "number": points}
    hands = sheet.standing.hands_won[loser]
    return ngettext(
        "not due: %(name)s won %(number)s hand", "not due: %(name)s won %(number)s hands", hands
    ) % {"name": _names(sheet)[loser], "number": hands}


def verdict(sheet: ledger.SheetReading) -> str:
    """Who wins the game, and by how much where the totals say so."""
    winner, totals = sheet.standing.winner, sheet.standing.totals
    if winner is None:
        return _("The game has no winner.")
    best_other = max(totals[seat] for seat in _seats(sheet) if seat != winner)
    ahead = totals[winner] - best_other
    if ahead <= 0 or _by_first_knock(sheet):
        return _("%(name)s wins the game.") % {"name": _names(sheet)[winner]}
    return ngettext(
        "%(name)s wins the game by %(points)s point.",
        "%(name)s wins the game by %(points)s points.",
        ahead,
    ) % {"name": _names(sheet)[winner], "points": ahead}


def facts(sheet: ledger.SheetReading) -> list[tuple[str, list[int]]]:
    """The game in brief: counts a player."""

    def count(*kinds: str) -> list[int]:
        return [
            sum(line.seat == seat and line.kind in kinds for line in sheet.lines)
            for seat in _seats(sheet)
        ]

    best = [
        max((e.points for e in sheet.lines if e.seat == seat and e.hand is not None), default=0)
        for seat in _seats(sheet)
    ]
    return [
        (_("Hands won"), list(sheet.standing.hands_won)),
        (_("Gins"), count("gin", "big_gin")),
        (_("Undercuts"), count("undercut")),
        (_("Best hand"), best),
    ]


def _by_first_knock(sheet: ledger.SheetReading) -> bool:
    """Whether one knock is the whole game: then there is nothing to add up."""
    return sheet.rules.get("format") == "first_knock"


def _names(sheet: ledger.SheetReading) -> list[str]:
    return [seat.name for seat in sheet.seats]


def _seats(sheet: ledger.SheetReading) -> range:
    return range(len(sheet.seats))


def _empty(sheet: ledger.SheetReading) -> list[Cell]:
    return [Cell() for _seat in _seats(sheet)]
