"""Statements that go together: what is stored of them, and what is said where one fails."""

from __future__ import annotations

import pytest
from django.db import DataError, connection

from accounts import hot
from accounts.models import User

pytestmark = pytest.mark.django_db(transaction=True)

SPARE = "UPDATE accounts_user SET username = %s WHERE id = %s"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite reads anything")
def test_a_true_error_is_not_taken_for_a_condition_that_does_not_hold(alice):
    """Behind the commit it is too late for that: whoever heard None would do it again."""
    renamed = SPARE, ["alicia", alice.pk]
    with pytest.raises(DataError):
        hot.store_if(renamed, [], [], ("SELECT CAST('much' AS integer)", ()))
    assert User.objects.get().username == "alicia"


def test_where_a_condition_does_not_hold_nothing_is_written(alice):
    renamed, condition = (SPARE, ["alicia", alice.pk]), "SELECT 1 / COUNT(*) FROM accounts_user"
    assert hot.store_if(renamed, [(f"{condition} WHERE id < 0", ())], []) is None
    assert User.objects.get().username == "alice"
    assert hot.store_if(renamed, [(condition, ())], [], ("SELECT 7", ())) == [[(7,)]]
    assert User.objects.get().username == "alicia"
