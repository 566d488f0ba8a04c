"""The figures that stand in the pages of help: each comes from the rules, none is typed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts import bots
from games import presets
from games.forms import GROUPS, OPTIONS
from games.paper.rows import in_words
from games.presets import RuleSet
from scoring.rules import BONUS_KINDS, HandResult, Line, ScoringRules, bonus_lines, hand_line
from scoring.rules.options import LEAST_TARGET, MOST_TARGET

Words = str | Promise
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """A preset in the table of presets, a cell a column."""

    name: Words
    slug: str
    sentence: Words
    cells: list[str]

    @property
    def labelled(self) -> list[tuple[str, str]]:
        """Each cell with the head of its column, which a narrow screen writes before it."""
        return list(zip(preset_columns(), self.cells, strict=True))


def usual() -> RuleSet:
    """The rules a room has where nobody chose others."""
    return presets.rule_set({"preset": presets.DEFAULT})


def preset_columns() -> list[str]:
    """The heads of the table of presets."""
    return [
        _("Knock limit"), _("Gin"), _("Big gin"), _("Undercut"), _("Target"), _("Line bonus"),
        _("Game bonus"), _("Shutout"), _("Winner"), _("Next dealer"),
    ]  # fmt: skip


def preset_rows() -> list[Row]:
    """Every preset as it is played."""
    return [
        Row(preset.name, slug, preset.sentence, _cells(presets.rule_set({"preset": slug})))
        for slug, preset in presets.PRESETS.items()
    ]


def _cells(rules: RuleSet) -> list[str]:
    points = rules.scoring
    if points.format == "first_knock":
        nothing = [NOTHING] * 3
        ends = [str(points.target), *nothing, _("first to knock"), _dealer(rules)]
        return [_limit(rules), *nothing, *ends]
    return [
        _limit(rules),
        str(points.gin),
        _amount(points.big_gin),
        _amount(points.undercut),
        str(points.target),
        _line(points),
        _amount(points.game_bonus),
        _shutout(points),
        _("higher total") if points.winner_by == "total" else _("first at the target"),
        _dealer(rules),
    ]


def _amount(points: int | None) -> str:
    return str(points) if points else NOTHING


def _limit(rules: RuleSet) -> str:
    if rules.play.knock_limit == "upcard":
        doubled = rules.scoring.spades_double
        return _("upcard, ♠ doubles") if doubled else _("upcard")
    return _("gin only") if rules.play.knock_limit == 0 else str(rules.play.knock_limit)


def _line(points: ScoringRules) -> str:
    if not points.line_bonus:
        return NOTHING
    if points.line_bonus_to == "winner":
        return _("%(bonus)s to the winner") % {"bonus": points.line_bonus}
    return _("%(bonus)s to each") % {"bonus": points.line_bonus}


def _shutout(points: ScoringRules) -> str:
    if points.shutout == "none":
        return NOTHING
    if points.shutout == "fixed":
        return str(points.shutout_points)
    if points.shutout == "double_hands":
        return _("points doubled")
    return _("points and game bonus doubled")


def _dealer(rules: RuleSet) -> str:
    return {
        "alternate": pgettext("next dealer", "in turn"),
        "winner": pgettext("next dealer", "the winner"),
        "loser": pgettext("next dealer", "the loser"),
    }[rules.next_dealer]


Option = tuple[Words, list[Words]]


def option_groups() -> list[tuple[Words, list[Option]]]:
    """Every option of a room with what it may be, as the form that sets them says it."""
    bounds = {"least": LEAST_TARGET, "most": MOST_TARGET}
    target: Option = (_("Target"), [_("%(least)s to %(most)s points") % bounds])
    return [
        (title, [target if name == "target" else _option(name) for name in names])
        for title, names in GROUPS
    ]


def _option(name: str) -> Option:
    label, choices = OPTIONS[name]
    return label, [words for _value, words in choices]


def worth(end: str, knocker: int, defender: int) -> int:
    """The points of a hand that ended so under the usual rules, whoever scores them."""
    line = hand_line(usual().scoring, 1, HandResult(0, end, knocker, defender))
    return line.points if line else 0


@dataclass(frozen=True, slots=True)
class Measured:
    """How often a level won against another: per cent of so many games, with the margin."""

    level: str
    against: str
    games: int
    won: float
    margin: float

    @property
    def names(self) -> tuple[Words, Words]:
        """Both levels as they are called."""
        return bots.name_of(self.level), bots.name_of(self.against)


# What `script/bench bots` measured last. Nothing is claimed that was not measured.
MEASURED: tuple[Measured, ...] = (
    Measured("strong", "regular", 1000, 69.4, 2.9),
    Measured("expert", "regular", 1000, 76.5, 2.6),
    Measured("expert", "strong", 400, 65.0, 4.7),
)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of a sheet drawn in a page: what happened, and what each player got for it."""

    what: str
    rest: str
    gains: list[int | None]


