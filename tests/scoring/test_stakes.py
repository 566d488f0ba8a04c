"""What stakes can be, and how chips are shared out: the published tables, to the penny."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from scoring.rules import PRESETS, Ended, Line, ScoringRules
from scoring.rules.settling import Settlement, settle
from scoring.rules.stakes import BadStakes, Stakes, buy_in, shown

TABLES = Path(__file__).parent.parent / "vectors" / "commission.csv"
ROWS = list(csv.DictReader(TABLES.read_text().splitlines()))


def of_row(row: dict[str, str]) -> tuple[Stakes, Settlement]:
    mode = "money" if row["mode"] == "money_play" else "match"
    stakes = Stakes.from_dict(
        {"mode": mode, "amount": row["stake_per_point"] or row["stake"], "commission": "house"}
    )
    if row["mode"] == "first_to_knock":
        rules, lines = PRESETS["first_to_knock"], [Line(0, "first_knock", 1, 1)]
    else:
        totals = int(row["winner_total"] or 100), int(row["loser_total"] or 0)
        rules = PRESETS["match_play"]
        lines = [
            Line(0, "knock", 1, totals[0] - 100), Line(1, "gin", 2, totals[1]),
            Line(0, "gin", 3, 100),
        ]  # fmt: skip
    return stakes, settle(stakes, rules, lines, Ended("target", 0))


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


@pytest.mark.parametrize(
    ("amount", "at_sight"),
    [("8.025", "8.03"), ("1.605", "1.61"), ("2.675", "2.68"), ("0.535", "0.54"), ("0.321", "0.32"),
     ("0.375", "0.38"), ("0.075", "0.08"), ("-0.075", "-0.08"), ("0", "0.00")],
)  # fmt: skip
def test_what_is_shown_is_half_up(amount, at_sight):
    assert str(shown(Decimal(amount))) == at_sight


# --- what stakes can be


@pytest.mark.parametrize(
    ("told", "option"),
    [
        ({"mode": "blind", "amount": "1"}, "mode"),
        ({"mode": "match"}, "amount"),
        ({"mode": "match", "amount": "0"}, "amount"),
        ({"mode": "match", "amount": "-1"}, "amount"),
        ({"mode": "match", "amount": "1.005"}, "amount"),
        ({"mode": "match", "amount": "1000000.01"}, "amount"),
        ({"mode": "match", "amount": "NaN"}, "amount"),
        ({"mode": "match", "amount": "Infinity"}, "amount"),
        ({"mode": "match", "amount": "1,000"}, "amount"),  # a thousand, and never one
        ({"mode": "match", "amount": "1e5"}, "amount"),
        ({"mode": "match", "amount": "1_0"}, "amount"),
        ({"mode": "match", "amount": -5}, "amount"),
        ({"mode": "match", "amount": "1e400"}, "amount"),
        ({"mode": "match", "amount": "9" * 5000}, "amount"),
        ({"mode": "match", "amount": "two"}, "amount"),
        ({"mode": "match", "amount": 0.5}, "amount"),
        ({"mode": "match", "amount": True}, "amount"),
        ({"mode": "match", "amount": None}, "amount"),
        ({"mode": "match", "amount": "1", "commission": "mine"}, "commission"),
        ({"mode": "match", "amount": "1", "source": "bank"}, "source"),
        ({"mode": "match", "amount": "1", "source": "tab"}, "tab_limit"),
        ({"mode": "money", "amount": "1", "source": "tab", "tab_limit": "199.99"}, "tab_limit"),
        ({"mode": "match", "amount": "1", "tab_limit": "5"}, "tab_limit"),
        ({"mode": "purse", "amount": "1", "purse_from": "guest"}, "purse_from"),
        ({"mode": "match", "amount": "1", "unit": ""}, "unit"),
        ({"mode": "match", "amount": "1", "unit": "thirteen sign"}, "unit"),
        ({"mode": "match", "amount": "1", "unit": "\u202e"}, "unit"),
        ({"mode": "match", "amount": "1", "unit": 5}, "unit"),
        ({"amount": "1"}, "amount"),
        ({"commission": "house"}, "commission"),
        ({"limit": "1"}, "“limit”"),
        ({"mode": ["match"]}, "mode"),
    ],
)
def test_stakes_that_cannot_be_are_refused_with_a_sentence(told, option):
    with pytest.raises(BadStakes) as refused:
        Stakes.from_dict(told)
    assert refused.value.params["option"] == option
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"mode": "none", "unit": "€"},
        {"mode": "match", "amount": "2,5"},
        {"mode": "match", "amount": 3},
        {"mode": "money", "amount": "0.75", "source": "tab", "tab_limit": "150.00"},
        {"mode": "purse", "amount": "1000000", "purse_from": "owner", "commission": "house"},
    ],
)
def test_stakes_come_back_from_json_as_they_were(told):
    stakes = Stakes.from_dict(told)
    assert Stakes.from_dict(stakes.to_dict()) == stakes
    assert all(isinstance(value, str) for value in stakes.to_dict().values())


def test_the_first_to_knock_has_no_stake_per_point():
    stakes = Stakes.from_dict({"mode": "money", "amount": "1"})
    stakes.require_rules(PRESETS["money_play"])
    with pytest.raises(BadStakes):
        stakes.require_rules(PRESETS["first_to_knock"])


# --- who gets what


def change(stakes: dict[str, str], rules: ScoringRules, ended: Ended, *points: int) -> list[str]:
    """What the game brought each seat; points below zero are hands that seat 1 won."""
    lines = [
        Line(int(each < 0), "knock", number, abs(each)) for number, each in enumerate(points, 1)
    ]
    found = settle(Stakes.from_dict(stakes), rules, lines, ended)
    assert sum(found.paid) + found.commission + found.purse_back == found.pot
    return [f"{found.change(seat):.2f}" for seat in (0, 1)]


@pytest.mark.parametrize(
    ("shutout", "points", "paid"),
    [
        ("none", [], "100.00"),
        ("fixed", [], "200.00"),  # no hand of the leaver's: due
        ("fixed", [12], "88.00"),
        ("fixed", [-30], "200.00"),  # 30 + 100 + 100 is more than the buy-in
        ("double_hands", [-30], "160.00"),
        ("double_hands_and_game", [-30], "200.00"),
        ("none", [60, 35], "25.00"),
    ],
)
def test_whoever_leaves_pays_the_difference_bonus_and_shutout(shutout, points, paid):
    rules = ScoringRules(game_bonus=100, shutout=shutout, winner_by="total")
    stakes = {"mode": "money", "amount": "1"}
    assert change(stakes, rules, Ended("time", 0), *points) == [f"-{paid}", paid]


def test_a_winner_with_the_lower_total_takes_nothing():
    """Where the target decides and each line counts, who reached it may have fewer points."""
    rules = ScoringRules(line_bonus=25, winner_by="target")
    stakes = {"mode": "money", "amount": "1"}
    ended = Ended("target", 0)
    assert change(stakes, rules, ended, 100, *([-15] * 6)) == ["0.00", "0.00"]


@pytest.mark.parametrize("how", ["called_off", "voided"])
@pytest.mark.parametrize("mode", ["match", "money", "purse"])
def test_nobody_wins_what_is_undone(mode, how):
    stakes = {"mode": mode, "amount": "0.05", "commission": "house"}
    assert change(stakes, PRESETS["complete"], Ended(how), 90, -12) == ["0.00", "0.00"]
