"""The figures of the page about chips: a game worked out exactly, and what the house takes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from games.presets import rule_set
from games.stakes.words import exact, figure, percent
from scoring import chips
from scoring.rules import Ended, Line
from scoring.rules.settling import LEAST_LEFT_POINTS, settle
from scoring.rules.stakes import BUY_IN_POINTS, Stakes, rate

TOTALS = (178, 71)


def chip_figures() -> dict[str, Any]:
    """A game of money play to its last hundredth, and what the house takes at each stake."""
    stakes = _staked("money", "0.75")
    rules = rule_set({"preset": "points_only"}).scoring  # points of hands are all there is
    hands = [Line(seat, "knock", hand, TOTALS[seat]) for hand, seat in ((1, 1), (2, 0))]
    told = settle(stakes, rules, hands, Ended("target", 0))
    return {
        "totals": TOTALS,
        "difference": TOTALS[0] - TOTALS[1],
        "amount": figure(stakes.amount),
        "points": BUY_IN_POINTS,
        "least": LEAST_LEFT_POINTS,
        "buy_in": figure(told.buy_in),
        "lost": figure(told.at_stake),
        "rate": percent(told.rate),
        "commission": figure(told.commission),
        "exactly": exact(told.commission),
        "net": figure(told.net),
        "start": figure(chips.starting_grant(), whole=True),
        "match": _pair(rate(_staked("match", "2.50")), rate(_staked("match", "2.51"))),
        "knock": _pair(rate(_staked("match", "1.00"), True), rate(_staked("match", "1.01"), True)),
        "money": _pair(rate(_staked("money", "0.02")), rate(_staked("money", "0.03"))),
        "purse": percent(rate(_staked("purse", "20"))),
    }


def _staked(mode: str, amount: str) -> Stakes:
    return Stakes(mode=mode, amount=Decimal(amount), commission="house")


def _pair(small: Decimal, large: Decimal) -> tuple[str, str]:
    return percent(small), percent(large)
