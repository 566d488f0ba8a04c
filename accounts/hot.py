"""The statements that every click runs: PostgreSQL plans each once a connection, not at each click.

Planning the dozen joins of a table takes many times as long as following them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import Error, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor

Statement = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]


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


def rows(*statements: Statement) -> list[Rows]:
    """What each of these gives, one after the other, in one way there and back on PostgreSQL.

    Each is read behind whatever was stored before it began: a lock among them holds for those that
    follow.
    """
    if connection.vendor == "postgresql":
        return [asking.fetchall() for asking in _together(statements)]
    return [_one(*statement) for statement in statements]


def store(lock: Statement, write: Statement, *behind: Statement) -> list[Rows] | None:
    """Write one row in a transaction of its own; what is read behind it, or None: it wrote nothing.

    One way there and back on PostgreSQL, the wait for the disk among it: what is read is read after
    the row is stored. ``lock`` holds for ``write``, of which it must not matter what it locked. To
    be called outside of transactions alone.
    """
    if connection.vendor != "postgresql":  # its transactions are alone from their beginning on
        with transaction.atomic(), cursor() as writing:
            writing.execute(*write)
            stored = writing.rowcount
        return rows(*behind) if stored else None
    try:
        done = _together([("BEGIN", ()), lock, write, ("COMMIT", ()), *behind])
    except Error:
        if connection.connection is not None:  # there may have been none to be had
            with connection.wrap_database_errors:
                connection.connection.rollback()
        raise
    return [asking.fetchall() for asking in done[4:]] if done[2].rowcount else None


def _one(text: str, parameters: Sequence[Any]) -> Rows:
    with cursor() as asking:
        asking.execute(text, parameters)
        return asking.fetchall()


def _together(statements: Sequence[Statement]) -> list[Any]:
    """Send all of these to PostgreSQL before waiting for any; their cursors.

    Those of Django, which cost as much as the statements, only where somebody listens to them.
    """
    heard = connection.queries_logged or connection.execute_wrappers
    with cursor():  # sees to the connection
        own = connection.connection
        with connection.wrap_database_errors, own.pipeline():
            cursors = [cursor() if heard else _Planned(own) for _ in statements]
            for asking, (text, parameters) in zip(cursors, statements, strict=True):
                asking.execute(text, parameters)
    return cursors
