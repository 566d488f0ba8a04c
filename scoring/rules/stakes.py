"""What a game is played for, and how its chips are shared out when it ends (rules, section 11).

Amounts are exact decimals: at most two places come in, so at most four go out, and nothing is ever
rounded but for the eye. No float comes in either: what JSON holds is a string.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation, localcontext
from typing import Any

from accounts.refusal import N_, Refusal
from scoring.rules.games import LEFT, Ended, as_if_reached, bonus_lines, standing, totals
from scoring.rules.hands import HAND_KINDS, Line
from scoring.rules.options import ScoringRules, in_short

MODES = ("none", "match", "money", "purse")
COMMISSIONS = ("none", "house")
SOURCES = ("wallet", "tab")
PURSES = ("house", "owner")
LONGEST_UNIT = 12
PLACES, HUNDREDTH = Decimal("0.0001"), Decimal("0.01")
LEAST, MOST = Decimal("0.01"), Decimal("1000000.00")
BUY_IN_POINTS = 200  # the most that can be won or lost in money play, in points
LEAST_LEFT_POINTS = 25  # the least that is paid by whoever leaves a game of money play
ZERO = Decimal("0.00")

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
    """An amount as it was written. Floats are refused: they are never exact."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        text = str(value).strip() if isinstance(value, str) else str(value)
        try:
            if len(text) <= 20:
                return Decimal(text.replace(",", "."))
        except InvalidOperation:
            pass
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


@dataclass(frozen=True, slots=True)
class Settlement:
    """Where the chips of one game go: exactly, and how that was worked out.

    ``paid`` is what each seat receives out of the pot, ``commission`` the house, ``purse_back``
    whoever put up the purse: together the pot. ``lost``: what each seat loses of its buy-in, and
    ``points`` the difference it pays for in money play, after the rule for whoever leaves.
    """

    mode: str
    winner: int | None
    pot: Decimal
    buy_in: Decimal
    rate: Decimal
    lost: tuple[Decimal, ...]
    points: tuple[int, ...]
    commission: Decimal
    paid: tuple[Decimal, ...]
    purse_back: Decimal = ZERO
    left: bool = False

    @property
    def at_stake(self) -> Decimal:
        """What the commission is a share of."""
        return sum(self.lost, ZERO) if self.mode == "money" else self.pot

    @property
    def net(self) -> Decimal:
        """What the winner has more than before; match play: without their own stake."""
        return ZERO if self.winner is None else self.paid[self.winner] - self.buy_in

    def change(self, seat: int) -> Decimal:
        """What the game brought this seat, below zero for who lost."""
        return self.paid[seat] - self.buy_in


def settle(
    stakes: Stakes,
    rules: ScoringRules,
    lines: Iterable[Line],
    ended: Ended | None,
    seats: int = 2,
) -> Settlement:
    """Share the pot out by how the game ended; without a winner everybody gets theirs back.

    Corrections never move chips: hand lines are read alone, and the bonuses worked out.
    """
    with localcontext(EXACT):
        hands = [line for line in lines if line.kind in HAND_KINDS]
        winner = None if ended is None else standing(rules, hands, ended, seats).winner
        left = ended is not None and ended.how in LEFT
        share = rate(stakes, rules.format == "first_knock")
        if winner is None:
            return _back(stakes, share, seats)
        points = (0,) * seats
        lost = tuple(ZERO if seat == winner else buy_in(stakes) for seat in range(seats))
        if stakes.mode == "money":
            points = _points_paid_for(rules, hands, ended, winner, seats)
            lost = tuple(min(buy_in(stakes), each * stakes.amount) for each in points)
        return _won(stakes, winner, share, lost, points, left)


def settle_totals(
    stakes: Stakes, totals: Sequence[int], winner: int, first_knock: bool = False
) -> Settlement:
    """The same from final totals alone, for a game that was played to its end."""
    with localcontext(EXACT):
        seats = range(len(totals))
        points, lost = (0,) * len(totals), tuple(
            ZERO if seat == winner else buy_in(stakes) for seat in seats
        )
        if stakes.mode == "money":
            points = tuple(max(0, totals[winner] - totals[seat]) for seat in seats)
            lost = tuple(min(buy_in(stakes), each * stakes.amount) for each in points)
        return _won(stakes, winner, rate(stakes, first_knock), lost, points, False)


def _pot(stakes: Stakes, seats: int) -> Decimal:
    return buy_in(stakes) * seats + purse(stakes)


def _back(stakes: Stakes, share: Decimal, seats: int) -> Settlement:
    """A game nobody won: every chip goes back to where it came from."""
    own, nothing = buy_in(stakes), (ZERO,) * seats
    return Settlement(
        stakes.mode, None, _pot(stakes, seats), own, share, nothing, (0,) * seats, ZERO,
        (own,) * seats, purse(stakes),
    )  # fmt: skip


def _won(
    stakes: Stakes,
    winner: int,
    share: Decimal,
    lost: tuple[Decimal, ...],
    points: tuple[int, ...],
    left: bool,
) -> Settlement:
    own, pot = buy_in(stakes), _pot(stakes, len(lost))
    at_stake = sum(lost, ZERO) if stakes.mode == "money" else pot
    commission = at_stake * share
    paid = [own - each for each in lost]
    paid[winner] += sum(lost, purse(stakes)) - commission
    return Settlement(
        stakes.mode, winner, pot, own, share, lost, points, commission, tuple(paid), ZERO, left
    )


def _points_paid_for(
    rules: ScoringRules, hands: Sequence[Line], ended: Ended | None, winner: int, seats: int
) -> tuple[int, ...]:
    """The points each seat pays for; whoever left pays as if the winner had just got there."""
    if ended is not None and ended.how in LEFT:
        final, least = as_if_reached(rules, hands, winner, seats), LEAST_LEFT_POINTS
    else:
        final, least = totals([*hands, *bonus_lines(rules, hands, ended, seats)], seats), 0
    return tuple(
        0 if seat == winner else max(least, final[winner] - final[seat]) for seat in range(seats)
    )
