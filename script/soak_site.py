"""The site script/soak plays on, and all that can be done to it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from script.services import Postgres, Valkey, postgres, valkey
from tests import processes

ROOT = Path(__file__).resolve().parent.parent
WEBS = 2
RESTARTED_AFTER = 1.0  # seconds; one that died, as deploy/systemd has it
TICKS = os.sysconf("SC_CLK_TCK")


class Web(processes.Web):
    """One that says of each socket nothing beside the site's own lines, as deploy/ starts it."""

    def command(self) -> list[str]:
        command = super().command()
        at = command.index("-v") + 1
        return [*command[:at], "0", *command[at + 1 :]]


@dataclass
class Fault:
    """What was done to the site, from when to when."""

    what: str
    began: float
    ended: float


@dataclass
class Site:
    """Everything that runs, and can be killed or made to hang."""

    env: dict[str, str]
    folder: Path
    database: Postgres
    redis: Valkey
    gone_for: float  # seconds servers stay away
    hung_for: float  # seconds whatever hangs does
    webs: list[Web] = field(default_factory=list)
    others: dict[str, processes.Process] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def wait_for_the_disk(self, durable: bool) -> None:
        self.database.stop()
        self.database.durable = durable
        self.database.start()

    def begin(self) -> None:
        self.wait_for_the_disk(True)
        self.webs = [Web(self.env, self.folder, f"web{n}") for n in range(WEBS)]
        self.others = {
            "worker": processes.worker(self.env, self.folder),
            "beat": processes.beat(self.env, self.folder),
        }
        for web in self.webs:
            web.wait()

    def end(self) -> None:
        for process in [*self.webs, *self.others.values()]:
            process.kill()

    def pids(self) -> dict[str, list[int]]:
        """By part: its process and what that one started."""
        parts = {web.name: web.popen.pid for web in self.webs}
        parts |= {name: one.popen.pid for name, one in self.others.items()}
        servers = {"PostgreSQL": self.database.process, "Redis": self.redis.process}
        parts |= {name: one.pid for name, one in servers.items() if one is not None}
        return {name: family(pid) for name, pid in parts.items()}

    def within(self, code: str, says: Callable[[str], None] | None = None) -> str:
        """Run Python inside the site, and give the last line it printed."""
        child = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code], cwd=ROOT,
            env=processes.clean_environment(self.env), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        line = ""
        for line in child.stdout or ():
            if says is not None:
                says(line.strip())
        if child.wait():
            raise RuntimeError("What was asked of the site failed: see above.")
        return line.strip()

    # --- faults

    def commit(self, what: str) -> None:
        began = time.time()
        FAULTS[what](self)
        self.faults.append(Fault(what, began, time.time()))

    def kill_a_web(self) -> None:
        self._again(random.randrange(WEBS), Web.kill, RESTARTED_AFTER)

    def restart_a_web(self) -> None:
        self._again(random.randrange(WEBS), Web.stop)

    def _again(self, at: int, ends: Callable[[Web], None], after: float = 0.0) -> None:
        """On the same port, as its unit would give it."""
        before = self.webs[at]
        ends(before)
        time.sleep(after)
        Again = type("Again", (Web,), {"at_port": before.port, "command": _command_at})
        self.webs[at] = Again(self.env, self.folder, before.name)

    def kill_the_worker(self) -> None:
        self.others["worker"].kill()
        self.others["worker"] = processes.worker(self.env, self.folder)

    def take_redis_away(self) -> None:
        self.redis.kill()
        time.sleep(self.gone_for)
        self.redis.start()

    def crash_the_database(self) -> None:
        self.database.crash()
        time.sleep(self.gone_for)
        self.database.start()

    def hang(self, part: str) -> None:
        """Neither answer nor end, as on a machine that stands still."""
        pids = self.pids()[part]
        for pid in pids:
            signalled(pid, signal.SIGSTOP)
        time.sleep(self.hung_for)
        for pid in pids:
            signalled(pid, signal.SIGCONT)


def signalled(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def family(pid: int) -> list[int]:
    """A process and all it started, as far as they live."""
    own = Path(f"/proc/{pid}/task/{pid}/children")
    with contextlib.suppress(OSError):
        return [pid, *(one for child in own.read_text().split() for one in family(int(child)))]
    return []


def _command_at(web: Web) -> list[str]:
    web.port = web.at_port  # type: ignore[attr-defined]
    web.url = f"http://localhost:{web.port}"
    return Web.command(web)


FAULTS: dict[str, Callable[[Site], None]] = {
    "web killed": Site.kill_a_web,
    "web restarted": Site.restart_a_web,
    "web hung": lambda site: site.hang(f"web{random.randrange(WEBS)}"),
    "worker killed": Site.kill_the_worker,
    "Redis gone": Site.take_redis_away,
    "Redis hung": lambda site: site.hang("Redis"),
    "PostgreSQL gone": Site.crash_the_database,
    "PostgreSQL hung": lambda site: site.hang("PostgreSQL"),
}
SERVERS = ("Redis", "PostgreSQL")


@contextlib.contextmanager
def site(folder: Path, gone_for: float, hung_for: float) -> Iterator[Site]:
    """An empty site with a database that keeps what it says it keeps."""
    with postgres(durable=True) as database, valkey() as redis:
        env = {
            "DATABASE_URL": database.url, "REDIS_URL": redis.url, "DATA_DIR": str(folder / "data"),
            "SECRET_KEY": "only-for-soaking-" + "0" * 40, "SITE_URL": "http://localhost",
            "FAIR_PATIENCE": "0", "LOG_LEVEL": "INFO",
        }  # fmt: skip
        running = Site(env, folder, database, redis, gone_for, hung_for)
        running.wait_for_the_disk(False)  # until somebody plays nobody is promised anything
        running.within("from django.core.management import call_command as call\n"
                       "call('migrate', verbosity=0)")  # of its pages none is asked for
        try:
            yield running
        finally:
            running.end()
