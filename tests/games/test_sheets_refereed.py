"""Random sheets under random rules, however they ended, against the plain referee."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import files, paper
from games.management.commands.check_vectors import LINE_FACTS
from games.management.commands.score_sheet import scored
from games.presets import PRESETS, rule_set
from games.presets.named import PLAY_VALUES
from scoring import ledger, statistics
from scoring.ledger import SeatEntry
from scoring.models import Tally
from scoring.rules import VALUES, BadRules, HandResult
from tests.scoring import referee

SEAT = st.integers(0, 1)


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


@pytest.mark.django_db
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_page_files_tallies_and_statistics_say_what_the_referee_says(data, alice, bob):
    """Through any end, free correction and editions, some of which play a finished game on."""
    rules = rule_set(data.draw(rule_sets())).as_dict()
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    before = [statistics.figures(player.pk) for player in (alice, bob)]
    sheet = ledger.open_sheet(rules, seats, source="paper", keeper_id=alice.pk)
    hands: list[dict[str, Any]] = []
    for number in range(1, data.draw(st.integers(1, 12)) + 1):
        hands.append(data.draw(hands_under(rules)))
        if ledger.record_hand(sheet, number, HandResult(**hands[-1])).finished:
            break
    ended = _ended(rules, hands)
    if ended is None:
        how = data.draw(st.sampled_from(["resigned", "time", "claimed", "called_off"]))
        ended = {"how": how} | ({} if how == "called_off" else {"by": data.draw(SEAT)})
        ledger.end_sheet(sheet, ended["how"], ended.get("by"))
    for _twice in range(2):
        ledger.write_bonuses(sheet)
    seat, points = data.draw(SEAT), data.draw(st.integers(-99, 99))
    ledger.write_correction(sheet, seat, points, "miscounted", "charlie")
    extra = [points if one == seat else 0 for one in (0, 1)]
    counts = _require_said(sheet, rules, hands, ended, extra)
    for _edition in range(data.draw(st.integers(0, 2))):
        if not hands:
            break
        del hands[data.draw(st.integers(0, len(hands) - 1))]
        old, sheet = sheet, ledger.edition(sheet, [HandResult(**hand) for hand in hands])
        assert not Tally.objects.filter(sheet=old).exists()
        counts = _require_said(sheet, rules, hands, _ended(rules, hands), extra)
    totals, winner = counts or ([0, 0], None)
    for seat, player in enumerate((alice, bob)):
        was, now = before[seat], statistics.figures(player.pk)
        assert now.games - was.games == (counts is not None)
        assert now.points - was.points == totals[seat]
        assert (now.won - was.won) == (winner == seat)


def _ended(rules: dict[str, Any], hands: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The end these hands make by themselves."""
    reached = referee.sheet(rules, hands)["reached"]
    return None if reached is None else {"how": "target", "by": reached}


def _require_said(sheet_id, rules, hands, ended, extra):
    """All that shows a sheet shows the referee's figures; they are given if the game counts."""
    told = referee.sheet(rules, hands, ended)
    totals = [total + more for total, more in zip(told["totals"], extra, strict=True)]
    sheet = ledger.read_sheet(sheet_id)
    assert list(paper.laid_out(sheet_id, None)["totals"]) == totals
    last = files.as_csv(sheet).splitlines()[-1].split(",")
    assert [int(cell) for cell in last[-2:]] == totals
    again = scored(files.as_json(sheet))
    assert (again["totals"], again["winner"]) == (totals, told["winner"])
    assert [one.differences for one in ledger.audited([sheet_id])] == [[]]
    tallies = Tally.objects.filter(sheet=sheet_id).order_by("seat")
    if ended is None:
        assert not tallies
        return None
    results = {0: ("won", "lost"), 1: ("lost", "won"), None: ("none", "none")}[told["winner"]]
    assert [(row.points, row.hand_points, row.result) for row in tallies] == list(
        zip(totals, told["hand_points"], results, strict=True)
    )
    return totals, told["winner"]
