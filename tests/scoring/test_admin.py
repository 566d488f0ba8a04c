"""The admin shows sheets and changes none."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils.html import escape

from games.presets import in_words, rule_set
from scoring import ledger, pad
from scoring.ledger import SeatEntry
from scoring.models import Tally
from scoring.rules import HandResult

LIST = "admin:scoring_scoresheet_changelist"
ONE = "admin:scoring_scoresheet_change"


@pytest.fixture
def sheet(alice, bob) -> int:
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    sheet = ledger.open_sheet(rule_set({}).as_dict(), seats)
    ledger.record_hand(sheet, 1, HandResult(0, "gin", 0, 33))
    return sheet


def test_the_list_and_the_sheet_can_be_read(admin_client, sheet):
    page = admin_client.get(reverse(LIST)).content.decode()
    assert "alice – bob" in page
    page = admin_client.get(reverse(ONE, args=[sheet])).content.decode()
    assert "58" in page
    assert 'name="_save"' not in page
    for column in ("who", "won_by"):  # a seat is told by who sits there
        (cell,) = re.findall(rf'<td class="field-{column}">\s*<p>(.*?)</p>', page)
        assert cell == "alice"


def test_nothing_can_be_added_changed_or_deleted(admin_client, sheet):
    assert admin_client.get(reverse("admin:scoring_scoresheet_add")).status_code == 403
    delete = reverse("admin:scoring_scoresheet_delete", args=[sheet])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403
    assert admin_client.post(reverse(ONE, args=[sheet]), {"how": "voided"}).status_code == 403
    assert ledger.read_sheet(sheet).ended is None


def test_the_list_asks_the_same_whatever_its_length(
    admin_client, sheet, django_assert_max_num_queries
):
    for _ in range(12):
        ledger.open_sheet(rule_set({}).as_dict(), [SeatEntry("alice"), SeatEntry("bob")])
    with django_assert_max_num_queries(10):
        assert admin_client.get(reverse(LIST)).status_code == 200
    for hand in range(2, 5):
        ledger.record_hand(sheet, hand, HandResult(1, "undercut", 3, 1))
    with django_assert_max_num_queries(10):
        assert admin_client.get(reverse(ONE, args=[sheet])).status_code == 200


def test_sheets_are_found_by_a_players_name(admin_client, sheet):
    ledger.open_sheet(rule_set({}).as_dict(), [SeatEntry("dora"), SeatEntry("emil")])
    page = admin_client.get(reverse(LIST), {"q": "dora"}).content.decode()
    assert "dora – emil" in page
    assert "alice – bob" not in page


# --- correcting


def helper_of(*rights):
    helper = get_user_model().objects.create_user("aide", password="x", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return helper


def finished(sheet):
    for number in (2, 3):
        ledger.record_hand(sheet, number, HandResult(0, "gin", 0, 10))
    ledger.write_bonuses(sheet)
    assert ledger.read_sheet(sheet).ended.how == "target"


def correct_line(client, sheet, **changes):
    data = {"seat": "1", "points": "-7", "reason": "Compté deux fois"} | changes
    return client.post(reverse("admin:scoring_scoresheet_line", args=[sheet]), data)


def correct_hand(client, sheet, number, **changes):
    data = {"kind": "gin", "winner": "1", "knocker_deadwood": "0", "defender_deadwood": "20",
            "reason": "Le gagnant était bob"} | changes  # fmt: skip
    return client.post(reverse("admin:scoring_scoresheet_hand", args=[sheet, number]), data)


def test_a_correction_is_a_line_with_its_reason_and_author(admin_client, sheet):
    before = ledger.read_sheet(sheet)
    assert correct_line(admin_client, sheet).status_code == 302
    now = ledger.read_sheet(sheet)
    assert now.lines[:-1] == before.lines
    line = now.lines[-1]
    assert (line.kind, line.seat, line.points) == ("correction", 1, -7)
    assert (line.reason, line.author) == ("Compté deux fois", "admin")
    assert "Compté deux fois" in LogEntry.objects.get().change_message


@pytest.mark.parametrize("wrong", [
    {"points": "0"}, {"points": "1e3"}, {"points": "9" * 30}, {"seat": "2"}, {"seat": ""},
    {"reason": "  "},
])  # fmt: skip
def test_a_correction_of_nothing_or_nobody_is_refused(admin_client, sheet, wrong):
    assert correct_line(admin_client, sheet, **wrong).status_code == 200
    assert len(ledger.read_sheet(sheet).lines) == 1
    assert not LogEntry.objects.exists()


def test_a_hand_corrected_makes_an_edition_and_the_old_sheet_stays(admin_client, sheet):
    finished(sheet)
    before = ledger.read_sheet(sheet)
    assert correct_hand(admin_client, sheet, 2).status_code == 302
    now = ledger.read_latest([sheet])[sheet]
    assert now.replaces_id == sheet
    assert now.results[1] == HandResult(1, "gin", 0, 20)
    assert now.results[2:] == before.results[2:]
    assert ledger.read_sheet(sheet).lines == before.lines
    assert {entry.object_id for entry in LogEntry.objects.all()} == {str(sheet), str(now.id)}
    page = admin_client.get(reverse(ONE, args=[sheet])).content.decode()
    assert reverse("admin:scoring_scoresheet_hand", args=[sheet, 1]) in page


def test_a_hand_never_played_is_taken_out(admin_client, sheet):
    finished(sheet)
    correct_hand(admin_client, sheet, 2, kind="taken_out", winner="")
    assert len(ledger.read_latest([sheet])[sheet].hands) == 2


@pytest.mark.parametrize("wrong", [
    {"kind": "undercut", "knocker_deadwood": "1", "defender_deadwood": "20"},
    {"kind": "gin", "winner": ""}, {"kind": "line"}, {"winner": "7"}, {"reason": ""},
    {"defender_deadwood": "-3"}, {"defender_deadwood": "999"},
])  # fmt: skip
def test_a_hand_that_cannot_be_is_refused_with_a_sentence(admin_client, sheet, wrong):
    finished(sheet)
    answer = correct_hand(admin_client, sheet, 2, **wrong)
    assert answer.status_code == 200
    html = answer.content.decode()
    assert "errorlist" in html or "errornote" in html
    assert ledger.current_of(sheet) == sheet


def test_a_sheet_still_played_or_replaced_is_not_corrected(admin_client, sheet):
    assert correct_hand(admin_client, sheet, 1).status_code == 200
    assert ledger.current_of(sheet) == sheet
    finished(sheet)
    correct_hand(admin_client, sheet, 2)
    latest = ledger.current_of(sheet)
    assert correct_hand(admin_client, sheet, 3).status_code == 200
    assert correct_line(admin_client, sheet).status_code == 200
    assert ledger.current_of(sheet) == latest
    assert correct_hand(admin_client, sheet, 12).status_code == 404


@pytest.mark.parametrize("rights", [(), ("view_scoresheet",)])
def test_staff_without_the_right_correct_nothing(client, sheet, rights):
    finished(sheet)
    client.force_login(helper_of(*rights))
    assert correct_line(client, sheet).status_code == 403
    assert correct_hand(client, sheet, 2).status_code == 403
    assert ledger.current_of(sheet) == sheet
    if rights:
        page = client.get(reverse(ONE, args=[sheet])).content.decode()
        assert reverse("admin:scoring_scoresheet_line", args=[sheet]) not in page


def test_sheets_are_found_by_number_and_by_person(admin_client, sheet, alice):
    other = ledger.open_sheet(rule_set({}).as_dict(), [SeatEntry("dora"), SeatEntry("emil")])
    for asked, found in (
        ({"q": str(other)}, [other]), ({"q": "ALICE"}, [sheet]), ({"player": alice.pk}, [sheet]),
        ({"q": "9" * 40}, []), ({"bonuses": "late"}, []),
    ):  # fmt: skip
        rows = admin_client.get(reverse(LIST), asked).context["cl"].queryset
        assert [row.pk for row in rows] == found, asked


# --- rules in words, and a game with real cards declared void


def test_the_rules_of_a_sheet_are_read_as_sentences(admin_client, sheet):
    page = admin_client.get(reverse(ONE, args=[sheet])).content.decode()
    assert escape(in_words(rule_set({}))[0]) in page
    assert "knock_limit" not in page


@pytest.fixture
def paper(alice):
    """A game with real cards that alice has won."""
    rules = rule_set({"preset": "complete"}).as_dict()
    sheet_id = pad.open_pad(alice.pk, rules, ["", "Mamie"], me_seat=0)
    pad.enter(sheet_id, alice.pk, 1, HandResult(0, "gin", 0, 98), uuid4())
    return sheet_id


def void_page(sheet):
    return reverse("admin:scoring_scoresheet_void", args=[sheet])


def test_a_game_with_real_cards_is_declared_void(admin_client, paper, alice):
    assert void_page(paper) in admin_client.get(reverse(ONE, args=[paper])).content.decode()
    assert admin_client.post(void_page(paper), {"reason": ""}).status_code == 200
    assert admin_client.post(void_page(paper), {"reason": "Jamais jouée"}).status_code == 302
    new = ledger.current_of(paper)
    assert ledger.read_sheet(new).ended.how == "voided"
    assert set(Tally.objects.values_list("result", flat=True)) == {"none"}
    assert ledger.read_sheet(paper).ended.how == "target"
    assert all("Jamais jouée" in one.change_message for one in LogEntry.objects.all())
    again = admin_client.post(void_page(new), {"reason": "Encore"})
    assert "errornote" in again.content.decode()


def test_a_game_played_here_is_voided_at_its_game_alone(admin_client, client, sheet, paper):
    finished(sheet)
    assert void_page(sheet) not in admin_client.get(reverse(ONE, args=[sheet])).content.decode()
    assert admin_client.post(void_page(sheet), {"reason": "x"}).status_code == 404
    client.force_login(helper_of("view_scoresheet"))
    assert client.post(void_page(paper), {"reason": "x"}).status_code == 403
