"""Each line once under real concurrency: many writers at one sheet, on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.models import ScoreLine
from scoring.rules import BadSheet, HandResult

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 8


def start() -> int:
    seats = [SeatEntry("alice"), SeatEntry("bob")]
    return ledger.open_sheet(rule_set({"preset": "complete"}).as_dict(), seats)


def won() -> int:
    sheet = start()
    ledger.record_hand(sheet, 1, HandResult(1, "undercut", 4, 2))
    ledger.record_hand(sheet, 2, HandResult(0, "gin", 0, 90))
    return sheet


def at_once(work: Callable[[int], object]) -> list[object]:
    """Do the same from eight threads, each with its own connection; what each one got."""
    gate = Barrier(WRITERS)

    def run(number: int) -> object:
        try:
            connection.ensure_connection()
            gate.wait(10)
            return work(number)
        except (BadSheet, IntegrityError) as error:
            return type(error)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))


def test_eight_writers_write_the_bonuses_once():
    for _ in range(5):
        sheet = won()
        answers = at_once(lambda _number, sheet=sheet: ledger.write_bonuses(sheet))
        assert Counter(answers) == {True: 1, False: WRITERS - 1}
        lines = ScoreLine.objects.filter(sheet_id=sheet, hand=None)
        assert Counter(lines.values_list("kind", "seat")) == {
            ("line", 0): 1,
            ("line", 1): 1,
            ("game", 0): 1,
        }


def test_a_writer_that_dies_holding_the_lock_leaves_the_bonuses_to_the_next():
    sheet = won()

    def work(number: int) -> object:
        if number:
            return ledger.write_bonuses(sheet)
        with transaction.atomic():
            ledger.write_bonuses(sheet)
            transaction.set_rollback(True)
        return None

    answers = at_once(work)
    assert answers[0] is None
    assert answers.count(True) == 1
    assert ScoreLine.objects.filter(sheet_id=sheet, hand=None).count() == 3


def test_a_hand_recorded_eight_times_at_once_is_one_line():
    for _ in range(5):
        sheet = start()
        result = HandResult(0, "knock", 3, 20)
        answers = at_once(lambda _n, s=sheet, r=result: ledger.record_hand(s, 1, r).hand_points)
        assert Counter(answers) == {(17, 0): 1, BadSheet: WRITERS - 1}
        assert ledger.totals(sheet) == (17, 0)


def test_a_sheet_ends_once_whoever_comes_first():
    for _ in range(5):
        sheet = start()

        def work(number: int, sheet: int = sheet) -> object:
            if number % 2:
                return ledger.end_sheet(sheet, "resigned", by=1)
            return ledger.record_hand(sheet, 1, HandResult(1, "gin", 0, 98)).winner

        answers = at_once(work)
        assert answers.count(BadSheet) == WRITERS - 1
        read = ledger.read_sheet(sheet)
        assert read.ended is not None
        assert (read.ended.how == "resigned") is (read.lines == ())
