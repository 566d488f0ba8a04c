"""What a hand is worth and what the end of a game is worth: values in, lines out (rules, 7-10).

Pure: no framework, no clock, no dice. Every point value of the site stands here once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from accounts.refusal import N_, Refusal

HAND_KINDS = ("knock", "gin", "big_gin", "undercut", "first_knock")
BONUS_KINDS = ("line", "game", "shutout")
CORRECTION = "correction"
LEFT = ("resigned", "time", "claimed")  # one player left: the other wins
UNDONE = ("called_off", "voided")  # nobody wins
ENDS = ("target", *LEFT, *UNDONE)

HIGHEST_KNOCK = 10
HIGHEST_DEADWOOD = 98  # K K Q Q J J T T 9 9 without a meld
LEAST_TARGET, MOST_TARGET, FIRST_KNOCK_TARGET = 50, 1000, 1

VALUES: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "format": ("points", "first_knock"),
        "gin": (25, 20),
        "big_gin": (None, 25, 31, 50),
        "undercut": (25, 20, 10, 0),
        "line_bonus": (0, 20, 25),
        "line_bonus_to": ("each", "winner"),
        "game_bonus": (0, 100),
        "shutout": ("none", "fixed", "double_hands", "double_hands_and_game"),
        "shutout_points": (100,),
        "shutout_when": ("zero_points", "zero_hands"),
        "winner_by": ("target", "total"),
        "spades_double": (False, True),
    }
)
# What the first to knock knows nothing of, and the value that stands for its absence.
_ABSENT: Mapping[str, object] = MappingProxyType(
    {
        "gin": 0,
        "big_gin": None,
        "undercut": 0,
        "line_bonus": 0,
        "line_bonus_to": "each",
        "game_bonus": 0,
        "shutout": "none",
        "shutout_points": 100,
        "shutout_when": "zero_points",
        "spades_double": False,
    }
)


class BadRules(Refusal):
    """An option set that no game can be played by."""


class BadSheet(Refusal):
    """A hand, an end or a line that these rules can never produce."""


def require_value(name: str, value: object, allowed: Iterable[object]) -> None:
    """Refuse a value that is not one of the option's, by type too: True is not 1."""
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise BadRules(
            "bad_value",
            N_("The option “%(option)s” cannot be %(value)s."),
            option=name,
            value=in_short(value),
        )


