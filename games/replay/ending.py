"""How a replayed hand ended, in a head and a few sentences, for a page without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import paper
from scoring.ledger import SheetReading
from scoring.rules import Line

View = Mapping[str, Any]


def headline(view: View, line: Line | None, names: Sequence[str]) -> str:
    """Who scored, and how much."""
    if view["result"] is None:
        return _("Hand cut short")
    if line is None:
        return _("Void hand")
    name = {"name": names[line.seat]}
    if line.kind == "first_knock":
        return _("%(name)s wins the hand") % name
    if line.points == 0:
        return _("%(name)s wins the hand, without points") % name
    return ngettext(
        "%(name)s scores %(count)s point", "%(name)s scores %(count)s points", line.points
    ) % {**name, "count": line.points}


def account(view: View, sheet: SheetReading) -> str:
    """What happened."""
    result, names = view["result"], sheet.names
    if result is None:
        return paper.ending(sheet)
    if result["end"] == "void":
        if view["stock"] <= 2:
            return _("The stock is used up: nobody scores.")
        return _("Fifty turns without drawing from the stock: nobody scores.")
    name = {"name": names[result["knocker"]]}
    if result["end"] == "big_gin":
        return _("%(name)s declares big gin.") % name
    if result["end"] == "gin":
        return _("%(name)s goes gin.") % name
    if result["end"] == "first_knock":
        return _("%(name)s knocks first.") % name
    return " ".join(_knock(result, names))


def _knock(result: View, names: Sequence[str]) -> list[str]:
    knocker = {"name": names[result["knocker"]], "deadwood": result["knocker_deadwood"]}
    told = [_("%(name)s knocks with %(deadwood)s.") % knocker]
    for hand in result["hands"]:
        if hand["seat"] != result["knocker"]:
            left = {"name": names[hand["seat"]], "left": hand["deadwood"]}
            told.append(_("%(name)s is left with %(left)s.") % left)
    if result["end"] == "undercut":
        tie = result["knocker_deadwood"] == result["defender_deadwood"]
        told.append(
            _("It is a tie: the defender scores.")
            if tie
            else _("That is an undercut: the defender scores.")
        )
    return told
