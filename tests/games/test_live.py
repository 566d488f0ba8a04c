"""The sockets' way to the database, while it is away."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError
from psycopg_pool import PoolTimeout

from games import live


def nothing_to_be_had():
    raise OperationalError from PoolTimeout


def test_while_the_database_is_away_one_waits_for_it_and_the_others_are_told_at_once():
    back, looking = threading.Event(), threading.Event()

    def look() -> str:
        looking.set()
        assert back.wait(30)
        return "found"

    with pytest.raises(OperationalError):
        live._mending(nothing_to_be_had)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(live._mending, look)
        assert looking.wait(30)
        with pytest.raises(OperationalError, match="already"):
            live._mending(lambda: "never called")
        back.set()
        assert first.result(30) == "found"
    assert live._mending(lambda: "as ever") == "as ever"
    assert not live._away.is_set()


def test_a_statement_that_fails_says_nothing_of_the_database():
    def fail():
        raise OperationalError("deadlock detected")

    with pytest.raises(OperationalError):
        live._mending(fail)
    assert not live._away.is_set()
