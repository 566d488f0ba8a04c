"""The scoring options of a game, and the presets' scoring half (rules, section 10).

Every point value of the site stands here once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from accounts.refusal import N_, Refusal

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
NOT_IN_FIRST_KNOCK: Mapping[str, object] = MappingProxyType(
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
    text = value if isinstance(value, str) else type(value).__name__
    text = "".join(sign if sign.isprintable() else "?" for sign in text[:41])
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
                option="target",
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
                option="line_bonus_to",
            )

    def _require_nothing_but_a_knock(self) -> None:
        require_value("winner_by", self.winner_by, VALUES["winner_by"])
        if type(self.target) is not int or self.target != FIRST_KNOCK_TARGET:
            raise BadRules(
                "bad_target",
                N_("The first to knock wins: the target is 1, not %(value)s."),
                option="target",
                value=in_short(self.target),
            )
        for name, absent in NOT_IN_FIRST_KNOCK.items():
            value = getattr(self, name)
            if type(value) is not type(absent) or value != absent:
                raise not_in_first_knock(name)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> ScoringRules:
        """Read the scoring half of a flat option dict; the other half is not looked at."""
        own = {one.name: options[one.name] for one in fields(cls) if one.name in options}
        if own.get("format") == "first_knock":
            for name, absent in NOT_IN_FIRST_KNOCK.items():
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
            name: None if first_knock and name in NOT_IN_FIRST_KNOCK else getattr(self, name)
            for name in (one.name for one in fields(self))
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