def sheet_rows(played: Sequence[HandResult], rules: ScoringRules) -> list[SheetRow]:
    """The sheet of these hands under these rules, with its bonuses where they end a game."""
    lines = [hand_line(rules, number, hand) for number, hand in enumerate(played, 1)]
    rows = [
        SheetRow(*_said(hand, line), _gains([line] if line else []))
        for hand, line in zip(played, lines, strict=True)
    ]
    bonuses = bonus_lines(rules, [line for line in lines if line])
    for kind in BONUS_KINDS:
        found = [line for line in bonuses if line.kind == kind]
        if found:
            names = {"line": _("Line bonus"), "game": _("Game bonus"), "shutout": _("Shutout")}
            rows.append(SheetRow(names[kind], "", _gains(found)))
    return rows


def _said(hand: HandResult, line: Line | None) -> tuple[str, str]:
    what, rest, sums = in_words(hand, line)
    return what, f"{rest} {sums}".strip()


def _gains(lines: Sequence[Line]) -> list[int | None]:
    gains: list[int | None] = [None, None]
    for line in lines:
        gains[line.seat] = line.points
    return gains


def same_game() -> list[tuple[Words, int]]:
    """What one game comes to by each preset to 100: four hands, 126 points, against none."""
    played = [HandResult(0, "knock", 1, 1 + points) for points in (20, 31, 36, 39)]
    found = []
    for slug, preset in presets.PRESETS.items():
        rules = presets.rule_set({"preset": slug}).scoring
        if rules.format == "points" and rules.target == 100:
            total = sum(row.gains[0] or 0 for row in sheet_rows(played, rules))
            found.append((preset.name, total))
    return sorted(found, key=lambda row: row[1])


def turned_game() -> dict[str, Any]:
    """A game whose winner is not the player who reached the target: few big hands, many small."""
    rules = presets.rule_set({"preset": "money_play"})
    big, small = (60, 45), (9, 11, 12, 14, 16, 18, 19)
    played = [HandResult(1, "knock", 1, 1 + points) for points in small]
    played += [HandResult(0, "knock", 1, 1 + points) for points in big]
    rows = sheet_rows(played, rules.scoring)
    totals = [sum(row.gains[seat] or 0 for row in rows) for seat in (0, 1)]
    return {
        "rules": presets.preset_name("money_play"),
        "hands": [len(big), len(small)],
        "points": [sum(big), sum(small)],
        "totals": totals,
    }


def whole_game(rules: RuleSet) -> dict[str, Any]:
    """A short game to its last bonus: seat 0 wins three hands of four and reaches the target."""
    played = (
        HandResult(0, "knock", 4, 21),
        HandResult(1, "undercut", 8, 5),
        HandResult(0, "gin", 0, 13),
        HandResult(0, "knock", 6, 56),
    )
    rows = sheet_rows(played, rules.scoring)
    totals = [sum(row.gains[seat] or 0 for row in rows) for seat in (0, 1)]
    return {"rows": rows, "totals": totals, "difference": totals[0] - totals[1]}
