"""A task that fails is logged with its sheet and swept up later."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.presets import rule_set
from scoring import ledger, tasks
from scoring.ledger import SeatEntry
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db


def won() -> int:
    seats = [SeatEntry("alice"), SeatEntry("bob")]
    sheet = ledger.open_sheet(rule_set({"preset": "money_play"}).as_dict(), seats)
    ledger.record_hand(sheet, 1, HandResult(0, "gin", 0, 80))
    return sheet


@pytest.fixture
def failing(monkeypatch):
    """Make the bonuses of one sheet fail once."""
    real, left = ledger.write_bonuses, []

    def write_bonuses(sheet_id: int) -> bool:
        if sheet_id in left:
            left.remove(sheet_id)
            raise ConnectionError("the database went away")
        return real(sheet_id)

    monkeypatch.setattr(ledger, "write_bonuses", write_bonuses)
    return left


def test_the_task_writes_the_bonuses():
    sheet = won()
    tasks.write_bonuses.apply((sheet,))
    assert ledger.totals(sheet) == (330, 0)
    tasks.write_bonuses.apply((sheet,))
    assert ledger.totals(sheet) == (330, 0)


def test_a_task_that_fails_is_logged_with_its_sheet_and_swept(failing, caplog):
    sheet = won()
    failing.append(sheet)
    tasks.write_bonuses.apply((sheet,))
    assert f"sheet {sheet} " in caplog.text
    assert "the database went away" in caplog.text
    assert ledger.totals(sheet) == (105, 0)
    tasks.sweep_bonuses.apply()
    assert ledger.totals(sheet) == (330, 0)


def test_one_failing_sheet_does_not_stop_the_sweep(failing):
    first, second = won(), won()
    failing.append(first)
    tasks.sweep_bonuses.apply()
    assert ledger.sheets_without_bonuses() == [first]
    assert ledger.totals(second) == (330, 0)
    tasks.sweep_bonuses.apply()
    assert ledger.sheets_without_bonuses() == []


def test_the_sweep_leaves_games_going_on_alone():
    seats = [SeatEntry("alice"), SeatEntry("bob")]
    sheet = ledger.open_sheet(rule_set({}).as_dict(), seats)
    ledger.record_hand(sheet, 1, HandResult(0, "gin", 0, 20))
    tasks.sweep_bonuses.apply()
    assert ledger.totals(sheet) == (45, 0)


def test_a_worker_that_was_away_finds_no_heap_of_old_sweeps():
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["options"]["expires"] <= entry["schedule"]
