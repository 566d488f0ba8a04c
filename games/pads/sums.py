"""The arithmetic of a hand in words, before it is written; the points are the ledger's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.seats import next_seat
from scoring import rules as scoring
from scoring.rules import HandResult, Line


def sum_of(rules: Mapping[str, Any], names: Sequence[str], result: HandResult) -> str:
    """“Camille 21 − Léo 4 = 17 for Léo”. Raises BadSheet for a hand that cannot be."""
    line = scoring.hand_line(scoring.ScoringRules.from_options(rules), 1, result)
    if line is None:
        return _("Void hand: nothing is scored, the same dealer deals again.")
    left, winner = _left(line, names, result), names[line.seat]
    if line.multiplier != 1:
        left = f"({left}) × {line.multiplier}"
    if not left:
        return ngettext(
            "%(points)s point for %(winner)s", "%(points)s points for %(winner)s", line.points
        ) % {"points": line.points, "winner": winner}
    return _("%(sum)s = %(points)s for %(winner)s") % {
        "sum": left, "points": line.points, "winner": winner,
    }  # fmt: skip


def _left(line: Line, names: Sequence[str], result: HandResult) -> str:
    other = names[next_seat(line.seat, len(names))]
    own = names[line.seat]
    figures = {"knocker": result.knocker_deadwood, "defender": result.defender_deadwood}
    if line.kind == "knock":
        return f"{other} {figures['defender']} − {own} {figures['knocker']}"
    if line.kind == "undercut":
        left = f"{other} {figures['knocker']} − {own} {figures['defender']}"
        bonus = _("%(bonus)s for the undercut") % {"bonus": line.bonus}
        return f"{left} + {bonus}" if line.bonus else left
    if line.kind in ("gin", "big_gin"):
        bonus = _("%(bonus)s for gin") if line.kind == "gin" else _("%(bonus)s for big gin")
        return f"{other} {figures['defender']} + {bonus % {'bonus': line.bonus}}"
    return ""
