"""What the database itself refuses, by the models and by a raw write."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from games.presets import rule_set
from scoring.ledger import SeatEntry, open_sheet
from scoring.models import ScoreLine, ScoreSheet, SheetSeat

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet(alice, bob) -> ScoreSheet:
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    return ScoreSheet.objects.get(pk=open_sheet(rule_set({}).as_dict(), seats))


def write(sheet: ScoreSheet, **changes: object) -> ScoreLine:
    line = {"seat": 0, "kind": "knock", "hand": 1, "base": 7} | changes
    with transaction.atomic():
        return ScoreLine.objects.create(sheet=sheet, **line)


def refused_by(name: str):
    """SQLite names the columns of a broken unique constraint, PostgreSQL its name."""
    return pytest.raises(
        DatabaseError, match=name if connection.vendor == "postgresql" else f"{name}|UNIQUE"
    )


def test_points_are_worked_out_by_the_database(sheet):
    line = write(sheet, kind="gin", base=30, bonus=25, multiplier=2)
    assert line.points == 110


def test_one_line_per_hand(sheet):
    write(sheet, hand=3)
    with refused_by("one_line_per_hand"):
        write(sheet, hand=3, seat=1, kind="gin")
    write(sheet, hand=4)


def test_each_bonus_once(sheet):
    write(sheet, kind="line", hand=None, base=50)
    with refused_by("each_bonus_once"):
        write(sheet, kind="line", hand=None, base=50)
    write(sheet, kind="line", hand=None, base=25, seat=1)


@pytest.mark.parametrize("kind", ["game", "shutout"])
def test_game_and_shutout_go_to_one_seat(sheet, kind):
    write(sheet, kind=kind, hand=None, base=100)
    with refused_by("game_and_shutout_go_to_one_seat"):
        write(sheet, kind=kind, hand=None, base=100, seat=1)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("hand_lines_alone_have_a_hand_number", {"hand": None}),
        ("hand_lines_alone_have_a_hand_number", {"hand": 0}),
        ("hand_lines_alone_have_a_hand_number", {"kind": "game", "hand": 2}),
        ("hand_lines_alone_have_a_hand_number", {"kind": "draw"}),
        ("only_a_correction_may_be_negative", {"base": -1}),
        ("only_a_correction_may_be_negative", {"base": 30, "bonus": -25}),
        ("only_a_hand_is_doubled", {"multiplier": 3}),
        ("only_a_hand_is_doubled", {"multiplier": 0}),
        ("only_a_hand_is_doubled", {"kind": "game", "hand": None, "multiplier": 2}),
        ("a_correction_alone_has_reason_and_author", {"kind": "correction", "hand": None}),
        ("a_correction_alone_has_reason_and_author", {"reason": "because"}),
        (
            "a_correction_alone_has_reason_and_author",
            {"kind": "correction", "hand": None, "reason": "miscounted"},
        ),
        ("lines_belong_to_a_seat", {"seat": 2}),
    ],
)
def test_a_line_that_cannot_be_is_refused(sheet, name, changes):
    with pytest.raises(DatabaseError, match=name):
        write(sheet, **changes)


def test_an_ended_sheet_takes_no_hands(sheet):
    write(sheet)
    ScoreSheet.objects.filter(pk=sheet.pk).update(
        how="resigned", ended_by=0, ended_at=timezone.now()
    )
    with refused_by("an_ended_sheet_takes_no_hands"):
        write(sheet, hand=2)
    write(sheet, kind="line", hand=None, base=25)


def test_a_correction_may_be_negative(sheet):
    line = write(
        sheet, kind="correction", hand=None, base=-12, reason="miscounted", author="charlie"
    )
    assert line.points == -12


def test_a_raw_update_of_a_line_is_refused(sheet):
    line = write(sheet)
    for statement in (
        "UPDATE scoring_scoreline SET base = 99 WHERE id = %s",
        "UPDATE scoring_scoreline SET seat = seat WHERE id = %s",
    ):
        with (
            pytest.raises(DatabaseError, match="lines_are_never_changed"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement, [line.pk])
    assert ScoreLine.objects.get(pk=line.pk).base == 7


def test_a_line_cannot_be_deleted_on_postgresql(sheet):
    if connection.vendor != "postgresql":
        pytest.skip("Django's test flush deletes rows on SQLite")
    line = write(sheet)
    with pytest.raises(DatabaseError, match="lines_are_never_changed"), transaction.atomic():
        ScoreLine.objects.filter(pk=line.pk).delete()


def test_a_sheet_with_lines_cannot_be_deleted(sheet):
    write(sheet)
    with pytest.raises(IntegrityError), transaction.atomic():
        sheet.delete()


def test_the_rules_of_a_sheet_are_frozen(sheet):
    with pytest.raises(DatabaseError, match="rules_of_a_sheet_are_frozen"), transaction.atomic():
        ScoreSheet.objects.filter(pk=sheet.pk).update(rules={**sheet.rules, "undercut": 10})
    with pytest.raises(DatabaseError, match="rules_of_a_sheet_are_frozen"), transaction.atomic():
        ScoreSheet.objects.filter(pk=sheet.pk).update(replaces=sheet.pk)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("ended_needs_how_and_time", {"how": "voided"}),
        ("ended_needs_how_and_time", {"ended_at": True}),
        ("ended_needs_how_and_time", {"how": "bored", "ended_at": True}),
        ("ended_needs_how_and_time", {"bonuses_at": True}),
        ("ended_needs_how_and_time", {"ended_by": 1}),
        ("leaving_or_reaching_names_a_seat", {"how": "resigned", "ended_at": True}),
        ("leaving_or_reaching_names_a_seat", {"how": "target", "ended_at": True}),
    ],
)
def test_an_end_is_whole_or_is_not(sheet, name, changes):
    now = {key: timezone.now() if value is True else value for key, value in changes.items()}
    with pytest.raises(DatabaseError, match=name), transaction.atomic():
        ScoreSheet.objects.filter(pk=sheet.pk).update(**now)


def test_a_sheet_is_replaced_once(sheet):
    ScoreSheet.objects.create(rules=sheet.rules, replaces=sheet, original=sheet)
    with pytest.raises(IntegrityError), transaction.atomic():
        ScoreSheet.objects.create(rules=sheet.rules, replaces=sheet, original=sheet)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("one_row_per_seat", {"seat": 1, "user": None}),
        ("one_person_takes_one_seat_of_a_sheet", {"seat": 2}),
        ("seats_are_numbered_from_0", {"seat": 4, "user": None}),
        ("every_seat_has_a_name", {"seat": 2, "user": None, "name": ""}),
        ("a_seat_is_a_person_guest_bot_or_name", {"seat": 2, "user": None, "kind": "ghost"}),
    ],
)
def test_a_seat_that_cannot_be_is_refused(sheet, alice, name, changes):
    row = {"user": alice, "name": "alice", "kind": "person"} | changes
    with refused_by(name), transaction.atomic():
        SheetSeat.objects.create(sheet=sheet, **row)


def test_losing_an_account_leaves_the_name_and_the_lines(sheet, alice):
    write(sheet)
    alice.delete()
    seat = SheetSeat.objects.get(sheet=sheet, seat=0)
    assert (seat.user, seat.name) == (None, "alice")
    assert sheet.lines.get().points == 7
