"""Compare the rules with recorded facts: ``manage.py check_vectors FILE...``.

One JSON object a line; what kind of fact it is shows in its keys. Prints every mismatch with what
was expected, then ``N rows, M mismatches``. Exit 1 on a mismatch; exit 2 and one sentence when a
file or a row cannot be read.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.management.base import BaseCommand

from accounts.refusal import Refusal
from games.engine.arrangements import Arrangement, arrangements, fitting, meld_text, whole
from games.engine.cards import CARDS, Cards, gather, parse, spread, text
from games.engine.defence import best_defence
from games.engine.melds import least_after_discard, least_deadwood
from games.engine.position import replay
from games.engine.rules import PlayRules
from games.files import refuse, why
from games.management.commands.score_sheet import scored
from scoring.rules import HandResult, ScoringRules, hand_line

Facts = dict[str, Any]


class Command(BaseCommand):
    help = "Compare the rules of play and of scoring with recorded facts (JSON lines)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file of JSON lines")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = wrong = 0
        try:
            for name in options["files"]:
                for place, row in read_rows(name):
                    rows += 1
                    said = mismatches(place, row)
                    wrong += bool(said)
                    for line in said:
                        self.stdout.write(f"{place}: {line}")
        except Refusal as refusal:
            self.stderr.write(str(refusal))
            sys.exit(2)
        self.stdout.write(f"{rows} rows, {wrong} mismatches")
        if wrong:
            sys.exit(1)


def read_rows(name: str) -> Iterator[tuple[str, Any]]:
    """Every row of a file with its place; blank lines are none."""
    try:
        with open(name, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{name}:{number}", _row(f"{name}:{number}", line)
    except (OSError, UnicodeDecodeError) as error:
        refuse("%(name)s cannot be read: %(why)s.", name=name, why=why(error))


def _row(place: str, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        refuse("%(place)s is not JSON: %(why)s.", place=place, why=why(error))


def mismatches(place: str, row: Any) -> list[str]:
    """What the rules say otherwise than the row, in words."""
    try:
        kind, expected, found = compared(row)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        refuse("%(place)s is no row of any known kind.", place=place)
    return [
        f"{kind}: {key}: expected {json.dumps(value)}, got {json.dumps(found.get(key))}"
        for key, value in expected.items()
        if not _same(value, found.get(key))
    ]


def _same(expected: Any, found: Any) -> bool:
    """Equal in JSON: 1 is not true, and 1.0 is not 1."""
    return json.dumps(expected, sort_keys=True) == json.dumps(found, sort_keys=True)


def compared(row: Mapping[str, Any]) -> tuple[str, Facts, Facts]:
    """The kind of a row, what it expects, and what the rules say."""
    for kind, (needed, compare) in KINDS.items():
        if row.keys() >= needed:
            try:
                return kind, *compare(row)
            except Refusal as refusal:
                return kind, {"refused": None}, {"refused": str(refusal)}
    raise ValueError("no known kind")


def _deadwood(row: Mapping[str, Any]) -> tuple[Facts, Facts]:
    cards = _cards(row["hand"], row["n"])
    if row["n"] == 10:
        return {"deadwood": row["deadwood"]}, {"deadwood": least_deadwood(cards)}
    if row["n"] != 11:
        raise ValueError("ten or eleven cards")
    after = {text(card): least_deadwood(cards ^ 1 << card) for card in spread(cards)}
    least = least_after_discard(cards)
    return (
        {"deadwood": row["deadwood"], "best_discards": sorted(row["best_discards"])},
        {"deadwood": least, "best_discards": sorted(c for c in after if after[c] == least)},
    )


def _hand(row: Mapping[str, Any]) -> tuple[Facts, Facts]:
    """A whole hand under gin 25, undercut 25, lay-offs, no big gin."""
    deck = [CARDS[name] for name in row["deck"].split()]
    position = replay(PlayRules(knock_limit=row["knock_limit"]), deck, row["dealer"], row["moves"])
    outcome, expected = position.outcome, row["expect"]
    found: Facts = {"end": None}
    if outcome is not None:
        result = HandResult(
            outcome.winner, outcome.end, outcome.knocker_deadwood, outcome.defender_deadwood
        )
        line = hand_line(ScoringRules(), 1, result)
        found = {
            "end": outcome.end,
            "knocker": outcome.knocker,
            "winner": outcome.winner,
            "knocker_deadwood": outcome.knocker_deadwood,
            "defender_deadwood": outcome.defender_deadwood,
            "points": line.points if line else 0,
        }
    keys = ("end", "winner", "points") if expected["end"] == "void" else HAND_FACTS
    return {key: expected.get(key) if key == "winner" else expected[key] for key in keys}, found


def _showdown(row: Mapping[str, Any]) -> tuple[Facts, Facts]:
    knocker, defender = _cards(row["knocker"], 10), _cards(row["defender"], 10)
    if knocker & defender:
        raise ValueError("a card in both hands")
    least, alone = least_deadwood(knocker), least_deadwood(defender)
    ways = [_laid_out(knocker, defender, way) for way in arrangements(knocker)]
    return (
        {
            "knocker_deadwood": row["knocker_deadwood"],
            "defender_alone": row["defender_alone"],
            "arrangements": _each_once(row["arrangements"]),
        },
        {"knocker_deadwood": least, "defender_alone": alone, "arrangements": ways},
    )


def _each_once(ways: list[Mapping[str, Any]]) -> list[Facts]:
    """The ways of a row, each run whole: one cut in two is the same way, listed or not."""
    told: list[Facts] = []
    for place, way in enumerate(ways):
        fact = {"melds": _whole(way["melds"]), "fits": way["fits"], "defender": way["defender"]}
        if fact not in told or way in ways[:place]:
            told.append(fact)
    return told


def _whole(names: list[str]) -> list[str]:
    melds = [parse(name[at : at + 2] for at in range(0, len(name), 2)) for name in names]
    joined = whole(melds)
    return names if len(joined) == len(melds) else sorted(map(meld_text, joined))


def _laid_out(knocker: Cards, defender: Cards, way: Arrangement) -> Facts:
    fits = 0
    for meld in way.melds:
        fits |= fitting(meld)
    gin = way.deadwood == 0
    left = least_deadwood(defender) if gin else best_defence(defender, way.melds).rest.deadwood
    return {
        "melds": [meld_text(meld) for meld in way.melds],
        "fits": (fits & ~knocker).bit_count(),
        "defender": left,
    }


def _sheet(row: Mapping[str, Any]) -> tuple[Facts, Facts]:
    optional = ("players", "started", "ended", "corrections")
    game = {key: row[key] for key in ("rules", "hands", *optional) if key in row}
    expected = {key: row["expect"][key] for key in SHEET_FACTS}
    found = scored(game)
    lines = [[line[key] for key in LINE_FACTS] for line in found["lines"]]
    return expected, {**found, "lines": lines}


def _cards(names: list[str], count: int) -> Cards:
    cards = parse(names)
    if cards.bit_count() != count or len(names) != count or cards != gather(spread(cards)):
        raise ValueError("a card stands twice, or too many, or too few")
    return cards


HAND_FACTS = ("end", "knocker", "winner", "knocker_deadwood", "defender_deadwood", "points")
SHEET_FACTS = ("hand_points", "totals", "reached", "winner", "finished", "lines")
LINE_FACTS = ("seat", "kind", "hand", "base", "bonus", "multiplier", "points")
KINDS: Mapping[str, tuple[set[str], Callable[[Mapping[str, Any]], tuple[Facts, Facts]]]] = {
    "deadwood": ({"n", "hand", "deadwood"}, _deadwood),
    "hands": ({"deck", "dealer", "knock_limit", "moves", "expect"}, _hand),
    "showdowns": ({"knocker", "defender", "knocker_deadwood", "arrangements"}, _showdown),
    "sheets": ({"rules", "hands", "expect"}, _sheet),
}
