"""Tests against real PostgreSQL and Valkey; `script/test services` starts both.

Processes started here work on the test database: use `transactional_db` for what they must see.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from ginrami.celery import app as celery
from script.services import Postgres, Valkey, postgres, valkey
from tests import processes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if settings.EMBEDDED:
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(pytest.mark.skip("needs PostgreSQL: script/test services"))


@pytest.fixture(autouse=True)
def queued_tasks() -> Iterator[None]:
    """Here a task goes through the broker and waits for a worker."""
    celery.conf.task_always_eager = False
    yield
    celery.conf.task_always_eager = True


@pytest.fixture
def site_env(transactional_db, tmp_path: Path) -> dict[str, str]:
    """The environment for processes that share this test's database and broker."""
    address = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    return {
        "DATABASE_URL": f"{address}/{connection.settings_dict['NAME']}",
        "REDIS_URL": os.environ["REDIS_URL"],
        "SECRET_KEY": settings.SECRET_KEY,
        "SITE_URL": "http://localhost",
        "DATA_DIR": str(tmp_path / "data"),
    }


Starter = Callable[..., processes.Process]


@pytest.fixture
def start(site_env: dict[str, str], tmp_path: Path) -> Iterator[Starter]:
    """Start processes by their maker; whatever still runs at the end is killed."""
    started: list[processes.Process] = []

    def begin(maker: Callable[..., processes.Process], **extra: str) -> processes.Process:
        name = extra.pop("name", f"{maker.__name__.lower()}-{len(started)}")
        started.append(maker({**site_env, **extra}, tmp_path, name=name))
        return started[-1]

    yield begin
    for process in started:
        process.kill()


@pytest.fixture
def web_process(start: Starter, static_files: None) -> Callable[..., processes.Web]:
    """Start a Daphne and wait until it answers; keyword arguments are environment variables.

    And until the others know: what is open with them by then they let go.
    """

    def begin(**extra: str) -> processes.Web:
        web = start(processes.Web, **extra).wait()
        web.wait_for("other web processes know", 30)
        return web

    return begin


@pytest.fixture
def worker_process(start: Starter) -> Callable[..., processes.Process]:
    """Start a Celery worker, whose log shows the sweeps too, and wait until it takes tasks."""

    def begin(**extra: str) -> processes.Process:
        process = start(processes.worker, **{"LOG_LEVEL": "DEBUG", **extra})
        process.wait_for("ready.", 30)
        return process

    return begin


@pytest.fixture
def beat_process(start: Starter) -> Callable[..., processes.Process]:
    """Start Celery beat."""

    def begin(**extra: str) -> processes.Process:
        process = start(processes.beat, **extra)
        process.wait_for("beat: Starting", 30)
        return process

    return begin


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files, collected once."""
    data = tmp_path_factory.mktemp("collected")
    processes.manage({"DATA_DIR": str(data)}, "collectstatic", "--noinput", "--verbosity", "0")
    return data / "static"


@pytest.fixture
def static_files(site_env: dict[str, str], collected: Path) -> None:
    shutil.copytree(collected, Path(site_env["DATA_DIR"]) / "static")


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL this test may stop, kill and start again."""
    with postgres() as server:
        yield server


@pytest.fixture
def own_valkey() -> Iterator[Valkey]:
    """A Valkey this test may stop, kill and start again."""
    with valkey() as server:
        yield server
