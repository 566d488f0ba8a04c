"""What a correction changed: the rows of one edition beside those of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest

from django.utils.translation import gettext as _

from games.paper.rows import Cell, Row, in_words
from scoring.ledger import SheetReading
from scoring.rules import HandResult

Pair = tuple[int | None, int | None]


def pairs(before: Sequence[HandResult], after: Sequence[HandResult]) -> Iterator[Pair]:
    """Which hand of one edition is which of the other, by their places; None: it has none there.

    In the order of the sheet, and so that as little as possible counts as changed.
    """
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for _tag, a, b, c, d in matcher.get_opcodes():
        yield from zip_longest(range(a, b), range(c, d))


def traced(rows: Sequence[Row], sheet: SheetReading, older: SheetReading) -> list[Row]:
    """The rows of a corrected sheet, each change marked; hands taken out stand there struck out."""
    found = []
    for was, now in pairs(older.results, sheet.results):
        if now is None and was is not None:
            found.append(_gone(older, was))
        elif now is not None and was is None:
            found.append(replace(rows[now], trace=_("added")))
        elif now is not None and was is not None:
            said = ""
            if older.results[was] != sheet.results[now]:
                said = _("corrected, before: %(hand)s") % {"hand": told(older, was)}
            found.append(replace(rows[now], trace=said))
    return found + list(rows[len(sheet.results) :])


def traced_later(rows: Sequence[Row], sheet: SheetReading, newer: SheetReading) -> list[Row]:
    """The rows of an old edition, with what became of each in the one that replaced it."""
    found = list(rows)
    for was, now in pairs(sheet.results, newer.results):
        if was is None:
            continue
        if now is None:
            found[was] = replace(rows[was], trace=_("taken out since"))
        elif sheet.results[was] != newer.results[now]:
            said = _("corrected since: %(hand)s") % {"hand": told(newer, now)}
            found[was] = replace(rows[was], trace=said)
    return found


def told(sheet: SheetReading, place: int) -> str:
    """A hand of another edition in a few words, with whoever won it."""
    result = sheet.results[place]
    what, rest, _sums = in_words(result)
    if result.winner is None:
        return what
    return _("%(name)s, %(what)s") % {
        "name": sheet.names[result.winner], "what": f"{what} {rest}".lower(),
    }  # fmt: skip


def _gone(older: SheetReading, place: int) -> Row:
    cells = [Cell() for _seat in older.seats]
    return Row(told(older, place), cells=cells, trace=_("taken out"), gone=True)


def as_played(sheet: SheetReading, first: SheetReading) -> Mapping[int, int]:
    """Under which number each hand of this edition was played at its table."""
    return {
        sheet.hands[now].number: first.hands[was].number
        for was, now in pairs(first.results, sheet.results)
        if was is not None and now is not None
    }
