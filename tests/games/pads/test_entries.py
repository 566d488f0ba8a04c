"""What a pad's page may send, and what is made of what people say."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import pads
from games.pads import entries
from games.presets import rule_set
from scoring.rules import BadSheet, HandResult

COMPLETE = rule_set({"preset": "complete"}).as_dict()
GIN_ONLY = rule_set({"preset": "complete", "knock_limit": 0}).as_dict()
OKLAHOMA = rule_set({"preset": "oklahoma_spades"}).as_dict()
ACE_IS_ONE = rule_set({"preset": "oklahoma_spades", "oklahoma_ace": 1}).as_dict()
FIRST = rule_set({"preset": "first_to_knock"}).as_dict()


def sent(**changed):
    one = {"entry": str(uuid4()), "number": 1, "kind": "knock", "winner": 0, "knocker": 3,
           "defender": 24, "spade": False, "upcard": None}  # fmt: skip
    return json.dumps({"sheet": 1, "entries": [one | changed]}).encode()


def test_a_hand_is_read_as_it_was_sent():
    (one,) = pads.read_sending(sent()).entries
    assert (one.kind, one.winner, one.knocker, one.defender) == ("knock", 0, 3, 24)


@pytest.mark.parametrize(
    "changed",
    [
        {"entry": "7"}, {"number": 0}, {"kind": "line"}, {"winner": 2}, {"knocker": 11},
        {"defender": 99}, {"defender": -1}, {"spade": 1}, {"upcard": 11}, {"points": 500},
        {"knocker": 1.5}, {"defender": True},
    ],
)  # fmt: skip
def test_what_is_no_hand_is_not_understood(changed):
    with pytest.raises(pads.BadEntry):
        pads.read_sending(sent(**changed))


@given(st.binary(max_size=200))
def test_any_other_bytes_are_not_understood(body):
    with pytest.raises(pads.BadEntry):
        pads.read_sending(body)


def test_a_sending_is_bounded():
    one = json.loads(sent())
    one["entries"] *= entries.AT_ONCE + 1
    with pytest.raises(pads.BadEntry):
        pads.read_sending(json.dumps(one).encode())


@pytest.mark.parametrize(
    ("rules", "upcard", "limit"),
    [
        (COMPLETE, None, 10), (COMPLETE, 4, 10), (GIN_ONLY, None, 0), (OKLAHOMA, None, 10),
        (OKLAHOMA, 4, 4), (OKLAHOMA, 10, 10), (OKLAHOMA, 1, 0), (ACE_IS_ONE, 1, 1),
    ],
)  # fmt: skip
def test_the_upcard_sets_the_limit_where_it_decides(rules, upcard, limit):
    if limit:
        entries.check(rules, HandResult(0, "knock", limit, 50), upcard)
    if limit < 10:
        with pytest.raises(BadSheet) as refused:
            entries.check(rules, HandResult(0, "knock", limit + 1, 50), upcard)
        assert refused.value.code == "over_the_limit"


@pytest.mark.parametrize(
    ("rules", "said", "kind", "winner"),
    [
        (COMPLETE, (0, "knock", 7, 21), "knock", 0),
        (COMPLETE, (0, "knock", 7, 7), "undercut", 1),
        (COMPLETE, (1, "knock", 7, 0), "undercut", 0),
        (COMPLETE, (1, "gin", 9, 13), "gin", 1),
        (COMPLETE, (0, "big_gin", 0, 13), "big_gin", 0),
        (COMPLETE, (0, "void", 4, 13), "void", None),
        (FIRST, (1, "knock", 9, 3), "first_knock", 1),
        (FIRST, (1, "gin", 9, 3), "first_knock", 1),
    ],
)  # fmt: skip
def test_who_wins_a_hand_follows_from_the_figures(rules, said, kind, winner):
    finisher, how, knocker, defender = said
    result = pads.result_of(rules, finisher, how, knocker, defender, False)
    assert (result.kind, result.winner) == (kind, winner)
    entries.check(rules, result)


NAMES = ("Léo", "Camille")


@pytest.mark.parametrize(
    ("rules", "result", "said"),
    [
        (COMPLETE, HandResult(0, "knock", 4, 21), "Camille 21 − Léo 4 = 17 for Léo"),
        (COMPLETE, HandResult(1, "undercut", 8, 5),
         "Léo 8 − Camille 5 + 25 for the undercut = 28 for Camille"),
        (COMPLETE, HandResult(0, "gin", 0, 13), "Camille 13 + 25 for gin = 38 for Léo"),
        (COMPLETE, HandResult(1, "big_gin", 0, 13), "Léo 13 + 31 for big gin = 44 for Camille"),
        (OKLAHOMA, HandResult(0, "gin", 0, 30, True),
         "(Camille 30 + 25 for gin) × 2 = 110 for Léo"),
        (FIRST, HandResult(1, "first_knock", 4, 0), "1 point for Camille"),
        (COMPLETE, HandResult(None, "void"),
         "Void hand: nothing is scored, the same dealer deals again."),
    ],
)  # fmt: skip
def test_the_arithmetic_is_said_before_it_is_written(rules, result, said, settings):
    settings.LANGUAGE_CODE = "en"
    assert pads.sum_of(rules, NAMES, result) == said
