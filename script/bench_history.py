"""Whether pages of somebody's games stay as quick when the site has a hundred times as many.

    script/bench history [--sheets=100000]

Two throw-away databases in one PostgreSQL, the same site with 1,000 sheets and with many, filled by
playing. Each page is asked of both by turns, through Django's own handler: for a player with as
many games on both, and for one who plays a share of all games. The ratio counts; milliseconds are
this machine's. Then all of the large one is audited.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from tqdm import tqdm

from script.services import postgres, valkey

ROOT = Path(__file__).resolve().parent.parent
SMALL, LARGE = 1_000, 100_000
PLAYED = 1_000  # games, whose hands all sheets share
ROUNDS, IN_A_ROW = 12, 5
PAGES = {
    "history": "/history/",
    "history, filtered": "/history/?result=won&rules=complete&period=dates&since=2024-01-15",
    "history, a name": "/history/?q=person",
    "history, an opponent": "/history/?against={friend}",
    "player": "/players/{me}/",
    "head to head": "/players/{friend}/with-me/",
}


class Site:
    """One of the two databases, and the process that answers for it."""

    def __init__(self, folder: Path, name: str, server: str, redis: str, sheets: int) -> None:
        self.sheets = sheets
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TEST_")}
        self.env = {
            **kept, "DATABASE_URL": f"{server}/{name}", "REDIS_URL": redis, "LOG_LEVEL": "ERROR",
            "SECRET_KEY": "only-for-benches-" + "0" * 40, "SITE_URL": "http://localhost",
            "DATA_DIR": str(folder / name),
        }  # fmt: skip

    def manage(self, *arguments: str) -> None:
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=self.env, check=True)

    def fill(self, file: Path) -> dict[str, Any]:
        """Migrate and fill; says how many of what there is."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")
        command = [sys.executable, "script/bench_sheets.py", "fill", str(file), str(self.sheets)]
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, check=True, stdout=subprocess.PIPE, text=True
        )
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return told

    @contextlib.contextmanager
    def answering(self) -> Iterator[subprocess.Popen[str]]:
        command = [sys.executable, "script/bench_sheets.py", "answer"]
        with subprocess.Popen(
            command, cwd=ROOT, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                process.terminate()


def ask(process: subprocess.Popen[str], who: int, path: str) -> dict[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("it has no pipes")
    question = {"who": who, "path": path, "times": IN_A_ROW}
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    told: dict[str, Any] = json.loads(process.stdout.readline())
    return told


def measure(sites: list[Site], users: list[list[int]]) -> None:
    """Print each page's median on both sites, their ratio, and the statements it takes."""
    print(f"{'':36}{sites[0].sheets:>12} {sites[1].sheets:>11}  ratio  statements")
    with contextlib.ExitStack() as stack:
        answers = [stack.enter_context(site.answering()) for site in sites]
        for title, who in (("as many games", 0), ("a share of all", 2)):
            for name, page in tqdm(PAGES.items(), unit="page", desc=title, leave=False):
                spent: list[list[float]] = [[], []]
                queries, missing = [0, 0], False
                for _ in range(ROUNDS):
                    for number, process in enumerate(answers):
                        me, friend = users[number][who], users[number][1]
                        told = ask(process, me, page.format(me=me, friend=friend))
                        missing |= told["status"] != 200
                        spent[number] += told["ms"]
                        queries[number] = told["queries"]
                _say(f"{name}, {title}", spent, queries, missing)


def _say(name: str, spent: list[list[float]], queries: list[int], missing: bool) -> None:
    if missing:
        tqdm.write(f"{name:36}{'no such page':>24}")
        return
    small, large = (statistics.median(one) for one in spent)
    counts = f"{queries[0]} / {queries[1]}"
    tqdm.write(f"{name:36}{small:>9.1f} ms {large:>8.1f} ms {large / small:>6.2f}  {counts:>10}")


def run(argv: list[str]) -> None:
    """Play, fill both sites, ask each page of both by turns, audit the large one."""
    parser = argparse.ArgumentParser(prog="script/bench history")
    parser.add_argument("--sheets", type=int, default=LARGE, help="on the large site")
    sheets = max(parser.parse_args(argv).sheets, SMALL)
    with (
        tempfile.TemporaryDirectory(prefix="ginrami-bench-") as folder,
        postgres() as database,
        valkey() as redis,
    ):
        server, place = database.url.rsplit("/", 1)[0], Path(folder)
        sites = [
            Site(place, "small", server, redis.url, SMALL),
            Site(place, "large", server, redis.url, sheets),
        ]
        began, file = time.monotonic(), place / "games"
        games = str(min(PLAYED, sheets // 50))
        command = [sys.executable, "script/bench_sheets.py", "play", str(file), games]
        subprocess.run(command, cwd=ROOT, env=sites[0].env, check=True)
        users = []
        for site in sites:
            told = site.fill(file)
            users.append(told["users"])
            print(f"{told['sheets']} sheets, {told['lines']} lines, {told['people']} people")
        print(f"filled in {time.monotonic() - began:.0f} s", flush=True)
        measure(sites, users)
        print("audit of the large one:", flush=True)
        sites[1].manage("audit_sheets")
