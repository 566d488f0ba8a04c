"""The statements that every click runs: PostgreSQL plans each once a connection, not at each click.

Planning the dozen joins of a table takes many times as long as following them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any

from django.db import DataError, Error, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model
from django.utils import timezone
from psycopg import Cursor
from psycopg.errors import DivisionByZero

# PostgreSQL plans for a hundred rows of whatever comes as JSON, and would sooner read whole tables
# than follow their indexes a hundred times: 3 ms a move at a thousand tables. Of a condition it
# cannot see through it supposes that one row in a hundred meets it.
_FEW = """(
SELECT * FROM json_to_recordset(%s::json) AS few({named}) WHERE {one}::text || '' = {one}::text
) AS a"""

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

    Nothing, for one that only writes. Each is read behind whatever was stored before it began: a
    lock among them holds for those that follow.
    """
    if connection.vendor == "postgresql":
        return [asking.fetchall() if asking.description else [] for asking in _together(statements)]
    return [_one(*statement) for statement in statements]


def run(*statements: Statement) -> None:
    """Run these one after the other, in one way there and back on PostgreSQL."""
    if not statements:
        return
    if connection.vendor == "postgresql":
        _together(statements)
    else:
        for statement in statements:
            with cursor() as running:
                running.execute(*statement)


def inserting(row: Model) -> Statement:
    """The statement that stores a row that is new, to be sent together with others.

    Its number is the database's to give, and is not asked for.
    """
    text, fields = _insert(type(row), connection.vendor)
    return text, [one.get_db_prep_save(getattr(row, one.attname), connection) for one in fields]


@functools.cache
def _insert(kind: type[Model], _vendor: str) -> tuple[str, Sequence[Any]]:
    about = kind._meta
    fields = [one for one in about.concrete_fields if not (one.primary_key or one.generated)]
    quote = connection.ops.quote_name
    names = ", ".join(quote(one.column or "") for one in fields)
    values = ", ".join("%s" for _ in fields)
    return f"INSERT INTO {quote(about.db_table)} ({names}) VALUES ({values})", fields  # noqa: S608


def joined() -> AbstractContextManager[Any]:
    """The transaction of the caller, or one of its own where there is none.

    Without a savepoint, which is two ways there and back: what raises within it must end the whole.
    """
    return nullcontext() if connection.in_atomic_block else transaction.atomic()


def store(write: Statement, *behind: Statement) -> list[Rows]:
    """Write in a transaction of its own; what it returns, and what is read behind it.

    One way there and back on PostgreSQL, the wait for the disk among it: what is read is read after
    the rows are stored. To be called outside of transactions alone.
    """
    if connection.vendor != "postgresql":
        with transaction.atomic():
            stored = _one(*write)
        return [stored, *rows(*behind)]
    _began, stored, _ended, *read = _whole(("BEGIN", ()), write, ("COMMIT", ()), *behind)
    return [asking.fetchall() for asking in (stored, *read)]


def store_if(
    write: Statement, conditions: Sequence[Statement], writes: Sequence[Statement],
    *behind: Statement,
) -> list[Rows] | None:  # fmt: skip
    """Write all of these in a transaction of their own; what is read behind it. None: nothing was
    written, since one of the conditions does not hold once the first is.

    A condition divides by what it counts: by nought there is no number on SQLite, and PostgreSQL
    ends the transaction. One way there and back there, as above.
    """
    if connection.vendor != "postgresql":
        with transaction.atomic():
            _one(*write)
            if any(_one(*condition) == [(None,)] for condition in conditions):
                transaction.set_rollback(True)
                return None
            run(*writes)
        return rows(*behind)
    whole = [("BEGIN", ()), write, *conditions, *writes, ("COMMIT", ())]
    try:
        return [asking.fetchall() for asking in _whole(*whole, *behind)[len(whole) :]]
    except DataError as error:
        if not isinstance(error.__cause__, DivisionByZero):
            raise  # a true error, and the rows may be there
        return None


def _whole(*statements: Statement) -> list[Any]:
    """The same as `_together` of what has its own BEGIN and COMMIT: in an error nothing stays."""
    try:
        return _together(statements)
    except Error:
        if connection.connection is not None:  # there may have been none to be had
            with connection.wrap_database_errors:
                connection.connection.rollback()
        raise


def given(**columns: type) -> str:
    """Rows that come with a statement as one parameter (JSON), as its table ``a``.

    One text for any number of rows, so that it is planned once. Each column holds int or str, the
    first of them always something.
    """
    if connection.vendor == "postgresql":
        kinds = {int: "bigint", str: "text"}
        named = ", ".join(f"{name} {kinds[kind]}" for name, kind in columns.items())
        return _FEW.format(named=named, one=next(iter(columns)))
    named = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in columns)
    return f"(SELECT {named} FROM json_each(%s)) AS a"  # noqa: S608


def now() -> Any:
    """This moment, as these statements take it."""
    return connection.ops.adapt_datetimefield_value(timezone.now())


def numbers(ids: Sequence[int]) -> str:
    """Ids as that parameter: a table of one column, ``id``."""
    return json.dumps([{"id": number} for number in ids])


def moment(value: object) -> datetime | None:
    """A stored time as these statements give it: SQLite hands it out in UTC without saying so."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)


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
        with connection.wrap_database_errors, _in_one_piece(own):
            cursors = [cursor() if heard else _Planned(own) for _ in statements]
            for asking, (text, parameters) in zip(cursors, statements, strict=True):
                asking.execute(text, parameters)
    return cursors


@contextmanager
def _in_one_piece(own: Any) -> Iterator[None]:
    """What is executed herein leaves at its end, and only then it is waited for.

    Of itself psycopg sends statement after statement, and waits for the answer to a BEGIN: a dozen
    system calls for each move, at every one of which another thread takes its turn.
    """
    with own.pipeline() as pipeline:

        def put_by() -> Iterator[None]:
            while pipeline.command_queue:
                pipeline.command_queue.popleft()()
            yield from ()

        pipeline._communicate_gen = pipeline._sync_gen = put_by
        try:
            yield
        finally:
            del pipeline._communicate_gen, pipeline._sync_gen
