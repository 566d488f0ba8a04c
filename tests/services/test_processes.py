"""The scaled site's processes start, answer and pass a task on."""

from __future__ import annotations

from ginrami.celery import app
from tests.processes import wait_until


def test_a_web_process_answers_and_says_no_secret(web_process):
    web = web_process()
    assert web.get("/healthz/")[0] == 200
    assert web.running()
    web.stop()
    assert not web.running()


def test_a_task_sent_here_runs_in_the_worker(worker_process, transactional_db):
    worker = worker_process()
    task = app.send_task("scoring.tasks.sweep_bonuses")
    worker.wait_for(f"scoring.tasks.sweep_bonuses[{task.id}] succeeded")


def test_beat_sends_the_sweep_and_the_worker_runs_it(worker_process, beat_process):
    worker = worker_process()
    beat_process()
    worker.wait_for("scoring.tasks.sweep_bonuses")
    wait_until(lambda: "succeeded" in worker.log(), 15, "the sweep runs to its end")


def test_a_killed_worker_leaves_no_child_behind(worker_process):
    worker = worker_process()
    worker.kill()
    assert not worker.running()
    task = app.send_task("scoring.tasks.sweep_bonuses")
    worker_process().wait_for(f"[{task.id}] succeeded")
