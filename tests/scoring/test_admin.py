"""The admin shows sheets and changes none."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
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
