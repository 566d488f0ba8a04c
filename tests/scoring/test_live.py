"""The bell of a sheet: after commit, never after a refusal, and never in the way."""

from __future__ import annotations

import pytest
from django.db import transaction

from scoring import live


@pytest.fixture
def rung(monkeypatch) -> list[str]:
    heard: list[str] = []
    monkeypatch.setattr("accounts.live.ring", heard.append)
    return heard


@pytest.mark.django_db(transaction=True)
def test_the_bell_waits_for_the_commit(rung):
    with transaction.atomic():
        live.ring(7)
        assert rung == []
    assert rung == ["sheet.7"] == [live.group_of(7)]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_rings_no_bell(rung):
    with transaction.atomic():
        live.ring(7)
        transaction.set_rollback(True)
    assert rung == []


@pytest.mark.django_db(transaction=True)
def test_a_broken_bell_does_not_stop_what_else_waits_for_the_commit(monkeypatch):
    def broken(group: str) -> None:
        raise ConnectionError

    monkeypatch.setattr("accounts.live.ring", broken)
    done: list[str] = []
    with transaction.atomic():
        live.ring(7)
        transaction.on_commit(lambda: done.append("the task is sent"))
    assert done == ["the task is sent"]
