"""Play at many tables while web processes, the worker, Redis and PostgreSQL are killed by turns.

    script/soak [--tables 500] [--minutes 2] [--every 12] [--think 4] [--seed N]

At the end, from the facts: every acknowledged move is there once, every hand replays to its result,
every game that ended has its bonuses once, chips add up, every player sees what the site says, and
no process wrote of an error it did not expect. Printed besides: how long each fault was felt, and
what a move and a socket cost. Exit 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script.children import exit_with  # noqa: E402 - the path comes first
from script.services import Postgres, Valkey, postgres, valkey  # noqa: E402
from tests import processes  # noqa: E402

WEBS = 2
GONE_FOR = 5.0  # seconds Redis and PostgreSQL stay away
# What no log may hold; a connection lost is said in words, and is no such error.
UNEXPECTED = ("Traceback (most recent call last)", "Exception inside application")
FINE = {"moves", "acknowledged", "games_over", "sheets", "players"}


@dataclass
class Site:
    """Everything that runs, and can be killed."""

    env: dict[str, str]
    folder: Path
    database: Postgres
    redis: Valkey
    webs: list[processes.Web] = field(default_factory=list)
    others: dict[str, processes.Process] = field(default_factory=dict)
    faults: list[tuple[float, float, str]] = field(default_factory=list)  # from, to, what

    def begin(self) -> None:
        self.webs = [processes.Web(self.env, self.folder, f"web{n}") for n in range(WEBS)]
        self.others = {
            "worker": processes.worker(self.env, self.folder),
            "beat": processes.beat(self.env, self.folder),
        }
        for web in self.webs:
            web.wait()

    def everything(self) -> list[processes.Process]:
        return [*self.webs, *self.others.values()]

    def kill_a_web(self) -> None:
        at = random.randrange(WEBS)
        self.webs[at].kill()
        self._again(at)

    def restart_a_web(self) -> None:
        at = random.randrange(WEBS)
        self.webs[at].stop()
        self._again(at)

    def _again(self, at: int) -> None:
        """The same port, as its unit would give it."""
        port = self.webs[at].port
        Again = type("Again", (processes.Web,), {"at_port": port, "command": _command_at})
        self.webs[at] = Again(self.env, self.folder, f"web{at}")

    def kill_the_worker(self) -> None:
        self.others["worker"].kill()
        self.others["worker"] = processes.worker(self.env, self.folder)

    def take_redis_away(self) -> None:
        self.redis.kill()
        time.sleep(GONE_FOR)
        self.redis.start()

    def crash_the_database(self) -> None:
        self.database.crash()
        time.sleep(GONE_FOR)
        self.database.start()


def _command_at(web: processes.Web) -> list[str]:
    web.port = web.at_port  # type: ignore[attr-defined]
    web.url = f"http://localhost:{web.port}"
    return processes.Web.command(web)


FAULTS: dict[str, Callable[[Site], None]] = {
    "web killed": Site.kill_a_web,
    "web restarted": Site.restart_a_web,
    "worker killed": Site.kill_the_worker,
    f"Redis gone {GONE_FOR:.0f} s": Site.take_redis_away,
    f"PostgreSQL crashed, gone {GONE_FOR:.0f} s": Site.crash_the_database,
}


@contextlib.contextmanager
def site(folder: Path) -> Iterator[Site]:
    """An empty site with a database that keeps what it says it keeps."""
    with postgres(durable=True) as database, valkey() as redis:
        env = {
            "DATABASE_URL": database.url, "REDIS_URL": redis.url, "DATA_DIR": str(folder / "data"),
            "SECRET_KEY": "only-for-soaking-" + "0" * 40, "SITE_URL": "http://localhost",
            "FAIR_PATIENCE": "0", "LOG_LEVEL": "INFO",
        }  # fmt: skip
        processes.prepare(env)
        running = Site(env, folder, database, redis)
        try:
            yield running
        finally:
            for process in running.everything():
                process.kill()


def within(running: Site, code: str) -> str:
    code = f"from script.soak_checks import lay, check\n{code}"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code], cwd=ROOT, text=True,
        env=processes.clean_environment(running.env), stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def audited(running: Site, command: str) -> bool:
    done = subprocess.run(
        [sys.executable, "manage.py", command], cwd=ROOT, text=True, capture_output=True,
        env=processes.clean_environment(running.env),
    )  # fmt: skip
    print(f"{command}: {(done.stdout + done.stderr).strip() or 'fine'}")
    return done.returncode == 0


def spent(process: processes.Process) -> float:
    """Seconds of processor a process has had, its children included."""
    ticks = 0
    for pid in [process.popen.pid, *_children(process.popen.pid)]:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def resident(process: processes.Process) -> int:
    """Kilobytes in memory."""
    text = Path(f"/proc/{process.popen.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


def play(running: Site, given: argparse.Namespace) -> None:
    """Minutes of play, a fault every few seconds, all kinds by turns in a random order."""
    before = [resident(web) for web in running.webs]
    players = subprocess.Popen(
        [sys.executable, "script/soak_players.py", str(running.folder), str(given.think),
         *[str(web.port) for web in running.webs]],
        cwd=ROOT, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        print((players.stdout or sys.stdin).readline().strip(), flush=True)
        cost(running, before, given)
        until, waiting = time.time() + given.minutes * 60, []
        while time.time() < until:
            time.sleep(random.uniform(0.7, 1.3) * given.every)
            waiting = waiting or random.sample(sorted(FAULTS), len(FAULTS))
            what = waiting.pop()
            print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)
            began = time.time()
            FAULTS[what](running)
            running.faults.append((began, time.time(), what))
        time.sleep(given.every)
    finally:
        players.send_signal(signal.SIGTERM)
        players.wait(120)


def cost(running: Site, before: list[int], given: argparse.Namespace) -> None:
    """What a socket and a move cost, in ten seconds without a fault."""
    after = [resident(web) for web in running.webs]
    sockets = 2 * given.tables
    print(f"{sum(after) - sum(before):,} KB for {sockets} sockets: "
          f"{(sum(after) - sum(before)) / sockets:.0f} KB each; an empty web process "
          f"{before[0]:,} KB")  # fmt: skip
    parts = {"web": running.webs, "worker and beat": list(running.others.values()),
             "PostgreSQL": [running.database], "Redis": [running.redis]}  # fmt: skip
    told = running.folder / "told.jsonl"
    time.sleep(2 * given.think)  # until all of them play
    begun = {name: _spent(some) for name, some in parts.items()}
    count = len(told.read_text().splitlines())
    time.sleep(10)
    moves = len(told.read_text().splitlines()) - count
    costs = {name: (_spent(some) - begun[name]) * 1000 for name, some in parts.items()}
    each = ", ".join(f"{name} {one / max(1, moves):.1f} ms" for name, one in costs.items())
    print(f"{moves / 10:.0f} moves a second; processor for each: {each}", flush=True)


def _spent(some: list[object]) -> float:
    return sum(spent(one if hasattr(one, "popen") else _Server(one)) for one in some)  # type: ignore[arg-type]


class _Server:
    """A server of script/services.py, looked at like a process."""

    def __init__(self, server: Postgres | Valkey) -> None:
        self.popen = server.process


def felt(running: Site) -> None:
    """From each fault: how long until the tables had their next move acknowledged."""
    times: dict[int, list[float]] = {}
    for line in (running.folder / "told.jsonl").read_text().splitlines():
        one = json.loads(line)
        times.setdefault(one["table"], []).append(one["at"])
    print(f"{'':34}{'lasted':>9}{'median':>9}{'95 %':>9}{'longest':>9}   to the next move")
    quiet = running.faults[0][0] - 2
    for began, ended, what in [(quiet, quiet, "nothing"), *running.faults]:
        waits = sorted(
            found[0] - began for one in times.values()
            if (found := [at for at in one if at > began]) and one[0] < began
        )  # fmt: skip
        if waits:
            print(f"{what:34}{ended - began:>7.1f} s{median(waits):>7.1f} s"
                  f"{waits[int(len(waits) * 0.95)]:>7.1f} s{waits[-1]:>7.1f} s")  # fmt: skip


def judged(running: Site) -> bool:
    """Everything that must hold, looked for in the facts."""
    findings = json.loads(within(running, f"check({str(running.folder)!r})").splitlines()[-1])
    for name, count in findings.items():
        print(f"{name.replace('_', ' '):22}{count:>8,}")
    good = all(not count for name, count in findings.items() if name not in FINE)
    good &= findings["acknowledged"] > 0
    for command in ("audit_sheets", "audit_chips"):
        good = audited(running, command) and good
    for file in sorted(running.folder.glob("*.log")):
        text = file.read_text(errors="replace")
        found = sum(text.count(words) for words in UNEXPECTED)
        print(f"{file.name}: {found} unexpected errors")
        good = good and not found
    return good


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--every", type=float, default=12, help="seconds between faults")
    parser.add_argument("--think", type=float, default=4, help="seconds a player takes for a move")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=Path, default=None, help="a folder to leave the logs in")
    given = parser.parse_args(argv)
    random.seed(given.seed)
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="ginrami-soak-"))
        )
        running = stack.enter_context(site(folder))
        within(running, f"lay({given.tables}, {str(folder)!r})")
        running.begin()
        play(running, given)
        felt(running)
        good = judged(running)
    print("Everything held." if good else "NOT everything held.")
    return 0 if good else 1


if __name__ == "__main__":
    exit_with(main)
