"""Sheets of another day: the same lines, sums and tallies as those written hand by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import PastSheet, SeatEntry
from scoring.models import ScoreLine, ScoreSheet, SheetHand, Tally
from scoring.rules import BadSheet, Ended, HandResult

pytestmark = pytest.mark.django_db

THEN = datetime(2025, 3, 30, 0, 30, tzinfo=UTC)
RULES = rule_set({"preset": "complete"}).as_dict()
HANDS = [
    HandResult(0, "knock", 4, 21),
    HandResult(None, "void", idle=True),
    HandResult(1, "undercut", 8, 3),
    HandResult(0, "gin", 0, 30),
    HandResult(0, "big_gin", 0, 12),
]


@pytest.fixture
def seats(alice, bob):
    return [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]


def past(seats, hands=HANDS, **more):
    timed = [(hand, THEN + timedelta(minutes=5 * at)) for at, hand in enumerate(hands, 1)]
    return PastSheet(RULES, seats, timed, THEN, **more)


def figures(sheet_id):
    rows = Tally.objects.filter(sheet_id=sheet_id).order_by("seat").values()
    left_out = ("id", "sheet_id", "started_at", "ended_at")
    return [{key: row[key] for key in row if key not in left_out} for row in rows]


def test_it_comes_out_as_written_hand_by_hand(seats):
    then = ledger.write_past([past(seats)])[0]
    now = ledger.open_sheet(RULES, seats)
    for number, hand in enumerate(HANDS, 1):
        ledger.record_hand(now, number, hand)
    ledger.write_bonuses(now)
    one, other = ledger.read_sheet(then), ledger.read_sheet(now)
    assert (one.lines, one.results, one.standing) == (other.lines, other.results, other.standing)
    assert figures(then) == figures(now)


def test_everything_bears_the_time_it_was_played(seats):
    sheet = ScoreSheet.objects.get(pk=ledger.write_past([past(seats)])[0])
    last = THEN + timedelta(minutes=25)
    assert (sheet.started_at, sheet.ended_at, sheet.how) == (THEN, last, "target")
    assert sheet.bonuses_at == last + timedelta(seconds=1)
    for hand in SheetHand.objects.filter(sheet=sheet):
        assert hand.written_at == THEN + timedelta(minutes=5 * hand.number)
    lines = ScoreLine.objects.filter(sheet=sheet)
    assert max(line.written_at for line in lines if line.hand) == last
    assert {line.written_at for line in lines if not line.hand} == {sheet.bonuses_at}


def test_a_game_that_was_left_and_one_that_is_open(seats):
    left, still_open = ledger.write_past([
        past(seats, HANDS[:1], ended=Ended("resigned", 0), ended_at=THEN + timedelta(hours=1)),
        past(seats, HANDS[:3]),
    ])  # fmt: skip
    assert ledger.read_sheet(left).standing.winner == 1
    assert ScoreSheet.objects.get(pk=left).ended_at == THEN + timedelta(hours=1)
    assert ledger.read_sheet(still_open).ended is None
    assert figures(still_open) == []
    ledger.record_hand(still_open, 4, HANDS[3])  # it can be played on


def test_the_target_ends_a_game_whatever_is_said(seats):
    sheet_id = ledger.write_past([past(seats, ended=Ended("resigned", 0))])[0]
    assert ledger.read_sheet(sheet_id).ended == Ended("target", 0)


def test_many_take_no_more_statements_than_one(seats, django_assert_num_queries):
    with django_assert_num_queries(11):
        ledger.write_past([past(seats)])
    with django_assert_num_queries(11):
        ledger.write_past([past(seats) for _ in range(8)])


@pytest.mark.parametrize(
    "hands",
    [[HandResult(0, "gin", 3, 20)], [HandResult(7, "knock", 3, 20)], [*HANDS, HANDS[0]]],
    ids=["impossible", "nobody's seat", "after the end"],
)
def test_what_the_rules_cannot_produce_is_not_written_at_all(hands, seats):
    with pytest.raises(BadSheet):
        ledger.write_past([past(seats), past(seats, hands)])
    assert not ScoreSheet.objects.exists()
