"""A game told in JSON, read strictly: what the rules cannot produce is refused by a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from accounts.refusal import N_, Refusal
from games.presets import RuleSet, rule_set
from scoring import rules as scoring
from scoring.rules import BadSheet, Ended, HandResult, Line

SEATS = 2
MOST_CORRECTED = 1_000_000
HAND_KEYS = ("winner", "kind", "knocker_deadwood", "defender_deadwood")
# Read over: what a game was played for elsewhere moves no chips here.
PASSED_OVER = ("stakes",)
OTHER_KEYS = ("players", "started", "first_dealer", "ended", "corrections", *PASSED_OVER)


@dataclass(frozen=True, slots=True)
class Told:
    """A game as a file tells it. ``lines`` are those of its hands; ``players`` may be unnamed."""

    rules: RuleSet
    players: tuple[str, ...]
    started_at: datetime | None
    first_dealer: int | None
    hands: tuple[HandResult, ...]
    lines: tuple[Line, ...]
    ended: Ended | None
    ended_at: datetime | None
    corrections: tuple[Line, ...]


def read_json(text: str) -> Any:
    """Strict JSON: no key twice, no NaN, no Infinity."""
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadSheet("not_json", N_("This is not JSON: %(why)s."), why=why(error)) from None


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


def from_json(game: Any) -> Told:
    """The game that this object tells. Raises BadSheet or BadRules."""
    keys(game, N_("The game"), ("rules", "hands"), OTHER_KEYS)
    require_object(game["rules"], N_("“rules”"))
    rules = rule_set(game["rules"])
    players = _players(game.get("players"))
    started_at = _moment(game.get("started"), "started")
    hands, lines = _hands(rules, game["hands"])
    ended = _ended(rules, lines, game.get("ended"))
    return Told(
        rules=rules,
        players=players,
        started_at=started_at,
        first_dealer=_first_dealer(game.get("first_dealer")),
        hands=tuple(hands),
        lines=tuple(lines),
        ended=ended,
        ended_at=_moment((game.get("ended") or {}).get("at"), "at"),
        corrections=tuple(_corrections(game)),
    )


def _hands(rules: RuleSet, given: Any) -> tuple[list[HandResult], list[Line]]:
    """How the hands ended, and a line for each that is not void; refuses hands after the end."""
    if not isinstance(given, list):
        refuse(N_("“hands” must be a list."))
    hands: list[HandResult] = []
    lines: list[Line] = []
    points = [0] * SEATS
    for number, hand in enumerate(given, 1):
        if max(points) >= rules.scoring.target:
            refuse(N_("Hand %(number)s comes after the end of the game."), number=number)
        try:
            hands.append(_result(rules, hand))
            line = scoring.hand_line(rules.scoring, number, hands[-1])
        except Refusal as refusal:
            refuse(N_("Hand %(number)s: %(why)s"), number=number, why=refusal)
        if line is not None:
            lines.append(line)
            points[line.seat] += line.points
    return hands, lines


def _result(rules: RuleSet, hand: Any) -> HandResult:
    require_object(hand, N_("A hand"))
    if hand.get("kind") == "void":
        keys(hand, N_("It"), ("kind",), (*HAND_KEYS, "spade", "idle"))
        return HandResult(None, "void", idle=hand.get("idle") is True)
    keys(hand, N_("It"), HAND_KEYS, ("spade",))
    result = HandResult(**hand)
    scoring.check_hand(rules.scoring, result, rules.highest_knock)
    _seat(result.winner)
    return result


def _ended(rules: RuleSet, lines: list[Line], given: Any) -> Ended | None:
    """The end as written down, if it can have happened to this game (rules, sections 9, 12)."""
    goal = scoring.reached(rules.scoring, lines)
    if given is None:
        return None if goal is None else Ended("target", goal)
    keys(given, N_("“ended”"), ("how",), ("by", "at"))
    how, by = given["how"], given.get("by")
    if not isinstance(how, str) or how not in scoring.ENDS:
        refuse(N_("No game ends by %(how)s."), how=scoring.in_short(how))
    if how in scoring.LEFT and by is None:
        refuse(N_("“ended” must say by which seat the game was left."))
    if by is not None:
        _seat(by)
    if how == "target" and goal is None:
        refuse(N_("Nobody has reached the target of %(target)s."), target=rules.scoring.target)
    if how == "target" and by not in (None, goal):
        refuse(N_("It was not seat %(seat)s that reached the target."), seat=by)
    if how not in ("target", "voided") and goal is not None:
        refuse(N_("The target was reached: the game was over before it could end otherwise."))
    return Ended(how, goal if how == "target" else by)


def _corrections(game: Mapping[str, Any]) -> list[Line]:
    given = game.get("corrections")
    if given is None:
        return []
    if not isinstance(given, list):
        refuse(N_("“corrections” must be a list."))
    return [_correction(one) for one in given]


def _correction(given: Any) -> Line:
    keys(given, N_("A correction"), ("seat", "points", "reason"), ("author", "by"))
    points, reason = given["points"], given["reason"]
    _seat(given["seat"])
    if type(points) is not int or abs(points) > MOST_CORRECTED:
        refuse(
            N_("A correction is a whole number of points, not %(points)s."),
            points=scoring.in_short(points),
        )
    if not _is_text(reason):
        refuse(N_("A correction needs a reason, in words."))
    if any(not _is_text(given[name]) for name in ("author", "by") if name in given):
        refuse(N_("Who made a correction is told by name."))
    author = str(given.get("author", given.get("by", ""))).strip()
    return Line(
        given["seat"], scoring.CORRECTION, None, points, reason=reason.strip(), author=author
    )


def _players(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) != SEATS or not all(map(_is_text, given)):
        refuse(N_("“players” must be a list of two names."))
    return tuple(name.strip() for name in given)


def _moment(given: Any, key: str) -> datetime | None:
    try:
        return None if given is None else datetime.fromisoformat(given)
    except (TypeError, ValueError):
        refuse(
            N_("“%(key)s” must be a date and time like 2026-01-31T20:15:00+01:00."), key=key
        )


def _first_dealer(given: Any) -> int | None:
    if given is None:
        return None
    _seat(given)
    return int(given)


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip()) and len(given) <= 300


def _seat(given: Any) -> None:
    if type(given) is not int or not 0 <= given < SEATS:
        refuse(
            N_("There is no seat %(seat)s: seats are 0 and 1."), seat=scoring.in_short(given)
        )


def require_object(given: Any, what: str) -> None:
    if not isinstance(given, dict):
        refuse(N_("%(what)s must be a JSON object."), what=what)


def keys(given: Any, what: str, needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """Refuse what is missing and what nobody knows."""
    require_object(given, what)
    for key in needed:
        if key not in given:
            refuse(N_("%(what)s has no “%(key)s”."), what=what, key=key)
    for key in given:
        if key not in needed and key not in allowed:
            refuse(
                N_("%(what)s has an unknown key, %(key)s."), what=what, key=scoring.in_short(key)
            )
