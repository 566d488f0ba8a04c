"""What a game is played for (rules, section 11); settling.py shares it out.

Amounts are exact decimals: at most two places come in, so at most four go out, and nothing is ever
rounded but for the eye. No float comes in either: what JSON holds is a string.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import Any

from accounts.refusal import N_, Refusal
from scoring.rules.options import ScoringRules, in_short

MODES = ("none", "match", "money", "purse")
COMMISSIONS = ("none", "house")
SOURCES = ("wallet", "tab")
PURSES = ("house", "owner")
LONGEST_UNIT = 12
PLACES, HUNDREDTH = Decimal("0.0001"), Decimal("0.01")
LEAST, MOST = Decimal("0.01"), Decimal("1000000.00")
BUY_IN_POINTS = 200  # the most that can be won or lost in money play, in points
ZERO = Decimal("0.00")
WRITTEN = re.compile(r"[0-9]{1,12}(?:[.,][0-9]{1,2})?")

EXACT = Context(prec=40)  # far more than any sum here has


class BadStakes(Refusal):
    """Stakes that no game can be played for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """What a room plays for. Impossible stakes cannot be built.

    ``amount``: the stake of each in match play and first to knock, the stake per point in money
    play, the whole purse in purse play. ``unit`` is a label alone: no real money moves.
    """

    mode: str = "none"
    amount: Decimal = ZERO
    commission: str = "none"
    source: str = "wallet"
    tab_limit: Decimal = ZERO
    purse_from: str = "house"
    unit: str = "chips"

    def __post_init__(self) -> None:
        _require_one_of("mode", self.mode, MODES)
        _require_one_of("commission", self.commission, COMMISSIONS)
        _require_one_of("source", self.source, SOURCES)
        _require_one_of("purse_from", self.purse_from, PURSES)
        unit = self.unit
        if not isinstance(unit, str) or not unit.strip() or len(unit) > LONGEST_UNIT:
            raise BadStakes(
                "bad_unit",
                N_("Chips need a short name, of at most %(most)s letters."),
                option="unit",
                most=LONGEST_UNIT,
            )
        if not unit.isprintable():
            raise BadStakes("bad_unit", N_("This name of chips cannot be shown."), option="unit")
        if self.mode != "none":
            _require_amount("amount", self.amount)
            if self.source == "tab":
                _require_amount("tab_limit", self.tab_limit)
        else:
            self._require_nothing()
        if self.source == "wallet" and self.tab_limit:
            raise BadStakes(
                "no_tab", N_("Only a tab has a limit; here wallets pay."), option="tab_limit"
            )
        if self.source == "tab" and self.tab_limit < buy_in(self):
            raise BadStakes(
                "limit_below_buy_in",
                N_("The limit of the tab is less than one game costs: %(least)s."),
                option="tab_limit",
                least=shown(buy_in(self)),
            )

    def _require_nothing(self) -> None:
        """Without stakes there is nothing to choose, so that “none” is written one way alone."""
        for one in fields(self):
            if one.name != "unit" and getattr(self, one.name) != one.default:
                raise BadStakes(
                    "no_stakes", N_("Without a stake there is nothing to choose."), option=one.name
                )

    @property
    def played_for(self) -> bool:
        return self.mode != "none"

    @classmethod
    def from_dict(cls, options: Mapping[str, Any] | None) -> Stakes:
        """Read what ``to_dict`` wrote, or a form; nothing at all is a game without stakes."""
        options = options or {}
        known = {one.name for one in fields(cls)}
        for name in options:
            if name not in known:
                raise BadStakes(
                    "unknown_option",
                    N_("There is no option “%(option)s” of stakes."),
                    option=in_short(name),
                )
        read = dict(options)
        for name in ("amount", "tab_limit"):
            if name in read:
                read[name] = amount(name, read[name])
        return cls(**read)

    def to_dict(self) -> dict[str, str]:
        """As JSON keeps it: amounts are strings with two places."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: f"{value:.2f}" if isinstance(value, Decimal) else value
            for name, value in told.items()
        }

    def require_rules(self, rules: ScoringRules) -> None:
        """Refuse stakes that these rules cannot settle."""
        if self.mode == "money" and rules.format == "first_knock":
            raise BadStakes(
                "money_needs_points",
                N_("A stake per point needs points: the first to knock has none."),
                option="mode",
            )


def _require_one_of(option: str, value: object, allowed: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise BadStakes(
            "bad_value",
            N_("The option “%(option)s” of stakes cannot be %(value)s."),
            option=option,
            value=in_short(value),
        )


def amount(option: str, value: object) -> Decimal:
    """An amount as it was written. Floats are refused: they are never exact.

    So are three places: whoever writes "1,000" means a thousand, and would play for one.
    """
    if isinstance(value, Decimal):
        return value
    text = str(value).strip() if isinstance(value, (str, int)) else ""
    if WRITTEN.fullmatch(text):
        return Decimal(text.replace(",", "."))
    raise _bad_amount(option, value)


def _require_amount(option: str, value: object) -> None:
    """At least a hundredth, at most a million, and two places."""
    good = isinstance(value, Decimal) and value.is_finite() and LEAST <= value <= MOST
    if not good or value != shown(value):  # type: ignore[arg-type]
        raise _bad_amount(option, value)


def _bad_amount(option: str, value: object) -> BadStakes:
    text = str(value) if isinstance(value, Decimal) else value
    return BadStakes(
        "bad_amount",
        N_("An amount is a number from %(least)s to %(most)s with at most two decimals."),
        option=option,
        value=in_short(text),
        least=LEAST,
        most=MOST,
    )


def shown(amount: Decimal) -> Decimal:
    """As people see it: two places, half up. Never to be calculated with."""
    return amount.quantize(HUNDREDTH, ROUND_HALF_UP, EXACT)


def at_least(amount: Decimal) -> Decimal:
    """What can be said to be there beside what it falls short of: two places, never rounded up."""
    return amount.quantize(HUNDREDTH, ROUND_FLOOR, EXACT)


def buy_in(stakes: Stakes) -> Decimal:
    """What each player puts up."""
    if stakes.mode == "match":
        return stakes.amount
    if stakes.mode == "money":
        return BUY_IN_POINTS * stakes.amount
    return ZERO


def purse(stakes: Stakes) -> Decimal:
    """What is put up by somebody else than the players."""
    return stakes.amount if stakes.mode == "purse" else ZERO


def rate(stakes: Stakes, first_knock: bool = False) -> Decimal:
    """The share the house takes, of the pot or, in money play, of what was lost."""
    if stakes.commission == "none" or not stakes.played_for:
        return Decimal(0)
    if stakes.mode == "match":
        small = Decimal("1.00") if first_knock else Decimal("2.50")
        return Decimal("0.075") if stakes.amount <= small else Decimal("0.05")
    if stakes.mode == "money":
        return Decimal("0.15") if buy_in(stakes) <= Decimal("4.00") else Decimal("0.10")
    return Decimal("0.05")
