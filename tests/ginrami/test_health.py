"""Whether the site is well: what is asked and said, and that nothing can hold the answer up."""

from __future__ import annotations

import threading
import time

import pytest

from accounts import tasks
from accounts.sessions import SessionStore
from ginrami import health, signs, stopping

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch):
    """What another test was told must not count here."""
    fresh = {name: health.Inquiry(one.ask) for name, one in health.PARTS.items()}
    monkeypatch.setattr(health, "PARTS", fresh)
    monkeypatch.setattr(health, "_SIGNS", health.Inquiry(signs.ages))
    monkeypatch.setattr(signs, "_given", {})
    monkeypatch.setattr(signs, "EXPECTED", ("worker", "beat"))


def broken(part, monkeypatch, ask=lambda: 1 / 0):
    monkeypatch.setitem(health.PARTS, part, health.Inquiry(ask))


def told(client, query=""):
    response = client.get(f"/healthz/ready/{query}")
    assert "no-store" in response.headers["Cache-Control"]
    return response.status_code, response.json()


def test_a_process_that_serves_says_so_and_asks_nobody(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz/live/")
    assert (response.status_code, response.content) == (200, b"ok")


@pytest.mark.parametrize(("gone", "status"), [(False, 200), (True, 503)])
def test_the_health_check_asks_the_database(client, monkeypatch, gone, status):
    if gone:
        broken("database", monkeypatch)
    assert client.get("/healthz/").status_code == status


def test_a_whole_site_is_ready_with_every_part(client):
    for name in ("worker", "beat"):
        signs.give(name)
    status, report = told(client, "?all")
    assert (status, report["status"]) == (200, "ok")
    assert set(report["parts"]) == {"database", "cache", "channel layer", "worker", "beat"}
    assert report["parts"]["beat"]["seconds"] < 5


def test_without_the_cache_play_goes_on_and_only_a_monitor_is_told_no(client, monkeypatch):
    broken("cache", monkeypatch)
    for query, expected in (("", 200), ("?all", 503)):
        status, report = told(client, query)
        assert (status, report["status"]) == (expected, "degraded")
        assert report["parts"]["cache"] == {"state": "down"}


def test_without_its_database_a_process_is_not_ready(client, monkeypatch):
    broken("database", monkeypatch)
    status, report = told(client)
    assert (status, report["status"]) == (503, "down")


def test_a_process_that_was_told_to_stop_is_not_ready_and_still_lives(client, monkeypatch):
    monkeypatch.setattr(stopping, "_began", [time.monotonic()])
    assert told(client)[0] == 503
    assert client.get("/healthz/live/").status_code == 200


def test_a_worker_that_fell_silent_is_late(client, monkeypatch):
    monkeypatch.setattr(signs, "ages", lambda: {"worker": 31.0, "beat": None})
    monkeypatch.setattr(health, "_SIGNS", health.Inquiry(signs.ages))
    parts = told(client)[1]["parts"]
    assert parts["worker"] == {"state": "late", "seconds": 31.0}
    assert parts["beat"] == {"state": "unknown", "seconds": None}


def test_what_never_answers_holds_up_one_thread_and_nobody_for_long(client, monkeypatch):
    monkeypatch.setattr(health, "WITHIN", 0.05)
    asked, answer = [], threading.Event()

    def hang():
        asked.append(1)
        answer.wait(20)

    broken("database", monkeypatch, hang)
    try:
        assert [client.get("/healthz/").status_code for _ in range(3)] == [503, 503, 503]
        assert len(asked) == 1
    finally:
        answer.set()


def test_an_error_is_told_by_no_word_of_its_own(client, monkeypatch):
    def fail():
        raise RuntimeError("postgresql://rami:pass-word@db/rami")

    broken("database", monkeypatch, fail)
    for address in ("/healthz/", "/healthz/ready/"):
        assert "rami" not in client.get(address).content.decode()


def test_sessions_that_are_over_are_forgotten_and_no_others():
    kept, over = SessionStore(), SessionStore()
    kept.create()
    over.set_expiry(-1)
    over.create()
    tasks.forget_sessions()
    assert [SessionStore().exists(one.session_key) for one in (kept, over)] == [True, False]


def test_the_icon_is_where_old_browsers_ask_for_it(client):
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert response.headers["Location"].endswith("/favicon.ico")
