"""The options of play: which exist, and the knock limit they make (rules, sections 5 and 10)."""

from __future__ import annotations

import pytest

from games.engine.cards import card
from games.engine.rules import BadPlayRules, PlayRules
from tests.games.engine.hands import OPTION_SETS


def test_there_are_144_option_sets():
    assert len(set(OPTION_SETS)) == 144


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("format", "teams"),
        ("knock_limit", 5),
        ("knock_limit", "10"),
        ("knock_limit", None),
        ("oklahoma_ace", 0),
        ("oklahoma_ace", True),
        ("big_gin", 31),
        ("layoffs", 1),
        ("layoffs", None),
        ("keep_drawn_card", "stock"),
        ("discard_history", []),
    ],
)
def test_an_unknown_value_is_refused_in_words(option, value):
    with pytest.raises(BadPlayRules) as refused:
        PlayRules(**{option: value})
    assert option in str(refused.value)


def test_first_to_knock_has_no_big_gin():
    with pytest.raises(BadPlayRules):
        PlayRules(format="first_knock", big_gin=True)


@pytest.mark.parametrize(
    ("upcard", "limit"),
    [("2c", 2), ("4s", 4), ("9d", 9), ("Td", 10), ("Jc", 10), ("Kd", 10), ("Ah", 0)],
)
def test_in_oklahoma_the_upcard_is_the_limit(upcard, limit):
    assert PlayRules(knock_limit="upcard").limit(card(upcard)) == limit
    assert PlayRules().limit(card(upcard)) == 10
    assert PlayRules(knock_limit=0).limit(card(upcard)) == 0


def test_an_ace_may_stand_for_a_limit_of_one():
    assert PlayRules(knock_limit="upcard", oklahoma_ace=1).limit(card("Ah")) == 1
    assert PlayRules(knock_limit="upcard", oklahoma_ace=1).limit(card("2h")) == 2
