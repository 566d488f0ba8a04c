"""Play chips: the only writer of accounts, entries and postings (rules, section 11).

Every verb works inside its caller's transaction. Knows no rooms: a tab is somebody's by a number.
"""

from scoring.chips.accounts import Refused
from scoring.chips.grants import (
    collect,
    ensure_starting_grant,
    forget,
    grant,
    set_starting_grant,
    starting_grant,
)
from scoring.chips.rates import Rate, rates, set_rate, wish, wished
from scoring.chips.readings import (
    Debt,
    Movement,
    Outcome,
    Shortfall,
    debts,
    history,
    in_play,
    outcome,
    outcomes,
    shortfalls,
    tabs,
    tabs_of,
    wallet,
)
from scoring.chips.wagers import put_up, require_affordable, settle

__all__ = [
    "Debt",
    "Movement",
    "Outcome",
    "Rate",
    "Refused",
    "Shortfall",
    "collect",
    "debts",
    "ensure_starting_grant",
    "forget",
    "grant",
    "history",
    "in_play",
    "outcome",
    "outcomes",
    "put_up",
    "rates",
    "require_affordable",
    "set_rate",
    "set_starting_grant",
    "settle",
    "shortfalls",
    "starting_grant",
    "tabs",
    "tabs_of",
    "wallet",
    "wish",
    "wished",
]
