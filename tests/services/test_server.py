"""`script/server`, as the one who runs the site meets it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from script.services import free_port
from tests.processes import ROOT, Web, clean_environment

SCRIPT = ROOT / "script" / "server"


class Started(Web):
    """The site started by its own command."""

    def command(self) -> list[str]:
        return [str(SCRIPT), "--host", "127.0.0.1", "--port", str(self.port)]


def begin(folder: Path, name: str = "server") -> Started:
    env = {"DATA_DIR": str(folder / "data with a space"), "LANG": "C"}
    return Started(env, folder, name)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Started, float]]:
    """The site started where nothing was before, and how long that took."""
    begun = time.monotonic()
    server = begin(tmp_path_factory.mktemp("first"))
    try:
        yield server.wait(), time.monotonic() - begun
    finally:
        server.kill()


def test_the_first_start_gives_the_host_a_link_and_serves(first):
    server, _took = first
    link = re.search(r"http://127\.0\.0\.1:\d+/first-admin/\S+", server.log())
    assert link
    with urllib.request.urlopen(link[0]) as answer:  # noqa: S310
        assert answer.status == 200
    assert f"Gin Rami is at {server.url.replace('localhost', '127.0.0.1')}" in server.log()
    status, page = server.get("/")
    assert status == 200
    for address in re.findall(r'"(/static/[^"]+)"', page):
        assert server.get(address)[0] == 200, address


def test_the_second_start_sets_nothing_up_again(first, tmp_path):
    """Against the first one, on the same machine: what is busy for one is busy for both."""
    server, took = first
    there = Path(server.env["DATA_DIR"])
    shutil.copytree(there, tmp_path / there.name)
    begun = time.monotonic()
    again = begin(tmp_path)
    try:
        again.wait()
        assert time.monotonic() - begun < took * 0.7
    finally:
        again.kill()


def test_of_two_starts_at_once_one_serves_and_the_other_says_why(tmp_path):
    servers = [begin(tmp_path, "one"), begin(tmp_path, "other")]
    try:
        until = time.monotonic() + 40
        while not any(s.healthy() for s in servers) or all(s.running() for s in servers):
            assert time.monotonic() < until, [s.log() for s in servers]
            time.sleep(0.1)
        assert sorted(s.running() for s in servers) == [False, True]
        loser = next(s for s in servers if not s.running())
        assert "already running here, on port" in loser.log()
    finally:
        for server in servers:
            server.kill()


def test_a_taken_port_is_said_in_one_sentence(first, tmp_path):
    server, _took = first
    done = subprocess.run(
        [SCRIPT, "--host", "127.0.0.1", "--port", str(server.port)], cwd="/", text=True,
        capture_output=True, env=clean_environment({"DATA_DIR": str(tmp_path / "other")}),
        timeout=60,
    )
    assert done.returncode == 1
    assert f"Port {server.port} is taken" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "http"}, "PORT must be a whole number"),
        ({"DEBUG": "perhaps"}, "DEBUG must be 1 or 0"),
        ({"REDIS_URL": "redis://cache"}, "DATABASE_URL and REDIS_URL go together"),
    ],
)
def test_a_wrong_value_is_said_in_one_sentence(tmp_path, environment, sentence):
    env = clean_environment({"DATA_DIR": str(tmp_path), **environment})
    done = subprocess.run([SCRIPT], cwd="/", env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_dead_database_is_said_in_one_sentence(tmp_path):
    env = clean_environment({
        "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql://rami:pass-word@127.0.0.1:1/rami",
        "REDIS_URL": "redis://127.0.0.1:1/0", "SECRET_KEY": "k" * 50,
        "SITE_URL": "http://localhost", "PORT": str(free_port()),
    })
    done = subprocess.run([SCRIPT], cwd="/", env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "The site cannot start: the database cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
    assert "pass-word" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_servers_brought_for_a_command_end_with_it_and_leave_no_folder(tmp_path, number):
    """However it is stopped: Ctrl-C reaches the whole group, SIGTERM only the one that started."""
    code = (
        "import os, psycopg, time; c = psycopg.connect(os.environ['DATABASE_URL']);"
        "print(c.execute('SHOW data_directory').fetchone()[0], flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, ROOT / "script" / "services.py", sys.executable, "-c", code],
        env=clean_environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as servers:
        assert servers.stdout
        assert servers.stderr
        data = Path(servers.stdout.readline().strip())
        ports = [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", "".join(
            servers.stderr.readline() for _ in range(2)
        ))]
        if number == signal.SIGINT:
            os.killpg(servers.pid, number)
        else:
            servers.send_signal(number)
        servers.communicate(timeout=60)
    assert len(ports) == 2
    for port in ports:
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert data.name == "data"
    assert not data.parent.exists()
