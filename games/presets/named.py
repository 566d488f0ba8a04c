"""The named rule sets: the engine's play options paired with scoring's (rules, section 10).

One flat spelling everywhere, in forms, JSON, vectors and the database: ``rule_set`` reads it and
``RuleSet.as_dict`` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.refusal import N_
from games.engine import rules as play
from games.engine.rules import PlayRules
from scoring import rules as scoring
from scoring.rules import BadRules, ScoringRules

DEFAULT = "complete"

# What scoring does not know, and its values, the default first.
PLAY_VALUES: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "knock_limit": play.VALUES["knock_limit"],
        "oklahoma_ace": play.VALUES["oklahoma_ace"],
        "layoffs": play.VALUES["layoffs"],
        "next_dealer": ("alternate", "loser", "winner"),
        "keep_drawn_card": play.VALUES["keep_drawn_card"],
        "discard_history": play.VALUES["discard_history"],
    }
)
OPTIONS = (*scoring.ScoringRules().as_options(), *PLAY_VALUES)
NOT_IN_FIRST_KNOCK = (*scoring.NOT_IN_FIRST_KNOCK, "layoffs")

# Where a preset's play differs from the first values above.
_PLAY: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "classic_20_10": {"next_dealer": "winner"},
        "first_to_knock": {"layoffs": None},
        "oklahoma_money_play": {"knock_limit": "upcard"},
        "oklahoma_first_to_knock": {"knock_limit": "upcard", "layoffs": None},
        "oklahoma_spades": {"knock_limit": "upcard"},
    }
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set that has a name, and a sentence on what it is."""

    slug: str
    name: str | Promise
    sentence: str | Promise


_NAMED = (
    Preset(
        "complete",
        _("Complete gin"),
        _("Gin, big gin, undercuts, and every bonus: the higher total wins."),
    ),
    Preset(
        "sheet",
        _("Score sheet"),
        _("Knocks and gin to 100, nothing for an undercut, bonuses added up on the sheet."),
    ),
    Preset(
        "winner_takes_bonuses",
        _("Winner takes the bonuses"),
        _("Whoever reaches the target wins, and alone gets the bonuses."),
    ),
    Preset(
        "points_only",
        _("Points only"),
        _("No bonus at the end: the first to reach the target wins."),
    ),
    Preset(
        "classic_20_10",
        _("Classic 20 and 10"),
        _("The older printed rules: gin 20, undercut 10, and the winner of a hand deals."),
    ),
    Preset(
        "money_play",
        _("Money play"),
        _("Every point counts, with bonuses to both: the difference of the totals is what is won."),
    ),
    Preset(
        "match_play",
        _("Match play"),
        _("The first to reach the target wins the match; the score does not matter."),
    ),
    Preset(
        "first_to_knock",
        _("First to knock"),
        _("One short game: whoever knocks first wins."),
    ),
    Preset(
        "oklahoma_money_play",
        _("Oklahoma, money play"),
        _("Money play, where the upcard sets the knock limit of each hand."),
    ),
    Preset(
        "oklahoma_first_to_knock",
        _("Oklahoma, first to knock"),
        _("Whoever knocks first wins, and the upcard sets the knock limit."),
    ),
    Preset(
        "oklahoma_spades",
        _("Oklahoma with spades"),
        _("To 150, the upcard sets the knock limit, and a spade doubles the hand."),
    ),
)
PRESETS: Mapping[str, Preset] = MappingProxyType({preset.slug: preset for preset in _NAMED})


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All the rules of one room or game."""

    preset: str
    play: PlayRules
    scoring: ScoringRules
    next_dealer: str

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> RuleSet:
        """Read what ``as_dict`` wrote."""
        return rule_set(options)

    def as_dict(self) -> dict[str, Any]:
        """Every option by name; what the first to knock does not have is null."""
        first_knock = self.scoring.format == "first_knock"
        return {
            "preset": self.preset,
            **self.scoring.as_options(),
            "knock_limit": self.play.knock_limit,
            "oklahoma_ace": self.play.oklahoma_ace,
            "layoffs": None if first_knock else self.play.layoffs,
            "next_dealer": self.next_dealer,
            "keep_drawn_card": self.play.keep_drawn_card,
            "discard_history": self.play.discard_history,
        }

    @property
    def highest_knock(self) -> int:
        """The most deadwood anybody can ever knock with in this room."""
        return 0 if self.play.knock_limit == 0 else scoring.HIGHEST_KNOCK


def preset_name(slug: str) -> str | Promise:
    """The name of a preset for people."""
    return PRESETS[slug].name


def rule_set(options: Mapping[str, Any]) -> RuleSet:
    """A preset with some options set otherwise. BadRules for anything unknown or impossible."""
    preset = options.get("preset", DEFAULT)
    if not isinstance(preset, str) or preset not in PRESETS:
        raise BadRules(
            "unknown_preset",
            N_("There is no rule set called %(value)s."),
            option="preset",
            value=scoring.in_short(preset),
        )
    for name in options:
        if name != "preset" and name not in OPTIONS:
            raise BadRules(
                "unknown_option",
                N_("There is no option called %(name)s."),
                name=scoring.in_short(name),
            )
    return _built(preset, _merged(preset, options))


def _merged(preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The preset's options under those given, as far as the format has them at all."""
    base = {
        **{name: values[0] for name, values in PLAY_VALUES.items()},
        **scoring.PRESETS[preset].as_options(),
        **_PLAY.get(preset, {}),
    }
    chosen = options.get("format", base["format"])
    if base["format"] == "first_knock" and chosen == "points":
        base = {name: value for name, value in base.items() if name not in NOT_IN_FIRST_KNOCK}
    merged = {**base, **{name: value for name, value in options.items() if name != "preset"}}
    turned = base["format"] == "points" and chosen == "first_knock"
    if turned and any(merged[name] is not None for name in NOT_IN_FIRST_KNOCK):
        raise BadRules(
            "needs_a_first_knock_preset",
            N_("To let the first to knock win, start from a rule set that is made for it."),
            option="format",
        )
    return merged


def _built(preset: str, merged: dict[str, Any]) -> RuleSet:
    scored = ScoringRules.from_options(merged)
    first_knock = scored.format == "first_knock"
    if first_knock and merged["layoffs"] is not None:
        raise scoring.not_in_first_knock("layoffs")
    for name, values in PLAY_VALUES.items():
        merged.setdefault(name, values[0])
        if not (first_knock and name == "layoffs"):
            scoring.require_value(name, merged[name], values)
    if scored.spades_double and merged["knock_limit"] != "upcard":
        raise BadRules(
            "spades_without_oklahoma",
            N_("A spade can double a hand only where the upcard sets the knock limit."),
            option="spades_double",
        )
    played = PlayRules(
        format=merged["format"],
        knock_limit=merged["knock_limit"],
        oklahoma_ace=merged["oklahoma_ace"],
        big_gin=scored.big_gin is not None,
        layoffs=bool(merged["layoffs"]),
        keep_drawn_card=merged["keep_drawn_card"],
        discard_history=merged["discard_history"],
    )
    return RuleSet(preset, played, scored, merged["next_dealer"])
