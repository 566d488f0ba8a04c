"""Archives of sheets by real workers: one at a time, and whole although a builder was killed."""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import tasks
from games.history import exports
from scoring import archive
from scoring.models import Export
from tests.processes import wait_until
from tests.scoring.finished import finished

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def state_of(user) -> str:
    progress = archive.progress_of(user.pk)
    return progress.state if progress else ""


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] > 0


def test_many_who_ask_at_once_have_one_archive_built(alice, bob):
    finished([alice, bob])
    start = Barrier(AT_ONCE)

    def ask(_number: int) -> int:
        try:
            start.wait()
            return archive.begin(alice.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = set(pool.map(ask, range(AT_ONCE)))
    assert len(asked) == Export.objects.count() == 1


def test_a_worker_killed_in_the_middle_leaves_the_rest_to_another(
    worker_process, beat_process, alice, bob, monkeypatch
):
    monkeypatch.setattr(archive, "A_PART", 1)
    sheets = [finished([alice, bob]) for _number in range(3)]
    export_id = archive.begin(alice.pk)
    archive.build(export_id, exports.written, exports.HEADING, seconds=0)  # the first is packed
    doomed = worker_process()
    with transaction.atomic():
        Export.objects.select_for_update().get(pk=export_id)
        tasks.build_export.delay(export_id)
        wait_until(waits_for_a_lock, 20, "the worker comes to write its part")
        doomed.kill()
    assert archive.progress_of(alice.pk).done == 1
    Export.objects.update(moved_at=timezone.now() - timedelta(minutes=2))
    worker_process()
    beat_process()
    wait_until(lambda: state_of(alice) == "ready", 60, "another worker finishes the archive")
    with zipfile.ZipFile(io.BytesIO(archive.archive_of(export_id, alice.pk) or b"")) as packed:
        names = packed.namelist()
    assert sorted(name for name in names if name.startswith("json/")) == sorted(
        f"json/2026-05-01-{sheet}.json" for sheet in sheets
    )
    assert names.count("index.csv") == 1
