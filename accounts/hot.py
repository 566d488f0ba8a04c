"""The statements that every click runs: PostgreSQL plans each once a connection, not at each click.

Planning the dozen joins of a table takes many times as long as following them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor

Statement = tuple[str, Sequence[Any]]


class _Planned(Cursor[Any]):
    """Its statements are kept prepared by their connection; parameters travel apart from them."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
        return super().execute(query, params, **{"prepare": True, **how})


def cursor() -> CursorWrapper:
    """A cursor for statements that are run again and again. To be closed, as any other.

    The types of its parameters must be clear from where they stand.
    """
    planned = connection.cursor()
    if connection.vendor == "postgresql":
        planned.cursor = _Planned(connection.connection)
    return planned


def rows(*statements: Statement) -> list[list[tuple[Any, ...]]]:
    """What each of these gives, one after the other, in one way there and back on PostgreSQL.

    Each is read behind whatever was stored before it began: a lock among them holds for those that
    follow.
    """
    cursors = [cursor() for _ in statements]
    try:
        if connection.vendor != "postgresql":
            for asking, (text, parameters) in zip(cursors, statements, strict=True):
                asking.execute(text, parameters)
        else:
            with connection.wrap_database_errors, connection.connection.pipeline():
                for asking, (text, parameters) in zip(cursors, statements, strict=True):
                    asking.execute(text, parameters)
        return [asking.fetchall() for asking in cursors]
    finally:
        for asking in cursors:
            asking.close()
