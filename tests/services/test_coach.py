"""The coach by real workers: a hand is weighed to its end although a worker was killed."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from games import coach, table, tasks
from games.coach import building
from games.models import Analysis, Game
from tests.games.players import deal_alike, play_hand
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
FEW = 10  # playouts


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] > 0


def test_a_worker_killed_in_the_middle_leaves_the_rest_to_another(
    worker_process, beat_process, waiting, alice, bob, monkeypatch
):
    deal_alike(monkeypatch)
    table.sit_down(waiting, bob.pk)
    play_hand(waiting, [alice.pk, bob.pk])
    analysis_id = coach.ask(alice.pk, Game.objects.get(table_id=waiting).sheet_id, 1)
    Analysis.objects.update(playouts=FEW)
    coach.build(analysis_id, seconds=0)  # the first is weighed
    doomed = worker_process()
    with transaction.atomic():
        Analysis.objects.select_for_update().get(pk=analysis_id)
        tasks.set_the_coach_to_work(analysis_id)
        wait_until(waits_for_a_lock, 20, "the worker comes to keep a decision")
        doomed.kill()
    analysis = Analysis.objects.get()
    assert (analysis.state, analysis.done) == ("building", 1)
    Analysis.objects.update(moved_at=analysis.moved_at - building.SILENT)
    worker_process()
    beat_process()
    wait_until(lambda: Analysis.objects.get().state == "ready", 60, "another worker goes on")
    analysis = Analysis.objects.get()
    assert analysis.weighings.count() == analysis.done == analysis.total
