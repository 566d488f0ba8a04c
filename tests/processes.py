"""The site's own processes, started for real: Daphne, a Celery worker, Celery beat.

Used by the services and the browser suites. Each writes to a log file of its own, dies with the
tests, and can be killed in the middle of its work.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from script.services import die_with_parent, free_port, scaled_environment

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable, "-m"]
SITE_VARIABLES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "DATA_DIR", "PORT", "HOST")


def wait_until(happened: Callable[[], bool], seconds: float, what: str) -> None:
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def clean_environment(site: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with only the given site variables in it.

    Players without a browser give nothing to a shuffle: nobody waits for them.
    """
    kept = {name: value for name, value in os.environ.items() if name not in SITE_VARIABLES}
    return {**kept, "PYTHONUNBUFFERED": "1", "FAIR_PATIENCE": "0", **site}


class Process:
    """One process of the site and what it wrote."""

    def __init__(self, name: str, command: list[str], env: Mapping[str, str], folder: Path) -> None:
        self.name, self.env = name, env
        folder.mkdir(parents=True, exist_ok=True)
        self.log_file = folder / f"{name}.log"
        with self.log_file.open("ab") as log:
            self.popen = subprocess.Popen(
                command, cwd=ROOT, env=clean_environment(env),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                preexec_fn=lambda: die_with_parent(signal.SIGKILL),
            )

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def running(self) -> bool:
        return self.popen.poll() is None

    def wait_for(self, text: str, seconds: float = 20) -> None:
        """Wait until the log says so; fail with the log when the process ends or is too slow."""
        until = time.monotonic() + seconds
        while text not in self.log():
            if time.monotonic() > until or not self.running():
                raise AssertionError(f"{self.name} did not say {text!r}:\n{self.log()[-4000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it in an orderly way, and its children with it."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(10)
        self.kill()

    def kill(self) -> None:
        """End it at once, children included, as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(number)


class Web(Process):
    """Daphne on a free port."""

    application = "ginrami.asgi:application"

    def __init__(self, env: Mapping[str, str], folder: Path, name: str = "web") -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        super().__init__(name, self.command(), env, folder)

    def command(self) -> list[str]:
        at = ["-b", "127.0.0.1", "-p", str(self.port)]
        pings = ["--ping-interval", "7", "--ping-timeout", "6"]
        return [*PYTHON, "daphne", "-v", "1", *at, *pings, self.application]

    def wait(self) -> Web:
        wait_until(lambda: self.healthy() or not self.running(), 60, f"{self.name} serves")
        assert self.running(), f"{self.name} ended:\n{self.log()[-4000:]}"
        return self

    def get(self, path: str) -> tuple[int, str]:
        """The status and the text a browser would get."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=10) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def healthy(self) -> bool:
        try:
            return self.get("/healthz/")[0] == 200
        except OSError:
            return False


def worker(
    env: Mapping[str, str], folder: Path, name: str = "worker", queues: str = "celery,beside"
) -> Process:
    """A worker of both kinds, unless one queue is named, as the Procfile does."""
    celery = [*PYTHON, "celery", "-A", "ginrami", "worker", "--loglevel", "INFO"]
    alone = ["--queues", queues, "--concurrency", "1", "--without-gossip", "--without-mingle"]
    return Process(name, [*celery, *alone, "--hostname", f"{name}@tests"], env, folder)


def beat(env: Mapping[str, str], folder: Path, name: str = "beat") -> Process:
    schedule = ["--schedule", str(folder / f"{name}-schedule"), "--pidfile", ""]
    celery = [*PYTHON, "celery", "-A", "ginrami", "beat", "--loglevel", "INFO"]
    return Process(name, [*celery, *schedule], env, folder)


def manage(env: Mapping[str, str], *arguments: str) -> str:
    """Run one management command to its end and give what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=clean_environment(env),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, f"manage.py {' '.join(arguments)}:\n{done.stdout}{done.stderr}"
    return done.stdout


def prepare(env: Mapping[str, str]) -> None:
    """An empty site: tables made, static files collected."""
    if "DATABASE_URL" in env:
        make(env)
    else:
        shutil.copytree(empty_site(), env["DATA_DIR"], dirs_exist_ok=True)


def make(env: Mapping[str, str]) -> None:
    manage(env, "migrate", "--verbosity", "0")
    manage(env, "collectstatic", "--noinput", "--verbosity", "0")


@functools.cache
def empty_site() -> Path:
    """The data of an embedded site in which nothing has happened; made once, as it takes seconds.

    Without a key: each copy makes its own at its first start.
    """
    folder = Path(tempfile.mkdtemp(prefix="ginrami-empty-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make({"DATA_DIR": str(folder)})
    (folder / "secret_key").unlink()
    return folder


@contextlib.contextmanager
def embedded_site(folder: Path, kind: type[Web] = Web, **more: str) -> Iterator[Web]:
    """The site as `script/server` runs it, on data of its own.

    It stands as if behind a proxy, so that each window can come from an address of its own and
    the limits on sign-ups count as they would for people at home.
    """
    env = {"DATA_DIR": str(folder / "data"), "TRUSTED_PROXIES": "1", **more}
    prepare(env)
    web = kind(env, folder)
    try:
        yield web.wait()
    finally:
        web.stop()


@contextlib.contextmanager
def scaled_site(folder: Path, webs: int = 2) -> Iterator[list[Web]]:
    """PostgreSQL, Valkey, several Daphnes, one worker for all tasks, and beat."""
    with scaled_environment() as services, contextlib.ExitStack() as stack:
        env = {**services, "DATA_DIR": str(folder / "data"), "TRUSTED_PROXIES": "1"}
        prepare(env)
        processes: list[Process] = [worker(env, folder), beat(env, folder)]
        processes += [Web(env, folder, f"web-{number}") for number in range(webs)]
        for process in processes:
            stack.callback(process.stop)
        yield [process.wait() for process in processes if isinstance(process, Web)]


