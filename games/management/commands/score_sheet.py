"""Score a game written down in JSON: ``manage.py score_sheet FILE``, or ``-`` for standard input.

Prints the sheet as JSON. Whatever the rules cannot produce is refused: one sentence on standard
error, exit 2.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from accounts.refusal import Refusal
from games.files import from_json, read_json, refuse, why
from scoring import rules as scoring
from scoring.rules import Line

LONGEST = 4_000_000  # bytes; a long game has a few thousand


class Command(BaseCommand):
    help = "Score a game written down in JSON and print its sheet as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = read_json(read_text(options["file"]))
            answer = scored(game)
        except Refusal as refusal:
            self.stderr.write(str(refusal))
            sys.exit(2)
        self.stdout.write(json.dumps(answer))


def read_text(name: str) -> str:
    """The text of a file or of standard input."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(LONGEST + 1)
        else:
            with open(name, "rb") as file:
                raw = file.read(LONGEST + 1)
        if len(raw) > LONGEST:
            refuse("%(name)s is longer than %(longest)s bytes.", name=name, longest=LONGEST)
        return raw.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        refuse("%(name)s cannot be read: %(why)s.", name=name, why=why(error))


def scored(game: Any) -> dict[str, Any]:
    """The sheet of a game as the commands and vectors spell it."""
    told = from_json(game)
    rules, lines = told.rules.scoring, list(told.lines)
    lines += sorted(
        (*scoring.bonus_lines(rules, lines, told.ended), *told.corrections),
        key=lambda line: (line.kind, line.seat),
    )
    return on_paper(lines, scoring.standing(rules, lines, told.ended))


def on_paper(lines: list[Line], standing: scoring.Standing) -> dict[str, Any]:
    """Lines and sums in their JSON spelling."""
    return {
        "lines": [
            {
                "seat": line.seat,
                "kind": line.kind,
                "hand": line.hand,
                "base": line.base,
                "bonus": line.bonus,
                "multiplier": line.multiplier,
                "points": line.points,
            }
            for line in lines
        ],
        "hand_points": list(standing.hand_points),
        "totals": list(standing.totals),
        "reached": standing.reached,
        "winner": standing.winner,
        "finished": standing.finished,
    }
