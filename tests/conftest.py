"""What every test may rely on: the cast of players, quick passwords, a clean cache."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence

import pytest
import pytest_django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

from accounts import second_factor
from games import beside, presence, reading, rooms, table
from games.models import Room, Table
from games.rooms import standings
from ginrami.celery import app as celery
from tests.games.players import deal_in_turn

PASSWORD = "violette-et-bois-mort-7"


def pytest_configure() -> None:
    """Unhashed static files, quick passwords, tasks at once; real servers have the real ones."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    celery.conf.task_always_eager = True
    settings.TICKER = False  # a thread of its own would sweep in the middle of other tests
    settings.THINKS = False  # nor move in the middle of them
    settings.CARRIES_LETTERS = False  # what a test sends has left when the page is there
    settings.FAIR_PATIENCE = 0  # a hand lies there at once; tests of the shuffle wait for people
    TransactionTestCase._fixture_teardown = _emptied


def pytest_collection_finish() -> None:
    """What was imported for the tests stays to their end: garbage is not looked for in it.

    And seldom among what they leave, which is little: as often as Python does it takes a twentieth
    of their time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def _emptied(case: TransactionTestCase) -> None:
    """Empty every table but those that migrating fills: to fill them again took the most time."""
    for name in case._databases_names(include_mirrors=False):
        database = connections[name]
        there = database.introspection.django_table_names(only_existing=True, include_views=False)
        tables = sorted(set(there) - KEPT)
        if database.vendor == "postgresql" and _may_pass_triggers(database):
            _deleted(database, tables)
        else:
            database.ops.execute_sql_flush(database.ops.sql_flush(no_style(), tables))


def _may_pass_triggers(database: BaseDatabaseWrapper) -> bool:
    with database.cursor() as cursor:
        cursor.execute("SHOW is_superuser")
        return bool(cursor.fetchone()[0] == "on")


def _deleted(database: BaseDatabaseWrapper, tables: Sequence[str]) -> None:
    """Truncating makes the files of every table and index anew, for the few rows of a test.

    Locked as truncating would, so that nothing is left of a transaction that is still under way.
    """
    names = [database.ops.quote_name(table) for table in tables]
    steps = [
        "SET LOCAL session_replication_role = replica",  # no trigger, and no key is looked up
        f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE",
        *(f"DELETE FROM {name}" for name in names),  # noqa: S608 - tables of our own
    ]
    with transaction.atomic(using=database.alias), database.cursor() as cursor:
        cursor.execute(";".join(steps))


DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run only what touches the database: the rest was tested once already."""
    if settings.EMBEDDED:
        return
    kept, others = [], []
    for item in items:
        touches = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
        at_services = "services" in item.path.parts
        wanted = touches or at_services or item.get_closest_marker("django_db")
        (kept if wanted else others).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=others)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[None]:
    """The threads of the sockets keep their connections, and would hold the database up."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


@pytest.fixture(autouse=True)
def clean_cache() -> Iterator[None]:
    """Counted tries of one test must not refuse the next one."""
    yield
    cache.clear()
    presence.forget()


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Primary keys come again in another test; what was read under them must not."""
    reading.forget()
    beside.forget()
    standings.forget()


@pytest.fixture(autouse=True)
def staff_have_two_steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks after the site is let in; tests of the second step itself say so."""
    if request.node.get_closest_marker("two_steps") is None:
        monkeypatch.setattr(second_factor, "is_missing", lambda user: False)


@pytest.fixture(autouse=True)
def cards_come_in_turn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test hangs on what is dealt; tests of the shuffle itself say so."""
    if request.node.get_closest_marker("shuffles") is None:
        deal_in_turn(monkeypatch)


def _player(name: str):
    return get_user_model().objects.create_user(username=name, password=PASSWORD)


@pytest.fixture
def alice(db):
    return _player("alice")


@pytest.fixture
def bob(db):
    return _player("bob")


@pytest.fixture
def charlie(db):
    return _player("charlie")


@pytest.fixture
def options():
    """What the room is opened with; a test may ask for other rules by its own fixture."""
    return {"preset": "complete"}


@pytest.fixture
def room_id(alice, bob, options):
    room_id = rooms.open_room(alice.pk, "Salle des cousins", options)
    rooms.join_room(Room.objects.get(pk=room_id).invitation, bob.pk)
    return room_id


@pytest.fixture
def waiting(room_id):
    """Alice waits at the room's first table."""
    return Table.objects.get(room_id=room_id).pk


@pytest.fixture
def table_id(waiting, bob):
    """Bob sat down too: the first hand is dealt."""
    table.sit_down(waiting, bob.pk)
    return waiting
