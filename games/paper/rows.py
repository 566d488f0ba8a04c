"""A row a hand: what happened in it, in words, and who has how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.ledger import SheetReading
from scoring.rules import HandResult, Line


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's box in a row. ``gain`` None: nothing happened in it."""

    gain: int | None = None
    run: int | None = None
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the sheet: what happened (``what`` in bold), and a box a player.

    ``played``: the number under which the hand can be replayed. ``trace``: what another edition has
    in its place, in words; ``gone``: the row stands in another edition only.
    """

    what: str
    rest: str = ""
    sums: str = ""
    number: int | None = None
    cells: Sequence[Cell] = field(default_factory=tuple)
    void: bool = False
    played: int | None = None
    trace: str = ""
    gone: bool = False


def hand_rows(sheet: SheetReading, cut_short: Sequence[int] = ()) -> list[Row]:
    """A row a hand, void hands included, with the running total of whoever scored.

    ``cut_short``: the numbers of hands that the end of the game left without a result.
    """
    lines = {line.hand: line for line in sheet.lines if line.hand is not None}
    last = max(lines, default=0)
    running = [0] * len(sheet.seats)
    rows = []
    for hand in sheet.hands:
        line = lines.get(hand.number)
        what, rest, sums = in_words(hand.result, line)
        cells = [Cell() for _seat in running]
        if line is not None:
            running[line.seat] += line.points
            hit = sheet.standing.reached == line.seat and hand.number == last
            cells[line.seat] = Cell(line.points, running[line.seat], hit)
        rows.append(Row(what, rest, sums, hand.number, cells, void=line is None))
    cells = [Cell() for _seat in running]
    return rows + [
        Row(_("Cut short"), number=number, cells=cells, void=True) for number in cut_short
    ]


def in_words(result: HandResult, line: Line | None = None) -> tuple[str, str, str]:
    """What happened in a hand: its name, the two deadwoods, and the sum where it has a line."""
    if result.kind == "void":
        idle = _("Void, fifty turns without the stock")
        return (idle if result.idle else _("Void, the stock ran out")), "", ""
    what, rest = {
        "knock": (pgettext("sheet", "Knock"), _("%(knocker)s against %(defender)s")),
        "gin": (pgettext("sheet", "Gin"), _("against %(defender)s")),
        "big_gin": (pgettext("sheet", "Big gin"), _("against %(defender)s")),
        "undercut": (pgettext("sheet", "Undercut"), _("%(defender)s against %(knocker)s")),
        "first_knock": (pgettext("sheet", "First to knock"), _("with %(knocker)s")),
    }[result.kind]
    said = rest % {"knocker": result.knocker_deadwood, "defender": result.defender_deadwood}
    return what, said, "" if line is None else _sum(line)


def _sum(line: Line) -> str:
    """How the points of a line come about, where one number does not say it."""
    sums = ""
    if line.kind in ("gin", "big_gin"):
        sums = f"{line.bonus} + {line.base}"
    elif line.kind == "undercut":
        sums = f"{line.base} + {line.bonus}"
    if line.multiplier != 1:
        sums = f"({sums}) × {line.multiplier}" if sums else f"{line.base} × {line.multiplier}"
    return sums and f"({sums})"
