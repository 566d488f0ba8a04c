"""Games as files: what is written is read back whole, and what cannot be kept is refused."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.refusal import Refusal
from games import files, paper
from games.management.commands.score_sheet import scored
from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.models import ScoreSheet, Tally
from scoring.rules import Ended, HandResult
from tests.scoring.games_drawn import games

pytestmark = pytest.mark.django_db
BIG_GIN = HandResult(0, "big_gin", 0, 27)
VOID = HandResult(None, "void", idle=True)


def written(*hands, names=("alice", "bob"), **options):
    """A sheet kept on paper, with these hands."""
    seats = [SeatEntry(name, kind="name") for name in names]
    rules = rule_set(options).as_dict()
    sheet = ledger.open_sheet(rules, seats, source="paper", first_dealer=1)
    for number, hand in enumerate(hands, 1):
        ledger.record_hand(sheet, number, hand)
    ledger.write_bonuses(sheet)
    return sheet


def text_of(sheet_id):
    return json.dumps(files.as_json(ledger.read_sheet(sheet_id)))


def brought_back(sheet_id, user):
    """The sheet written down and brought in again."""
    return ledger.read_sheet(files.bring(user.pk, files.told_in(text_of(sheet_id)), 0))


SAME = ("rules", "names", "results", "standing", "ended", "ended_at", "started_at", "first_dealer",
        "bonuses_written")  # fmt: skip


def test_big_gin_the_rules_and_a_void_hand_survive_the_round_trip(alice):
    """Case A8: not turned into "knock" and defaults."""
    sheet = written(BIG_GIN, VOID, HandResult(1, "undercut", 8, 5), big_gin=50, undercut=10)
    old, new = ledger.read_sheet(sheet), brought_back(sheet, alice)
    for same in SAME:
        assert getattr(new, same) == getattr(old, same), same
    assert [(line.kind, line.points) for line in new.lines] == [("big_gin", 77), ("undercut", 13)]
    assert (new.rules["big_gin"], new.rules["undercut"]) == (50, 10)
    assert (new.source, new.keeper_id) == ("imported", alice.pk)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_game_survives_the_round_trip(data, alice):
    game = data.draw(games(over=False))
    sheet = ledger.open_sheet(
        game.rules.as_dict(), [SeatEntry("alice"), SeatEntry("bob")], source="paper",
        first_dealer=data.draw(st.sampled_from([None, 0, 1])),
    )  # fmt: skip
    for number, hand in enumerate(game.hands, 1):
        finished = ledger.record_hand(sheet, number, hand).finished
    if game.ended is not None and not finished:
        ledger.end_sheet(sheet, game.ended.how, game.ended.by)
    for _n in range(data.draw(st.integers(0, 2))):
        seat, points = data.draw(st.integers(0, 1)), data.draw(st.integers(-50, 50))
        ledger.write_correction(sheet, seat, points, "=1+1, miscounted", "charlie")
    ledger.write_bonuses(sheet)
    old, new = ledger.read_sheet(sheet), brought_back(sheet, alice)
    for same in SAME:
        assert getattr(new, same) == getattr(old, same), same
    def key(line):
        return (line.kind, line.hand or 0, line.seat, line.points, line.reason, line.author)

    assert sorted(map(key, new.lines)) == sorted(map(key, old.lines))
    assert files.as_json(new) == files.as_json(old)


def test_what_is_written_is_what_the_command_scores():
    sheet = written(BIG_GIN, HandResult(0, "gin", 0, 40))
    read, answer = ledger.read_sheet(sheet), scored(json.loads(text_of(sheet)))
    assert tuple(answer["totals"]) == read.standing.totals
    assert (answer["winner"], answer["reached"]) == (read.standing.winner, read.standing.reached)


def test_an_edition_is_written_as_it_stands_now(alice):
    sheet = written(HandResult(0, "knock", 1, 31), HandResult(1, "gin", 0, 5))
    new = ledger.edition(sheet, [HandResult(0, "knock", 1, 21)])
    assert brought_back(new, alice).results == (HandResult(0, "knock", 1, 21),)


# --- csv


def test_a_spreadsheet_has_a_row_a_line_with_running_totals():
    sheet = written(HandResult(1, "undercut", 8, 5), VOID, HandResult(0, "gin", 0, 90))
    ledger.write_correction(sheet, 1, -5, "miscounted", "charlie")
    rows = list(csv.DictReader(io.StringIO(files.as_csv(ledger.read_sheet(sheet)))))
    assert [(row["hand"], row["kind"], row["name"], row["points"]) for row in rows] == [
        ("1", "undercut", "bob", "28"),
        ("2", "void", "", "0"),
        ("3", "gin", "alice", "115"),
        ("", "line", "alice", "25"),
        ("", "line", "bob", "25"),
        ("", "game", "alice", "100"),
        ("", "correction", "bob", "-5"),
    ]
    assert [(row["alice"], row["bob"]) for row in rows][-1] == ("240", "48")
    assert (rows[2]["base"], rows[2]["bonus"], rows[2]["multiplier"]) == ("90", "25", "1")
    assert datetime.fromisoformat(rows[0]["date"]).tzinfo is not None


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+alice", "-alice", "@alice", "＝1"])
def test_a_name_is_no_formula(name):
    sheet = written(HandResult(0, "gin", 0, 9), names=(name, "bob"))
    first, row, *_more = csv.reader(io.StringIO(files.as_csv(ledger.read_sheet(sheet))))
    assert first[-2] == row[3] == f"'{name}"


@pytest.mark.parametrize("name", ["alice;=1+1", "a; @b", "a;;-c;+d"])
def test_a_name_is_no_formula_where_cells_end_at_a_semicolon(name):
    sheet = written(HandResult(0, "gin", 0, 9), names=(name, "bob"))
    for line in files.as_csv(ledger.read_sheet(sheet)).splitlines():
        assert not [cell for cell in line.split(";") if cell.lstrip()[:1] in tuple("=+-@")]


# --- bringing in


def game(**changes):
    return {
        "players": ["alice", "bob"],
        "rules": {"preset": "money_play"},
        "hands": [{"winner": 0, "kind": "gin", "knocker_deadwood": 0, "defender_deadwood": 90}],
    } | changes


def test_whoever_brings_a_game_keeps_it_in_their_own_seat(alice):
    sheet = ledger.read_sheet(files.bring(alice.pk, files.told_in(json.dumps(game())), 1))
    assert [(seat.user_id, seat.kind) for seat in sheet.seats] == [
        (None, "name"), (alice.pk, "person"),
    ]  # fmt: skip
    assert sheet.bonuses_written


def test_a_game_brought_in_twice_by_one_form_is_kept_once(alice, bob):
    entry, told = uuid4(), files.told_in(json.dumps(game()))
    first = files.bring(alice.pk, told, 0, entry)
    assert files.bring(alice.pk, told, 0, entry) == first
    assert files.bring(bob.pk, told, 0, entry) != first
    assert ScoreSheet.objects.count() == 2


def test_a_game_without_times_begins_now_and_one_without_a_zone_where_its_reader_is(alice):
    told = files.told_in(json.dumps(game(started="2025-07-01T20:15:00")))
    sheet = ledger.read_sheet(files.bring(alice.pk, told, 0))
    assert sheet.started_at.tzinfo is not None
    assert sheet.ended_at == sheet.started_at
    assert ledger.read_sheet(files.bring(alice.pk, files.told_in(json.dumps(game())), 0)).ended_at


def test_what_the_preview_shows_is_what_is_kept(alice):
    gin = {"winner": 1, "kind": "gin", "knocker_deadwood": 0, "defender_deadwood": 8}
    correction = {"seat": 0, "points": -4, "reason": "miscounted"}
    text = json.dumps(game(hands=[gin, {"kind": "void"}, *game()["hands"]],
                           corrections=[correction]))  # fmt: skip
    seen = files.preview(files.told_in(text))
    assert not ScoreSheet.objects.exists()
    kept = ledger.read_sheet(files.bring(alice.pk, files.told_in(text), 0))
    shown = paper.paper_of(kept, paper.hand_rows(kept))
    for same in ("names", "hands", "bonuses", "totals", "verdict", "ending", "facts"):
        assert seen[same] == shown[same], same


def test_a_won_game_declared_void_stays_void(alice):
    told = files.told_in(json.dumps(game(ended={"how": "voided"})))
    sheet = ledger.read_sheet(files.bring(alice.pk, told, 0))
    assert (sheet.ended, sheet.standing.winner) == (Ended("voided"), None)


@pytest.mark.parametrize(
    "changes",
    [
        {"hands": []},
        {"hands": [{"kind": "void"}] * 1001},
        {"players": None},
        {"players": ["alice", "b" * 151]},
        {"players": ["alice", "bo\u202eb"]},
        {"players": ["alice", "bo\u0000b"]},
        {"players": ["alice", "bo\nb"]},
        {"started": "2999-01-01T00:00:00+00:00"},
        {"started": "1312-01-01T00:00:00+00:00"},
        {"started": "2025-01-02T00:00:00Z", "ended": {"how": "target", "at": "2025-01-01T00:00Z"}},
        {"ended": {"how": "target", "at": "soon"}},
        {"first_dealer": 2},
        {"corrections": [{"seat": 0, "points": 5, "reason": "a\u0000b"}]},
        {"corrections": [{"seat": 0, "points": 5, "reason": "why"}] * 101},
        {"corrections": [{"seat": 0, "points": 5, "reason": "why", "author": "c" * 200}]},
        {"corrections": [{"seat": 0, "points": 5, "reason": "why", "author": "c\u202e"}]},
    ],
)
def test_a_game_that_cannot_be_kept_is_refused(alice, changes):
    with pytest.raises(Refusal) as refusal:
        files.told_in(json.dumps(game(**changes)))
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("text", ["", "no json", "[]", "[" * 100_000, " " * 300_001, "\0"])
def test_a_text_that_is_no_game_is_refused(text):
    with pytest.raises(Refusal):
        files.told_in(text)


def test_a_moment_far_off_overflows_nothing(alice):
    for moment in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01"):
        for zone in (None, "America/New_York", "Pacific/Kiritimati"):
            for changes in ({"started": moment}, {"ended": {"how": "target", "at": moment}}):
                with timezone.override(zone), pytest.raises(Refusal):
                    files.told_in(json.dumps(game(**changes)))


def test_the_one_moment_that_is_told_is_when_the_game_began_and_ended(alice):
    ended = {"how": "target", "at": "1950-06-01T20:00:00+00:00"}
    told = files.told_in(json.dumps(game(ended=ended)))
    sheet = ledger.read_sheet(files.bring(alice.pk, told, 0))
    assert sheet.started_at == sheet.ended_at == datetime(1950, 6, 1, 20, tzinfo=UTC)
    assert files.preview(told)["sheet"].started_at == sheet.started_at


@pytest.mark.parametrize("offset", ["+23:59", "-23:59", "+00:00:30", "+05:30:15.5"])
def test_a_moment_is_kept_whatever_its_offset(alice, offset):
    moment = f"2025-06-01T20:00:00{offset}"
    told = files.told_in(json.dumps(game(started=moment)))
    sheet = ledger.read_sheet(files.bring(alice.pk, told, 0))
    assert sheet.started_at == datetime.fromisoformat(moment)


def test_all_corrections_together_fit_a_total(alice):
    most = {"seat": 0, "points": 1_000_000, "reason": "why"}
    told = files.told_in(json.dumps(game(corrections=[most] * 100)))
    assert ledger.read_sheet(files.bring(alice.pk, told, 0)).standing.totals[0] > 10**8
    assert Tally.objects.get(user=alice).points > 10**8
