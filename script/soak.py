"""Play at many tables while web processes, the worker, Redis and PostgreSQL die or hang by turns.

    script/soak [--tables 500] [--minutes 3] [--every 15] [--think 30] [--seed N]
                [--faults all|servers|none] [--sample 60] [--keep FOLDER]
    script/soak --short        for continuous integration: 15 tables, within two minutes

At the end, from the facts: every acknowledged move is there once, every hand replays to its result,
every game that ended has its bonuses once, chips add up, every player sees what the site says, and
no process wrote of an error it did not expect. Printed besides: how long each fault was felt, what
a move and a socket cost, and what each process grew by. Exit 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script import soak_figures as figures  # noqa: E402 - the path comes first
from script.children import die_with_parent, exit_with  # noqa: E402
from script.soak_site import FAULTS, SERVERS, Site, site  # noqa: E402
from tests import processes  # noqa: E402

TABLES_A_PROCESS = 125
LAID_BY = 2  # processes
# What no log may hold; a connection lost is said in words, and is no such error.
UNEXPECTED = ("Traceback (most recent call last)", "Exception inside application")
TASK_FAILED = r"raised unexpected: (?!OperationalError|InterfaceError|ConnectionError)"
SHORT = {"tables": 15, "minutes": 0.65, "every": 4.0, "think": 2.0, "gone": 3.0, "hung": 2.0,
         "calm": 0.0, "measured": 4.0}  # fmt: skip


class Players:
    """The processes of players, told the same thing at once."""

    def __init__(self, running: Site, given: argparse.Namespace) -> None:
        of = max(1, -(-given.tables // TABLES_A_PROCESS))
        ports = [str(web.port) for web in running.webs]
        self.all = [
            subprocess.Popen(
                [sys.executable, "script/soak_players.py", str(running.folder), str(number),
                 str(of), str(given.think), *ports],
                cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                preexec_fn=lambda: die_with_parent(9),
            )
            for number in range(of)
        ]  # fmt: skip

    def say(self, word: str) -> None:
        for one in self.all:
            print(word, file=one.stdin, flush=True)

    def wait_for(self, done: Callable[[str], bool], heard: Callable[[], object]) -> None:
        """Until each has said so; ``heard`` is called at every line before."""
        waiting = [threading.Thread(target=_listen, args=(one, done, heard)) for one in self.all]
        for one in waiting:
            one.start()
        for one in waiting:
            one.join()
        if any(one.poll() for one in self.all):
            raise RuntimeError("Players ended: see above.")

    def end(self) -> None:
        for one in self.all:
            one.kill()
            one.wait()


def _listen(
    one: subprocess.Popen[str], done: Callable[[str], bool], heard: Callable[[], object]
) -> None:
    for line in one.stdout or ():
        heard()
        if done(line.strip()):
            return


def lay(running: Site, given: argparse.Namespace) -> int:
    """Lay all tables, in several processes; gives how many people sit at them."""
    shares = [len(range(number, given.tables, LAID_BY)) for number in range(LAID_BY)]
    counts = [0] * LAID_BY
    with tqdm(total=given.tables, desc="tables laid", disable=None) as bar:

        def work(number: int) -> None:
            def says(line: str) -> None:
                counts[number] = int(line)
                bar.update(sum(counts) - bar.n)

            asked = (shares[number], str(running.folder), sum(shares[:number]), True)
            running.within(
                f"from script.soak_checks import lay\nlay(*{asked!r}, 'places-{number}.json')", says
            )

        with ThreadPoolExecutor(LAID_BY) as pool:
            list(pool.map(work, range(LAID_BY)))
    files = running.folder.glob("places-*.json")
    return sum(len(place) - 1 for file in files for place in json.loads(file.read_text()))


def play(running: Site, given: argparse.Namespace, people: int) -> None:
    """Minutes of play, a fault every few seconds, all kinds by turns in a random order."""
    empty = figures.resident(running)
    players = Players(running, given)
    try:
        with tqdm(total=people, desc="people there", disable=None) as bar:
            players.wait_for(lambda line: line == "all there", bar.update)
        figures.cost(running, empty, people, given.measured)
        break_things(running, given)
        print("Now nothing more is done to it, and the players come to rest.", flush=True)
        players.say("rest")
        players.wait_for(lambda line: line == "resting", lambda: None)
        running.within("from script.soak_checks import calm\ncalm()")
        players.say("look")
        players.wait_for(lambda line: line == "seen", lambda: None)
    finally:
        players.end()


def break_things(running: Site, given: argparse.Namespace) -> None:
    """Faults at random moments, and then some time in which clocks may run out again."""
    kinds = [one for one in FAULTS if given.faults == "all" or one.startswith(SERVERS)]
    began, waiting = time.time(), list[str]()
    until = began + given.minutes * 60
    growth = figures.Growth(running, given.sample)
    growth.start()
    with tqdm(total=round(until + given.calm - began), desc="seconds", disable=None) as bar:

        def rest(end: float) -> None:
            while (left := end - time.time()) > 0:
                time.sleep(min(1.0, left))
                bar.update(round(time.time() - began) - bar.n)

        while given.faults != "none" and time.time() < until:
            rest(min(until, time.time() + random.uniform(0.5, 1.5) * given.every))
            waiting = waiting or random.sample(sorted(kinds), len(kinds))
            what = waiting.pop()
            tqdm.write(f"{time.strftime('%H:%M:%S')} {what}")
            running.commit(what)
        rest(max(until, time.time()) + given.calm)
    figures.felt(running)
    growth.told()


def judged(running: Site) -> bool:
    """Everything that must hold, looked for in the facts."""
    code = f"from script.soak_checks import check\ncheck({str(running.folder)!r})"
    findings: dict[str, int] = json.loads(running.within(code))
    for name, count in findings.items():
        print(f"{name.replace('_', ' '):22}{count:>8,}")
    good = all(not count for name, count in findings.items() if name not in figures.FINE)
    good &= findings["acknowledged"] > 0
    for command in ("audit_sheets", "audit_chips"):
        good = audited(running, command) and good
    return unexpected(running.folder) == 0 and good


def audited(running: Site, command: str) -> bool:
    done = subprocess.run(
        [sys.executable, "manage.py", command], cwd=ROOT, text=True, capture_output=True,
        env=processes.clean_environment(running.env),
    )  # fmt: skip
    print(f"{command}: {(done.stdout + done.stderr).strip() or 'fine'}")
    return done.returncode == 0


def unexpected(folder: Path) -> int:
    """How many errors stand in the logs that nobody foresaw; the lines around the first of each."""
    total, wanted = 0, re.compile("|".join([*map(re.escape, UNEXPECTED), TASK_FAILED]))
    for file in sorted(folder.glob("*.log")):
        text = file.read_text(errors="replace")
        found = [one.start() for one in wanted.finditer(text)]
        print(f"{file.name}: {len(found)} unexpected errors")
        if found:
            print(text[max(0, found[0] - 300) : found[0] + 1500])
        total += len(found)
    return total


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="script/soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--every", type=float, default=15, help="seconds between faults")
    parser.add_argument("--think", type=float, default=30, help="seconds a player takes for a move")
    parser.add_argument("--gone", type=float, default=10, help="seconds a server stays away")
    parser.add_argument("--hung", type=float, default=5, help="seconds a process hangs")
    parser.add_argument("--calm", type=float, default=80, help="seconds without faults at the end")
    parser.add_argument("--measured", type=float, default=12, help="seconds, before the faults")
    parser.add_argument("--faults", choices=["all", "servers", "none"], default="all")
    parser.add_argument("--sample", type=float, default=60, help="seconds between weighings")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=Path, default=None, help="a folder to leave the logs in")
    parser.add_argument("--short", action="store_true", help="within two minutes, for each change")
    given = parser.parse_args(argv)
    if given.short:
        parser.set_defaults(**SHORT)
        given = parser.parse_args(argv)
    seed = random.randrange(10**6) if given.seed is None else given.seed
    random.seed(seed)
    print(f"--seed {seed}", flush=True)
    began = time.time()
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="ginrami-soak-"))
        )
        running = stack.enter_context(site(folder, given.gone, given.hung))
        people = lay(running, given)
        running.begin()
        play(running, given, people)
        good = judged(running)
        made = len(figures.moves(folder))
    said = "everything held" if good else "NOT everything held"
    print(f"soak: {said}: {given.tables} tables, {made:,} acknowledged moves, "
          f"{len(running.faults)} faults, {time.time() - began:.0f} s, seed {seed}")  # fmt: skip
    return 0 if good else 1


if __name__ == "__main__":
    exit_with(main)
