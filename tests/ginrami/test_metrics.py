"""The figures for Prometheus: who reads them, what they count, and that they outlive a process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from games import dashboard, table
from ginrami import metrics

pytestmark = pytest.mark.django_db
TOKEN = "seen-by-the-watchman-1"


def figures(client, settings):
    settings.METRICS_TOKEN = TOKEN
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    families = text_string_to_metric_families(response.content.decode())
    return {
        (one.name, *sorted(one.labels.items())): one.value for kind in families
        for one in kind.samples
    }


def test_nobody_reads_the_figures_of_a_site_that_has_no_token(client):
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer ", f"Bearer {TOKEN}x", TOKEN, "Bearer é"])
def test_nobody_reads_them_without_the_token(client, settings, alice, given):
    settings.METRICS_TOKEN = TOKEN
    client.force_login(alice)
    response = client.get("/metrics", headers={"Authorization": given})
    assert response.status_code == 401
    assert b"ginrami_" not in response.content


def test_moves_and_pages_are_counted_and_the_parts_are_there(
    client, settings, table_id, alice, bob, django_capture_on_commit_callbacks
):
    before = figures(client, settings)
    mover = next(one for one in (alice, bob) if table.look(table_id, one.pk)["hand"]["legal"])
    with django_capture_on_commit_callbacks(execute=True):
        table.make_move(table_id, mover.pk, "pass", (1, 0))
    after = figures(client, settings)
    moves, pages = ("ginrami_moves_total",), ("ginrami_page_seconds_count", ("status", "2xx"))
    assert after[moves] == before[moves] + 1
    assert after[pages] == before.get(pages, 0) + 1
    assert after["ginrami_up", ("part", "database")] == 1
    assert dashboard.figures()["tables_playing"] == 1


def test_the_counts_of_processes_that_ended_stay_and_their_files_do_not(tmp_path):
    code = "from prometheus_client import Counter, Gauge; Counter('moves', '').inc(2); "
    code += "Gauge('open', '', multiprocess_mode='livesum').inc()"
    env = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for total in (b"moves_total 2.0", b"moves_total 4.0"):
        subprocess.run([sys.executable, "-c", code], env=env, check=True)
        metrics.fold_away(tmp_path)
        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(tmp_path))
        text = generate_latest(registry)
        assert total in text
        assert b"open" not in text  # what it had open is gone with it
    assert [file.name for file in tmp_path.glob("*.db")] == ["counter_0.db"]
