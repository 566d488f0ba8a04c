"""Random sheets under random rules, however they ended, against the plain referee."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.management.commands.check_vectors import LINE_FACTS
from games.management.commands.score_sheet import scored
from games.presets import PRESETS, rule_set
from games.presets.named import PLAY_VALUES
from scoring.rules import VALUES, BadRules
from tests.scoring import referee


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """A preset with some options set otherwise, if the whole is a rule set."""
    preset = draw(st.sampled_from(list(PRESETS)))
    choices = {**VALUES, **PLAY_VALUES, "target": (50, 51, 100, 250, 1000)}
    del choices["format"]
    names = draw(st.sets(st.sampled_from(sorted(choices)), max_size=8))
    rules = {name: draw(st.sampled_from(choices[name])) for name in names} | {"preset": preset}
    try:
        rule_set(rules)
    except BadRules:
        return {"preset": preset}
    return rules


@st.composite
def hands_under(draw: st.DrawFn, rules: dict[str, Any]) -> dict[str, Any]:
    kinds = ["void", "gin"]
    if rules["format"] == "first_knock":
        kinds = ["void", "first_knock"]
    elif rules["big_gin"] is not None:
        kinds.append("big_gin")
    if rules["format"] == "points" and rules["knock_limit"] != 0:
        kinds += ["knock", "undercut"]
    kind = draw(st.sampled_from(kinds))
    least = {"knock": 1, "undercut": 1}.get(kind, 0)
    most = 0 if "gin" in kind or rules["knock_limit"] == 0 else 10
    knocker = draw(st.integers(least, most))
    lowest = knocker + 1 if kind == "knock" else 0
    highest = knocker if kind == "undercut" else 98
    hand = {
        "winner": draw(st.integers(0, 1)),
        "kind": kind,
        "knocker_deadwood": knocker,
        "defender_deadwood": draw(st.integers(lowest, highest)),
    }
    return hand | draw(st.sampled_from([{}, {"spade": True}, {"spade": False}]))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_random_sheet_is_the_referees(data):
    given_rules = data.draw(rule_sets())
    rules = rule_set(given_rules).as_dict()
    hands: list[dict[str, Any]] = []
    if rules["format"] == "points" and rules["knock_limit"] != 0:
        # many little hands to one player, so that bonuses can outweigh the target
        little = {"kind": "knock", "knocker_deadwood": 9, "defender_deadwood": 10}
        seat = data.draw(st.integers(0, 1))
        hands += data.draw(st.sampled_from([0, 9, 12])) * [{"winner": seat, **little}]
    for _ in range(data.draw(st.integers(0, 25))):
        hands.append(data.draw(hands_under(rules)))
        if referee.sheet(rules, hands)["finished"]:
            break
    reached = referee.sheet(rules, hands)["reached"]
    ends = (
        [{"how": how, "by": by} for how in ("resigned", "time", "claimed") for by in (0, 1)]
        + [{"how": "called_off"}, {"how": "voided"}]
        if reached is None
        else [{"how": "target"}, {"how": "target", "by": reached}, {"how": "voided"}]
    )
    ended = data.draw(st.sampled_from([None, *ends]))
    answer = scored({"rules": given_rules, "hands": hands, "ended": ended})
    lines = [[line[key] for key in LINE_FACTS] for line in answer["lines"]]
    assert {**answer, "lines": lines} == referee.sheet(rules, hands, ended)
