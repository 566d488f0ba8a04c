"""What stakes can be, and how chips are shared out: the published tables, to the penny."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from accounts.refusal import Refusal
from scoring.rules import PRESETS, BadRules, Ended, Line, ScoringRules
from scoring.rules.stakes import (
    BadStakes,
    Settlement,
    Stakes,
    buy_in,
    settle,
    settle_totals,
    shown,
)

TABLES = Path(__file__).parent.parent / "vectors" / "commission.csv"
ROWS = list(csv.DictReader(TABLES.read_text().splitlines()))


def of_row(row: dict[str, str]) -> tuple[Stakes, Settlement]:
    mode = "money" if row["mode"] == "money_play" else "match"
    stakes = Stakes.from_dict(
        {"mode": mode, "amount": row["stake_per_point"] or row["stake"], "commission": "house"}
    )
    totals = [int(row["winner_total"] or 1), int(row["loser_total"] or 0)]
    return stakes, settle_totals(stakes, totals, 0, row["mode"] == "first_to_knock")


def test_there_are_41_published_rows():
    assert len(ROWS) == 41


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['mode']} {row['stake']}")
def test_every_published_row_comes_out_to_the_penny(row):
    stakes, found = of_row(row)
    assert f"{buy_in(stakes):.2f}" == row["stake"]
    assert f"{found.pot:.2f}" == row["pot"]
    assert found.rate * 100 == Decimal(row["rate_percent"])
    assert str(shown(found.commission)) == row["commission_shown"]
    if row["mode"] == "money_play":
        assert f"{found.lost[1]:.2f}" == row["lost"]
        assert str(shown(found.net)) == row["net_shown"]
    assert sum(found.paid) + found.commission == found.pot
