"""The ledger: the only writer of sheets, each line once, totals always a sum."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.models import ScoreLine, ScoreSheet
from scoring.rules import BadRules, BadSheet, Ended, HandResult, Line

pytestmark = pytest.mark.django_db


def start(slug: str = "complete", **options: object) -> int:
    seats = [SeatEntry("alice"), SeatEntry("bob", kind="bot")]
    return ledger.open_sheet(rule_set({"preset": slug, **options}).as_dict(), seats)


def knock(seat: int, points: int) -> HandResult:
    return HandResult(seat, "knock", 1, points + 1)


def won(slug: str = "complete", **options: object) -> int:
    sheet = start(slug, **options)
    ledger.record_hand(sheet, 1, knock(0, 60))
    ledger.record_hand(sheet, 2, knock(1, 10))
    ledger.record_hand(sheet, 3, knock(0, 45))
    return sheet


def bonuses(sheet: int) -> list[tuple[int, str, int]]:
    lines = ledger.read_sheet(sheet).lines
    return [(line.seat, line.kind, line.points) for line in lines if line.hand is None]


def test_a_sheet_opens_empty_with_its_seats(alice):
    rules = rule_set({"preset": "money_play"}).as_dict()
    sheet = ledger.open_sheet(rules, [SeatEntry("alice", alice.pk), SeatEntry("bob")])
    read = ledger.read_sheet(sheet)
    assert read.rules == rules
    assert [(seat.seat, seat.name, seat.kind, seat.user_id) for seat in read.seats] == [
        (0, "alice", "person", alice.pk),
        (1, "bob", "person", None),
    ]
    assert (read.lines, read.ended, read.ended_at, read.bonuses_written) == ((), None, None, False)
    assert read.standing.totals == ledger.totals(sheet) == (0, 0)
    assert not ledger.is_won(sheet)


def test_a_sheet_without_possible_rules_or_a_second_player_is_refused():
    with pytest.raises(BadRules):
        ledger.open_sheet({"gin": 3}, [SeatEntry("alice"), SeatEntry("bob")])
    with pytest.raises(BadSheet):
        ledger.open_sheet(rule_set({}).as_dict(), [SeatEntry("alice")])
    assert not ScoreSheet.objects.exists()


def test_a_hand_is_one_line_and_a_void_hand_none():
    sheet = start()
    standing = ledger.record_hand(sheet, 1, HandResult(1, "undercut", 8, 5))
    assert standing.hand_points == (0, 28)
    standing = ledger.record_hand(sheet, 2, HandResult(None, "void"))
    assert standing.hand_points == (0, 28)
    ledger.record_hand(sheet, 3, HandResult(0, "gin", 0, 20))
    assert ledger.read_sheet(sheet).lines == (
        Line(1, "undercut", 1, 3, 25),
        Line(0, "gin", 3, 20, 25),
    )
    assert ledger.totals(sheet) == (45, 28)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_hand_already_written_is_refused(number):
    sheet = start()
    ledger.record_hand(sheet, 2, knock(0, 20))
    with pytest.raises(BadSheet):
        ledger.record_hand(sheet, number, knock(1, 20))
    assert ledger.totals(sheet) == (20, 0)


def test_a_hand_of_a_seat_that_is_not_there_is_refused():
    with pytest.raises(BadSheet):
        ledger.record_hand(start(), 1, knock(2, 20))


def test_the_target_ends_the_sheet():
    sheet = start()
    assert not ledger.record_hand(sheet, 1, knock(1, 60)).finished
    standing = ledger.record_hand(sheet, 2, knock(1, 40))
    assert (standing.finished, standing.reached, standing.winner) == (True, 1, 1)
    read = ledger.read_sheet(sheet)
    assert (read.ended, read.bonuses_written) == (Ended("target", 1), False)
    assert read.ended_at is not None
    assert ledger.is_won(sheet)
    assert ledger.sheets_without_bonuses() == [sheet]


def test_nothing_follows_the_end():
    sheet = won()
    with pytest.raises(BadSheet):
        ledger.record_hand(sheet, 4, knock(1, 20))
    with pytest.raises(BadSheet):
        ledger.record_hand(sheet, 4, HandResult(None, "void"))
    with pytest.raises(BadSheet):
        ledger.end_sheet(sheet, "resigned", 0)
    assert ledger.read_sheet(sheet).standing.hand_points == (105, 10)


def test_bonuses_are_written_once():
    sheet = won()
    assert ledger.write_bonuses(sheet) is True
    expected = [(0, "line", 50), (1, "line", 25), (0, "game", 100)]
    assert bonuses(sheet) == expected
    assert ledger.write_bonuses(sheet) is False
    assert bonuses(sheet) == expected
    read = ledger.read_sheet(sheet)
    assert read.bonuses_written
    assert read.standing.totals == ledger.totals(sheet) == (255, 35)
    assert ledger.sheets_without_bonuses() == []


def test_a_writer_killed_midway_leaves_nothing_behind(monkeypatch):
    sheet = won()

    def die(sheet_id: int) -> None:
        raise SystemExit

    monkeypatch.setattr("scoring.live.ring", die)
    with pytest.raises(SystemExit):
        ledger.write_bonuses(sheet)
    assert bonuses(sheet) == []
    assert ledger.sheets_without_bonuses() == [sheet]
    monkeypatch.undo()
    assert ledger.write_bonuses(sheet)
    assert len(bonuses(sheet)) == 3


def test_a_game_going_on_gets_no_bonuses():
    sheet = start()
    ledger.record_hand(sheet, 1, knock(0, 60))
    assert ledger.write_bonuses(sheet) is False
    assert ledger.write_bonuses(sheet + 1000) is False
    assert bonuses(sheet) == []
    assert not ledger.read_sheet(sheet).bonuses_written


@pytest.mark.parametrize("how", ["resigned", "time", "claimed"])
def test_a_player_who_leaves_loses_and_the_opponent_gets_the_game_bonus(how):
    sheet = start()
    ledger.record_hand(sheet, 1, knock(0, 60))
    ledger.end_sheet(sheet, how, by=0)
    assert ledger.read_sheet(sheet).standing.winner == 1
    assert ledger.write_bonuses(sheet)
    assert bonuses(sheet) == [(0, "line", 25), (1, "game", 100)]
    assert ledger.is_won(sheet)


@pytest.mark.parametrize("how", ["called_off", "voided"])
def test_a_game_undone_has_no_winner_and_no_bonus(how):
    sheet = start()
    ledger.record_hand(sheet, 1, knock(0, 60))
    ledger.end_sheet(sheet, how)
    assert ledger.write_bonuses(sheet) is True
    assert bonuses(sheet) == []
    assert not ledger.is_won(sheet)
    assert ledger.sheets_without_bonuses() == []
    assert ledger.write_bonuses(sheet) is False


@pytest.mark.parametrize(
    ("how", "by"),
    [("target", 0), ("bored", 0), ("resigned", None), ("resigned", 2), ("voided", -1)],
)
def test_an_end_that_cannot_be_is_refused(how, by):
    sheet = start()
    with pytest.raises(BadSheet):
        ledger.end_sheet(sheet, how, by)
    assert ledger.read_sheet(sheet).ended is None


def test_a_later_change_of_rules_never_reaches_a_sheet():
    options = rule_set({"preset": "complete"}).as_dict()
    sheet = ledger.open_sheet(options, [SeatEntry("alice"), SeatEntry("bob")])
    options["target"], options["undercut"] = 75, 10
    assert not ledger.record_hand(sheet, 1, knock(0, 83)).finished
    assert ledger.record_hand(sheet, 2, HandResult(1, "undercut", 4, 4)).hand_points == (83, 25)


def test_a_correction_is_a_line_with_reason_and_author():
    sheet = won()
    with pytest.raises(BadSheet):
        ledger.write_correction(sheet, 0, -5, " ", "charlie")
    with pytest.raises(BadSheet):
        ledger.write_correction(sheet, 2, -5, "miscounted", "charlie")
    ledger.write_correction(sheet, 0, -5, "miscounted", "charlie")
    read = ledger.read_sheet(sheet)
    assert read.lines[-1] == Line(0, "correction", None, -5, reason="miscounted")
    assert (read.standing.totals, read.standing.hand_points) == ((100, 10), (105, 10))
    assert ScoreLine.objects.get(kind="correction").author == "charlie"
    assert ledger.write_bonuses(sheet)
    assert ledger.totals(sheet) == (250, 35)


def test_a_hand_rolls_back_with_the_move_that_ended_it():
    sheet = start()
    with transaction.atomic():
        ledger.record_hand(sheet, 1, knock(0, 60))
        transaction.set_rollback(True)
    assert ledger.totals(sheet) == (0, 0)


def test_the_bell_rings_once_after_commit(django_capture_on_commit_callbacks, monkeypatch):
    rung: list[str] = []
    monkeypatch.setattr("accounts.live.ring", rung.append)
    sheet = won()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        ledger.write_bonuses(sheet)
        assert rung == []
    assert rung == [f"sheet.{sheet}"]
    assert len(callbacks) == 1
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        ledger.write_bonuses(sheet)
    assert callbacks == []


def test_recording_a_hand_asks_the_database_little(django_assert_num_queries):
    sheet = start()
    with transaction.atomic(), django_assert_num_queries(5):
        ledger.record_hand(sheet, 1, knock(0, 60))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_random_game_adds_up_on_the_sheet(data):
    slug = data.draw(st.sampled_from(["complete", "classic_20_10", "winner_takes_bonuses"]))
    sheet, number, finished = start(slug), 0, False
    while not finished and number < 30:
        number += 1
        kind = data.draw(st.sampled_from(["knock", "gin", "undercut", "void"]))
        knocker = 0 if kind == "gin" else data.draw(st.integers(1, 10))
        most = {"undercut": (0, knocker), "knock": (knocker + 1, 98)}.get(kind, (0, 98))
        result = HandResult(
            data.draw(st.integers(0, 1)), kind, knocker, data.draw(st.integers(*most))
        )
        before = ledger.totals(sheet)
        finished = ledger.record_hand(sheet, number, result).finished
        assert max(before) < 100
        assert finished == (max(ledger.totals(sheet)) >= 100)
    assert ledger.write_bonuses(sheet) is finished
    read = ledger.read_sheet(sheet)
    for seat in (0, 1):
        points = [line.points for line in read.lines if line.seat == seat]
        assert read.standing.totals[seat] == sum(points)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(SUM(points), 0) FROM scoring_scoreline WHERE sheet_id = %s", [sheet]
        )
        assert cursor.fetchone()[0] == sum(read.standing.totals)
    hands = [line.hand for line in read.lines if line.hand is not None]
    assert len(hands) == len(set(hands)) == sum(read.standing.hands_won)
