"""How long a click takes to reach both seats, next to the same work without a game in it.

    script/bench live

Real sockets to a real Daphne, one mover at a time at the pace given below, the table and the
yardstick (script/bench_site.py) by turns in the same run, embedded and scaled. The ratio counts;
milliseconds are this machine's.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm
from websockets.asyncio.client import ClientConnection, connect

from script.services import free_port, scaled_environment

ROOT = Path(__file__).resolve().parent.parent
TABLES = (1, 50, 500)
CLICKS = 400  # of each kind, at each number of tables
A_SECOND = 100  # clicks of both kinds together
A_SECOND_AT_ONE_TABLE = 24  # a socket may not say more than ten things a second
SITE_VARIABLES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "DATA_DIR")

SET_UP = """
from django.contrib.auth import get_user_model as U
from games import rooms, table
from games.models import Table
from script.bench_site import lay
from tests.sockets import cookie_of
import json, sys
lay({tables})
places = []
for n in range({tables}):
    a, b = (U().objects.create(username=f"{{s}} {{n}}", name_key=f"{{s}}{{n}}") for s in ("a", "b"))
    r = rooms.open_room(a.pk, "Salle", {{"preset": "complete"}})
    rooms.join_room(rooms.room_page(r, a.pk)["invite"], b.pk)
    t = Table.objects.get(room_id=r).pk
    table.sit_down(t, b.pk)
    places.append([t, cookie_of(a), cookie_of(b)])
json.dump(places, open({file!r}, "w"))
"""


@dataclass
class Pair:
    """Two open sockets at one table, of the game or of the yardstick."""

    lines: list[ClientConnection]
    views: list[dict[str, Any]] = field(default_factory=list)

    async def begin(self) -> None:
        """Take in the first view on each line."""
        self.views = [json.loads(await line.recv()) for line in self.lines]

    async def hear(self, done: Callable[[dict[str, Any]], bool]) -> None:
        """Listen until each line holds a view that will do."""
        for seat, line in enumerate(self.lines):
            while not done(self.views[seat]):
                self.views[seat] = json.loads(await line.recv())
                if self.views[seat]["type"] != "table":
                    raise RuntimeError(self.views[seat])

    async def click(self, mover: int, text: str) -> float:
        """Send a move; gives the milliseconds until both lines hold the next view."""
        at, stood = self.views[mover]["at"], self.views[mover]["version"]
        begun = time.perf_counter()
        await self.lines[mover].send(json.dumps({"move": text, "at": at}))
        await self.hear(lambda view: view["version"] > stood)
        return (time.perf_counter() - begun) * 1000


async def click_game(pair: Pair) -> float | None:
    """One ordinary move; between hands both are ready, and nothing is timed."""
    view = pair.views[0]
    if view["state"] != "playing":
        verb = "rematch" if view["state"] == "finished" else "ready"
        for line in pair.lines:
            await line.send(json.dumps({"verb": verb}))
        await pair.hear(lambda view: view["state"] == "playing")
        return None
    mover = view["hand"]["to_act"]
    hand = pair.views[mover]["hand"]
    text = "draw stock" if "draw stock" in hand["legal"] else hand["legal"][0]
    if hand["best_discard"]:
        text = f"discard {hand['best_discard']}"
    return await pair.click(mover, text)


async def click_yardstick(pair: Pair) -> float:
    return await pair.click(random.randrange(2), "draw stock")


async def measure(port: int, places: list[list[Any]], bar: tqdm[Any]) -> dict[str, list[float]]:
    """Click at random tables, the game and the yardstick by turns; milliseconds of each."""
    host = f"ws://localhost:{port}"
    options: dict[str, Any] = {
        "origin": f"http://localhost:{port}", "proxy": None, "compression": None,
        "ping_interval": None,
    }  # fmt: skip
    games, yardsticks = [], []
    for number, (table_id, *cookies) in enumerate(places, start=1):
        table = f"{host}/ws/tables/{table_id}/"
        games.append(Pair([
            await connect(table, additional_headers={"Cookie": cookie}, **options)
            for cookie in cookies
        ]))  # fmt: skip
        yard = f"{host}/ws/yardstick/{number}"
        yardsticks.append(Pair([await connect(f"{yard}/{seat}/", **options) for seat in (0, 1)]))
        await games[-1].begin()
        await yardsticks[-1].begin()
    spent: dict[str, list[float]] = {"game": [], "yardstick": []}
    due, pause = time.perf_counter(), 1 / min(A_SECOND, A_SECOND_AT_ONE_TABLE * len(places))
    while min(map(len, spent.values())) < CLICKS:
        for kind, pairs, click in (
            ("game", games, click_game), ("yardstick", yardsticks, click_yardstick),
        ):  # fmt: skip
            due += pause
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            taken = await click(random.choice(pairs))
            if taken is not None and len(spent[kind]) < CLICKS:
                spent[kind].append(taken)
                bar.update()
    for pair in (*games, *yardsticks):
        for line in pair.lines:
            await line.close()
    return spent


@contextlib.contextmanager
def served(env: dict[str, str], tables: int) -> Iterator[tuple[int, list[list[Any]]]]:
    """An empty site with this many tables laid, on a port."""
    port, file = free_port(), Path(env["DATA_DIR"]) / "places.json"
    manage = [sys.executable, "manage.py"]
    kept = {name: value for name, value in os.environ.items() if name not in SITE_VARIABLES}
    everything = {**kept, **env, "LOG_LEVEL": "ERROR", "FAIR_PATIENCE": "0"}

    def run(*arguments: str) -> None:
        subprocess.run([*manage, *arguments], cwd=ROOT, env=everything, check=True)

    run("migrate", "--verbosity", "0")
    run("shell", "--no-imports", "-c", SET_UP.format(tables=tables, file=str(file)))
    daphne = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port)]
    serve = [*daphne, "script.bench_site:application"]
    with subprocess.Popen(serve, cwd=ROOT, env=everything) as web:
        try:
            _wait_for(port)
            yield port, json.loads(file.read_text())
        finally:
            web.terminate()


def _wait_for(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError("Daphne did not start.")


@contextlib.contextmanager
def environment(way: str, folder: str) -> Iterator[dict[str, str]]:
    if way == "embedded":
        yield {"DATA_DIR": folder}
        return
    with scaled_environment(durable=True) as services:
        yield {**services, "DATA_DIR": folder}


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def run(argv: list[str]) -> None:
    """Print click to both views against the yardstick, for both ways and each number of tables."""
    rows = []
    with tqdm(total=2 * len(TABLES) * 2 * CLICKS, unit="click") as bar:
        for way in ("embedded", "scaled"):
            for tables in TABLES:
                bar.set_description(f"{way}, {tables} tables")
                with (
                    tempfile.TemporaryDirectory(prefix="ginrami-bench-") as folder,
                    environment(way, folder) as env,
                    served(env, tables) as (port, places),
                ):
                    rows.append((way, tables, asyncio.run(measure(port, places, bar))))
    heads = ("click p50", "p95", "yardstick p50", "p95", "ratio")
    print(f"{'':10}{'tables':>7}" + "".join(f"{head:>15}" for head in heads))
    for way, tables, spent in rows:
        game, yard = spent["game"], spent["yardstick"]
        half = percentile(game, 0.5), percentile(yard, 0.5)
        print(
            f"{way:10}{tables:>7}{half[0]:>12.2f} ms{percentile(game, 0.95):>12.2f} ms"
            f"{half[1]:>12.2f} ms{percentile(yard, 0.95):>12.2f} ms{half[0] / half[1]:>15.2f}"
        )
