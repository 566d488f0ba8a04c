"""The computer on PostgreSQL with real workers: one move a place, and none is lost for good."""

from __future__ import annotations

from functools import partial
from threading import Barrier

import pytest
from django.db import transaction
from django.test import override_settings

from games import coach, dealing, rooms, table, tasks
from games.models import Analysis, Game, Move
from games.table import bots as verbs
from games.table.summons import summon
from tests import processes
from tests.games.players import deal_alike, play_hand
from tests.processes import wait_until
from tests.services.test_table_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


@pytest.fixture
def against(waiting, alice, monkeypatch):
    """Alice deals: the computer is to act, and nobody has sent for it."""
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 0)
    table.seat_bot(waiting, alice.pk, "regular")
    return waiting


def test_many_thoughts_for_one_place_make_one_move(against, monkeypatch):
    thought, gate = verbs.choose, Barrier(MANY)

    def together(*known):
        gate.wait(10)
        return thought(*known)

    monkeypatch.setattr(verbs, "choose", together)
    made = at_once([partial(table.think, against)] * MANY)
    assert sorted(made) == [False] * (MANY - 1) + [True]
    assert Move.objects.count() == 1


def worker_of_tables(env, folder, name):
    return processes.worker(env, folder, name, queues="celery")


def test_a_move_never_waits_behind_the_coach(start, waiting, alice, bob, monkeypatch):
    deal_alike(monkeypatch)
    table.sit_down(waiting, bob.pk)
    play_hand(waiting, [alice.pk, bob.pk])
    against = rooms.practise(alice.pk, "regular", "Entraînement")
    analysis_id = coach.ask(bob.pk, Game.objects.get(table_id=waiting).sheet_id, 1)
    tasks.set_the_coach_to_work(analysis_id)
    start(worker_of_tables)
    with override_settings(THINKS=True, BOT_PACE_SECONDS=0), transaction.atomic():
        summon(against)
    moves = Move.objects.filter(hand__game__table=against)
    wait_until(moves.exists, 30, "the computer moves")
    assert not Analysis.objects.get().done


def test_a_worker_that_dies_with_a_move_in_hand_leaves_it_to_the_sweep(
    against, worker_process, beat_process
):
    dying = worker_process()
    with override_settings(THINKS=True, BOT_PACE_SECONDS=30), transaction.atomic():
        summon(against)
    dying.wait_for("games.tasks.think")  # received, and held until it is due
    dying.kill()
    worker_process(BOT_LATE_SECONDS="0", BOT_PACE_SECONDS="0")
    beat_process()
    wait_until(lambda: Move.objects.exists(), 60, "the sweep moves")
