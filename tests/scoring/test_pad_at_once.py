"""A pad written from several connections at the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from accounts.refusal import Refusal
from games.presets import rule_set
from scoring import ledger, pad
from scoring.ledger import SeatEntry
from scoring.models import PadInvitation, ScoreLine, ScoreSheet, SheetHand
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 4
ROUNDS = 3
POINTS = rule_set({"preset": "points_only"}).as_dict()
ONE_MORE = HandResult(1, "gin", 0, 1)
SEVENTEEN = HandResult(0, "knock", 3, 20)


def at_once(*works: Callable[[], object]) -> list[object]:
    """Do these at one moment, each on a connection of its own; what each got, or its refusal."""
    gate = Barrier(len(works))

    def run(work: Callable[[], object]) -> object:
        try:
            connection.ensure_connection()
            gate.wait(10)
            return work()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


@pytest.fixture
def opened(alice):
    return pad.open_pad(alice.pk, POINTS, ["", "Camille"], me_seat=0)


def test_one_entry_from_many_connections_is_one_hand(opened, alice):
    for number in range(1, ROUNDS + 1):
        entry = uuid4()
        works = [lambda n=number, e=entry: pad.enter(opened, alice.pk, n, SEVENTEEN, e)] * WRITERS
        answers = at_once(*works)
        assert {answer.hand_points for answer in answers} == {(17 * number, 0)}
        assert SheetHand.objects.count() == ScoreLine.objects.count() == number


def test_of_different_entries_for_one_hand_one_is_written(opened, alice):
    for number in range(1, ROUNDS + 1):
        works = [lambda n=number: pad.enter(opened, alice.pk, n, SEVENTEEN, uuid4())] * WRITERS
        answers = at_once(*works)
        assert answers.count("out_of_step") == WRITERS - 1
        assert SheetHand.objects.count() == number


def test_many_corrections_at_once_make_one_edition(opened, alice):
    pad.enter(opened, alice.pk, 1, SEVENTEEN, uuid4())
    sheet_id = opened
    for points in range(1, ROUNDS + 1):
        other = HandResult(1, "knock", 1, 1 + points)
        works = [lambda s=sheet_id, o=other: pad.correct(s, alice.pk, 1, o)] * (WRITERS - 1)
        answers = at_once(*works, lambda s=sheet_id: pad.undo(s, alice.pk))
        assert answers.count("edition_of_an_old_sheet") == WRITERS - 1
        sheet_id = ledger.current_of(opened)
        if not ledger.read_sheet(sheet_id).hands:
            pad.enter(sheet_id, alice.pk, 1, SEVENTEEN, uuid4())
    assert ScoreSheet.objects.count() == 1 + ROUNDS


def test_a_hand_and_a_correction_at_once_lose_nothing(opened, alice):
    """Either the hand is on the new edition, or its writer is told and still has it."""
    pad.enter(opened, alice.pk, 1, SEVENTEEN, uuid4())
    sheet_id = opened
    for _ in range(ROUNDS):
        before = len(ledger.read_sheet(sheet_id).hands)
        fixed = HandResult(0, "knock", 1, 2 + before)
        told, _new = at_once(
            lambda s=sheet_id, n=before + 1: pad.enter(s, alice.pk, n, ONE_MORE, uuid4()),
            lambda s=sheet_id, f=fixed: pad.correct(s, alice.pk, 1, f),
        )
        sheet_id = ledger.current_of(opened)
        lost = told == "edition_of_an_old_sheet"
        assert len(ledger.read_sheet(sheet_id).hands) == before + (0 if lost else 1)
        assert ledger.read_sheet(sheet_id).results[0] == fixed


def test_who_accepts_during_a_correction_sits_in_what_counts(opened, alice, bob):
    for number in range(1, ROUNDS + 1):
        sheet_id = pad.open_pad(alice.pk, POINTS, ["", "Camille"], [None, bob.pk], me_seat=0)
        pad.enter(sheet_id, alice.pk, 1, SEVENTEEN, uuid4())
        asked = PadInvitation.objects.get(sheet_id=sheet_id)
        at_once(
            lambda i=asked.pk: pad.accept(i, bob.pk),
            lambda s=sheet_id: pad.undo(s, alice.pk),
        )
        current = ledger.read_sheet(ledger.current_of(sheet_id))
        assert (current.seats[1].user_id, current.hands) == (bob.pk, ()), number


def test_a_game_brought_in_by_many_clicks_at_once_is_kept_once(alice):
    seats = [SeatEntry("alice", alice.pk), SeatEntry("Camille", None, "name")]
    for number in range(1, ROUNDS + 1):
        once = {"keeper_id": alice.pk, "entry": uuid4()}
        works = [lambda o=once: ledger.write_whole(POINTS, seats, [SEVENTEEN], **o)] * WRITERS
        assert len(set(at_once(*works))) == 1
        assert ScoreSheet.objects.count() == number


def test_an_invitation_answered_twice_at_once_has_one_answer(alice, bob):
    for _ in range(ROUNDS):
        sheet_id = pad.open_pad(alice.pk, POINTS, ["", "Camille"], [None, bob.pk], me_seat=0)
        asked = PadInvitation.objects.get(sheet_id=sheet_id)
        at_once(lambda i=asked.pk: pad.accept(i, bob.pk), lambda i=asked.pk: pad.decline(i, bob.pk))
        accepted = PadInvitation.objects.get(pk=asked.pk).state == "accepted"
        assert (ledger.read_sheet(sheet_id).seats[1].user_id == bob.pk) is accepted


def test_a_rematch_pressed_twice_at_once_is_one_sheet(opened, alice):
    pad.end(opened, alice.pk)
    answers = at_once(*[lambda: pad.rematch(opened, alice.pk)] * WRITERS)
    assert len(Counter(answers)) == 1
    assert ScoreSheet.objects.count() == 2
