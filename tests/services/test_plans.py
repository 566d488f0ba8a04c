"""How PostgreSQL goes about what every click asks: by indexes, however much there is."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone

from accounts import hot, sessions
from accounts.models import User
from accounts.sessions import Pass
from games import facts

pytestmark = pytest.mark.django_db

MANY = 2_000
A_STROKE = facts.Stroke(1, 1, 1, 1, 0, "pass", 1, "k" * 32, "", 0)


@pytest.fixture
def plan_of(db):
    """Tells how a statement will be run that is planned once for all values."""

    def explain(statement: hot.Statement) -> str:
        text, values = statement
        for number in range(1, len(values) + 1):
            text = text.replace("%s", f"${number}", 1)
        with connection.cursor() as asking:
            asking.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            asking.execute(f"PREPARE asked AS {text}")
            given = ", ".join(["%s"] * len(values))
            asking.execute(f"EXPLAIN EXECUTE asked({given})", values)
            plan = "\n".join(line for (line,) in asking.fetchall())
            asking.execute("DEALLOCATE asked")
        return plan

    return explain


@pytest.mark.parametrize(
    "statement", [lambda: sessions.asking([Pass(1, "k" * 32, "", 0)]),
                  lambda: facts.strokes([A_STROKE], hot.now()), lambda: facts.asking([1])],
)  # fmt: skip
def test_what_comes_with_a_statement_is_planned_as_few(plan_of, statement):
    (scan,) = [line for line in plan_of(statement()).splitlines() if "json_to_recordset" in line]
    assert " rows=1 " in scan


def test_a_session_is_found_by_its_key_among_many(plan_of):
    User.objects.bulk_create(
        User(username=f"person {number}", name_key=f"person {number}") for number in range(MANY)
    )
    later = timezone.now() + timedelta(days=1)
    Session.objects.bulk_create(
        Session(session_key=f"{number:032}", session_data="", expire_date=later)
        for number in range(MANY)
    )
    with connection.cursor() as telling:
        telling.execute("ANALYZE accounts_user, django_session")
    plan = plan_of(sessions.asking([Pass(1, "k" * 32, "", 0)]))
    assert "Index Scan using accounts_user_pkey" in plan
    assert "Index Scan using django_session_session_key" in plan
    assert "Seq Scan" not in plan
    assert "Hash" not in plan


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("within", [nullcontext, transaction.atomic])
def test_statements_that_go_together_leave_in_one_piece(within):
    """Nothing has come to PostgreSQL before the last of them is there, not even a BEGIN."""
    params = {**connection.get_connection_params(), "autocommit": True}
    with psycopg.connect(**params) as other, within():
        connection.ensure_connection()
        own = connection.connection
        before = seen_of(own, other)
        with hot._in_one_piece(own):
            asked = [own.execute(text) for text in ("SELECT 7", "SELECT 8")]
            assert seen_of(own, other) == before
        assert [one.fetchall() for one in asked] == [[(7,)], [(8,)]]
        assert seen_of(own, other) != before


def seen_of(own, other):
    """What the server last heard by a connection, and whether it waits within a transaction."""
    told = "SELECT state, query, query_start FROM pg_stat_activity WHERE pid = %s"
    return other.execute(told, [own.info.backend_pid]).fetchone()
