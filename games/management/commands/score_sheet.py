"""Score a game written down in JSON: ``manage.py score_sheet FILE``, or ``-`` for standard input.

Prints the sheet as JSON. Whatever the rules cannot produce is refused: one sentence on standard
error, exit 2.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from accounts.refusal import Refusal
from games.presets import RuleSet, rule_set
from scoring import rules as scoring
from scoring.rules import BadSheet, Ended, HandResult, Line

LONGEST = 4_000_000  # bytes; a long game has a few thousand
SEATS = 2
MOST_CORRECTED = 1_000_000
HAND_KEYS = ("winner", "kind", "knocker_deadwood", "defender_deadwood")


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


def read_json(text: str) -> Any:
    """Strict JSON: no key twice, no NaN, no Infinity."""
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        refuse("This is not JSON: %(why)s.", why=why(error))


def why(error: Exception) -> str:
    """What went wrong, short enough for a sentence."""
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(error)[:120]


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def refuse(sentence: str, **params: object) -> NoReturn:
    raise BadSheet("bad_input", sentence, **params)


def scored(game: Any) -> dict[str, Any]:
    """The sheet of a game as the commands and vectors spell it."""
    keys(game, "The game", ("rules", "hands"), ("players", "started", "ended", "corrections"))
    require_object(game["rules"], "“rules”")
    rules = rule_set(game["rules"])
    _check_players(game.get("players"))
    _check_started(game.get("started"))
    lines = hand_lines(rules, game["hands"])
    ended = _ended(rules, lines, game.get("ended"))
    lines += sorted(
        (*scoring.bonus_lines(rules.scoring, lines, ended), *_corrections(game)),
        key=lambda line: (line.kind, line.seat),
    )
    return on_paper(lines, scoring.standing(rules.scoring, lines, ended))


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


def hand_lines(rules: RuleSet, hands: Any) -> list[Line]:
    """A line for every hand that is not void; refuses hands after the end."""
    if not isinstance(hands, list):
        refuse("“hands” must be a list.")
    lines: list[Line] = []
    points = [0] * SEATS
    for number, hand in enumerate(hands, 1):
        if max(points) >= rules.scoring.target:
            refuse("Hand %(number)s comes after the end of the game.", number=number)
        try:
            line = scoring.hand_line(rules.scoring, number, _result(rules, hand))
        except Refusal as refusal:
            refuse("Hand %(number)s: %(why)s", number=number, why=refusal)
        if line is not None:
            lines.append(line)
            points[line.seat] += line.points
    return lines


def _result(rules: RuleSet, hand: Any) -> HandResult:
    require_object(hand, "a hand")
    void = hand.get("kind") == "void"
    needed = ("kind",) if void else HAND_KEYS
    keys(hand, "It", needed, (*HAND_KEYS, "spade"))
    if void:
        return HandResult(None, "void")
    result = HandResult(**hand)
    scoring.check_hand(rules.scoring, result, rules.highest_knock)
    _seat(result.winner)
    return result


def _ended(rules: RuleSet, lines: list[Line], given: Any) -> Ended | None:
    """The end as written down, if it can have happened to this game (rules, sections 9, 12)."""
    goal = scoring.reached(rules.scoring, lines)
    if given is None:
        return None if goal is None else Ended("target", goal)
    keys(given, "“ended”", ("how",), ("by",))
    how, by = given["how"], given.get("by")
    if not isinstance(how, str) or how not in scoring.ENDS:
        refuse("No game ends by %(how)s.", how=scoring.in_short(how))
    if how in scoring.LEFT and by is None:
        refuse("“ended” must say by which seat the game was left.")
    if by is not None:
        _seat(by)
    if how == "target" and goal is None:
        refuse("Nobody has reached the target of %(target)s.", target=rules.scoring.target)
    if how == "target" and by not in (None, goal):
        refuse("It was not seat %(seat)s that reached the target.", seat=by)
    if how not in ("target", "voided") and goal is not None:
        refuse("The target was reached: the game was over before it could end otherwise.")
    return Ended(how, goal if how == "target" else by)


def _corrections(game: Mapping[str, Any]) -> list[Line]:
    given = game.get("corrections")
    if given is None:
        return []
    if not isinstance(given, list):
        refuse("“corrections” must be a list.")
    return [_correction(one) for one in given]


def _correction(given: Any) -> Line:
    keys(given, "A correction", ("seat", "points", "reason"), ("author", "by"))
    points, reason = given["points"], given["reason"]
    _seat(given["seat"])
    if type(points) is not int or abs(points) > MOST_CORRECTED:
        refuse(
            "A correction is a whole number of points, not %(points)s.",
            points=scoring.in_short(points),
        )
    if not _is_text(reason):
        refuse("A correction needs a reason, in words.")
    if any(not _is_text(given[name]) for name in ("author", "by") if name in given):
        refuse("Who made a correction is told by name.")
    return Line(given["seat"], scoring.CORRECTION, None, points, reason=reason.strip())


def _check_players(given: Any) -> None:
    if given is None:
        return
    if not isinstance(given, list) or len(given) != SEATS or not all(map(_is_text, given)):
        refuse("“players” must be a list of two names.")


def _check_started(given: Any) -> None:
    try:
        if given is not None:
            datetime.fromisoformat(given)
    except (TypeError, ValueError):
        refuse("“started” must be a date and time like 2026-01-31T20:15:00+01:00.")


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip()) and len(given) <= 300


def _seat(given: Any) -> None:
    if type(given) is not int or not 0 <= given < SEATS:
        refuse("There is no seat %(seat)s: seats are 0 and 1.", seat=scoring.in_short(given))


def require_object(given: Any, what: str) -> None:
    if not isinstance(given, dict):
        refuse("%(what)s must be a JSON object.", what=what[0].upper() + what[1:])


def keys(given: Any, what: str, needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """Refuse what is missing and what nobody knows."""
    require_object(given, what)
    for key in needed:
        if key not in given:
            refuse("%(what)s has no “%(key)s”.", what=what, key=key)
    for key in given:
        if key not in needed and key not in allowed:
            refuse("%(what)s has an unknown key, %(key)s.", what=what, key=scoring.in_short(key))