def in_short(value: object) -> str:
    """A foreign value as it may stand in a sentence: never long, whatever it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "a huge number"
    text = value if isinstance(value, str) else repr(type(value).__name__)
    return f"“{text}”" if len(text) <= 40 else f"“{text[:40]}…”"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringRules:
    """The scoring options of one game. An impossible set cannot be built (rules, section 10)."""

    format: str = "points"
    gin: int = 25
    big_gin: int | None = None
    undercut: int = 25
    target: int = 100
    line_bonus: int = 0
    line_bonus_to: str = "each"
    game_bonus: int = 0
    shutout: str = "none"
    shutout_points: int = 100
    shutout_when: str = "zero_points"
    winner_by: str = "target"
    spades_double: bool = False

    def __post_init__(self) -> None:
        require_value("format", self.format, VALUES["format"])
        if self.format == "first_knock":
            self._require_nothing_but_a_knock()
            return
        for name, allowed in VALUES.items():
            require_value(name, getattr(self, name), allowed)
        if type(self.target) is not int or not LEAST_TARGET <= self.target <= MOST_TARGET:
            raise BadRules(
                "bad_target",
                N_("The target must be a whole number from %(least)s to %(most)s, not %(value)s."),
                least=LEAST_TARGET,
                most=MOST_TARGET,
                value=in_short(self.target),
            )
        if self.line_bonus_to == "winner" and self.winner_by == "total":
            raise BadRules(
                "line_bonus_needs_a_winner",
                N_(
                    "Line bonuses for the winner only cannot go with a winner decided by the "
                    "total, which counts those bonuses."
                ),
            )

    def _require_nothing_but_a_knock(self) -> None:
        require_value("winner_by", self.winner_by, VALUES["winner_by"])
        if type(self.target) is not int or self.target != FIRST_KNOCK_TARGET:
            raise BadRules(
                "bad_target",
                N_("The first to knock wins: the target is 1, not %(value)s."),
                value=in_short(self.target),
            )
        for name, absent in _ABSENT.items():
            value = getattr(self, name)
            if type(value) is not type(absent) or value != absent:
                raise not_in_first_knock(name)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> ScoringRules:
        """Read the scoring half of a flat option dict; the other half is not looked at."""
        own = {one.name: options[one.name] for one in fields(cls) if one.name in options}
        if own.get("format") == "first_knock":
            for name, absent in _ABSENT.items():
                if own.get(name) is None:
                    own[name] = absent
                else:
                    raise not_in_first_knock(name)
            own.setdefault("target", FIRST_KNOCK_TARGET)
        return cls(**own)

    def as_options(self) -> dict[str, Any]:
        """The flat spelling; what the first to knock does not have is null."""
        first_knock = self.format == "first_knock"
        return {
            one.name: None if first_knock and one.name in _ABSENT else getattr(self, one.name)
            for one in fields(self)
        }


def not_in_first_knock(option: str) -> BadRules:
    """The refusal of an option that a game of the first to knock does not have."""
    return BadRules(
        "not_in_first_knock",
        N_("When the first to knock wins, there is no option “%(option)s”."),
        option=option,
    )


PRESETS: Mapping[str, ScoringRules] = MappingProxyType(
    {
        "complete": ScoringRules(
            big_gin=31, line_bonus=25, game_bonus=100, winner_by="total",
            shutout="double_hands_and_game", shutout_when="zero_hands",
        ),
        "sheet": ScoringRules(
            undercut=0, line_bonus=25, game_bonus=100, winner_by="total",
            shutout_when="zero_hands",
        ),
        "winner_takes_bonuses": ScoringRules(
            line_bonus=25, line_bonus_to="winner", game_bonus=100,
            shutout="double_hands", shutout_when="zero_hands",
        ),
        "points_only": ScoringRules(big_gin=31),
        "classic_20_10": ScoringRules(
            gin=20, undercut=10, line_bonus=20, game_bonus=100, shutout="fixed", winner_by="total",
        ),
        "money_play": ScoringRules(
            line_bonus=25, game_bonus=100, shutout="fixed", winner_by="total",
        ),
        "match_play": ScoringRules(),
        "first_to_knock": ScoringRules.from_options({"format": "first_knock"}),
        "oklahoma_money_play": ScoringRules(
            line_bonus=25, game_bonus=100, shutout="fixed", winner_by="total",
        ),
        "oklahoma_first_to_knock": ScoringRules.from_options({"format": "first_knock"}),
        "oklahoma_spades": ScoringRules(big_gin=31, target=150, spades_double=True),
    }
)  # fmt: skip

# What a room may choose under a preset without leaving it (the brackets of rules, section 10).
CHOICES: Mapping[str, Mapping[str, tuple[object, ...]]] = MappingProxyType(
    {
        "sheet": {
            "gin": (25, 20), "undercut": (0, 10, 20), "shutout": ("none", "double_hands_and_game"),
        },
        "points_only": {
            "gin": (25, 20), "big_gin": (31, 25, 50), "undercut": (25, 10, 20),
            "target": (100, 250, 500),
        },
        "money_play": {"target": (100, 200)},
        "match_play": {"target": ()},  # empty: any
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as far as the paper needs to know. Of a void hand only ``kind`` counts.

    ``winner`` is the seat that scores: the knocker, or the defender of an undercut.
    """

    winner: int | None
    kind: str
    knocker_deadwood: int = 0
    defender_deadwood: int = 0
    spade: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet: points = (base + bonus) x multiplier (rules, section 8)."""

    seat: int
    kind: str
    hand: int | None
    base: int
    bonus: int = 0
    multiplier: int = 1
    reason: str | None = None

    @property
    def points(self) -> int:
        return (self.base + self.bonus) * self.multiplier


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended. ``by`` is who reached the target, or the seat that left."""

    how: str
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands. ``winner`` is set once it is over and somebody won it."""

    hand_points: tuple[int, ...]
    totals: tuple[int, ...]
    hands_won: tuple[int, ...]
    reached: int | None
    winner: int | None
    finished: bool


def check_hand(rules: ScoringRules, result: HandResult, highest_knock: int = HIGHEST_KNOCK) -> None:
    """Refuse a result that no hand under these rules can have (rules, sections 5 and 7).

    ``highest_knock`` is the most deadwood that may ever be knocked with: 0 in a gin-only room.
    """
    kind, knocker, defender = result.kind, result.knocker_deadwood, result.defender_deadwood
    if kind == "void":
        return
    if kind not in HAND_KINDS:
        raise BadSheet("bad_kind", N_("No hand ends by %(kind)s."), kind=in_short(kind))
    if (kind == "first_knock") != (rules.format == "first_knock"):
        raise BadSheet(
            "bad_kind", N_("A hand of this game cannot end by %(kind)s."), kind=in_short(kind)
        )
    if type(result.winner) is not int or result.winner < 0:
        raise BadSheet(
            "bad_winner", N_("No seat %(seat)s can win a hand."), seat=in_short(result.winner)
        )
    if type(result.spade) is not bool:
        raise BadSheet("bad_spade", N_("The spade mark is either true or false."))
    for deadwood in (knocker, defender):
        if type(deadwood) is not int or not 0 <= deadwood <= HIGHEST_DEADWOOD:
            raise BadSheet(
                "bad_deadwood",
                N_("Deadwood is a whole number from 0 to %(most)s, not %(value)s."),
                most=HIGHEST_DEADWOOD,
                value=in_short(deadwood),
            )
    _check_deadwood(rules, result, highest_knock)


def _check_deadwood(rules: ScoringRules, result: HandResult, highest_knock: int) -> None:
    kind, knocker, defender = result.kind, result.knocker_deadwood, result.defender_deadwood
    if kind in ("gin", "big_gin") and knocker:
        raise BadSheet(
            "gin_with_deadwood",
            N_("Gin leaves no deadwood: the knocker cannot have %(knocker)s."),
            knocker=knocker,
        )
    if kind == "big_gin" and rules.big_gin is None:
        raise BadSheet("no_big_gin", N_("These rules know no big gin."))
    if kind in ("knock", "undercut") and not knocker:
        raise BadSheet(
            "knock_is_gin", N_("A knock without deadwood is gin, and gin cannot be undercut.")
        )
    if knocker > highest_knock:
        raise BadSheet(
            "over_the_limit",
            N_("Nobody can knock with %(knocker)s under these rules: the limit is %(limit)s."),
            knocker=knocker,
            limit=highest_knock,
        )
    if kind == "knock" and defender <= knocker:
        raise BadSheet(
            "knock_is_undercut",
            N_("A knock with %(knocker)s against %(defender)s is an undercut, not a knock."),
            knocker=knocker,
            defender=defender,
        )
    if kind == "undercut" and defender > knocker:
        raise BadSheet(
            "undercut_not_earned",
            N_("%(defender)s against a knock with %(knocker)s is no undercut."),
            knocker=knocker,
            defender=defender,
        )


def hand_line(rules: ScoringRules, number: int, result: HandResult) -> Line | None:
    """The line a hand puts on the sheet, or None for a void hand (rules, section 7)."""
    check_hand(rules, result)
    if result.kind == "void" or result.winner is None:
        return None
    knocker, defender = result.knocker_deadwood, result.defender_deadwood
    base, bonus = {
        "knock": (defender - knocker, 0),
        "gin": (defender, rules.gin),
        "big_gin": (defender, rules.big_gin or 0),
        "undercut": (knocker - defender, rules.undercut),
        "first_knock": (1, 0),
    }[result.kind]
    multiplier = 2 if rules.spades_double and result.spade else 1
    return Line(result.winner, result.kind, number, base, bonus, multiplier)


def hand_points(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """What counts towards the target: hand lines alone (rules, section 8)."""
    return _sums((line for line in lines if line.kind in HAND_KINDS), seats)


def totals(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """Everything that stands on the sheet, bonuses and corrections included."""
    return _sums(lines, seats)


def hands_won(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """A hand won for 0 points is a hand won (rules, section 8)."""
    winners = [line.seat for line in lines if line.kind in HAND_KINDS]
    return tuple(winners.count(seat) for seat in range(seats))


def _sums(lines: Iterable[Line], seats: int) -> tuple[int, ...]:
    sums = [0] * seats
    for line in lines:
        sums[line.seat] += line.points
    return tuple(sums)


def reached(rules: ScoringRules, lines: Iterable[Line]) -> int | None:
    """The seat whose hand points came to the target or past it, if any has (rules, section 9)."""
    points: dict[int, int] = {}
    for line in lines:
        if line.kind in HAND_KINDS:
            points[line.seat] = points.get(line.seat, 0) + line.points
            if points[line.seat] >= rules.target:
                return line.seat
    return None


def bonus_lines(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None = None, seats: int = 2
) -> tuple[Line, ...]:
    """The end-of-game lines, in the order of rules, section 9; none while nobody has won.

    Only hand lines are read, so the answer is the same before and after they were written.
    """
    winner = _favoured(rules, lines, ended, seats)
    if winner is None:
        return ()
    won = hands_won(lines, seats)
    paid = range(seats) if rules.line_bonus_to == "each" else (winner,)
    found = [Line(seat, "line", None, rules.line_bonus * won[seat]) for seat in paid]
    found.append(Line(winner, "game", None, rules.game_bonus))
    if ended is None or ended.how == "target":
        found.append(Line(winner, "shutout", None, _shutout(rules, lines, winner, seats)))
    return tuple(line for line in found if line.points)


def _favoured(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None, seats: int
) -> int | None:
    """Whom the bonuses go to: who reached the target, or whoever did not leave (rules, 9, 12)."""
    if ended is None or ended.how == "target":
        return reached(rules, lines)
    if ended.how in LEFT:
        return next(seat for seat in range(seats) if seat != ended.by)
    return None


def _shutout(rules: ScoringRules, lines: Sequence[Line], winner: int, seats: int) -> int:
    """The shutout's points, 0 when none is due (rules, section 9, step 3)."""
    points = hand_points(lines, seats)
    spoilt_by = points if rules.shutout_when == "zero_points" else hands_won(lines, seats)
    if any(count for seat, count in enumerate(spoilt_by) if seat != winner):
        return 0
    return {
        "none": 0,
        "fixed": rules.shutout_points,
        "double_hands": points[winner],
        "double_hands_and_game": points[winner] + rules.game_bonus,
    }[rules.shutout]


def standing(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None = None, seats: int = 2
) -> Standing:
    """Add a sheet up. The winner is known at once, before the bonus lines are written."""
    goal = reached(rules, lines)
    return Standing(
        hand_points=hand_points(lines, seats),
        totals=totals(lines, seats),
        hands_won=hands_won(lines, seats),
        reached=goal,
        winner=_winner(rules, lines, ended, seats),
        finished=ended is not None or goal is not None,
    )


def _winner(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None, seats: int
) -> int | None:
    """Who wins the game (rules, section 9, step 4, and section 12). Corrections never count."""
    favoured = _favoured(rules, lines, ended, seats)
    by_total = rules.winner_by == "total" and (ended is None or ended.how == "target")
    if favoured is None or not by_total:
        return favoured
    hands = [line for line in lines if line.kind in HAND_KINDS]
    final = totals([*hands, *bonus_lines(rules, lines, ended, seats)], seats)
    return max(range(seats), key=lambda seat: (final[seat], seat == favoured))
