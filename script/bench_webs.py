"""The site that `script/bench live` measures: empty, with tables laid, on one Daphne or several.

Held to a share of a core each, two of them show on a small machine what they carry together: the
players and the database have the rest. A process that is held runs in a part of each moment and is
stopped for what is left of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from script.services import free_port, scaled_environment

ROOT = Path(__file__).resolve().parent.parent
SITE_VARIABLES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "DATA_DIR")
MOMENT = 0.02  # seconds
TICKS = os.sysconf("SC_CLK_TCK")

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
    places.append([n + 1, t, cookie_of(a), cookie_of(b)])
json.dump(places, open({file!r}, "w"))
"""


@dataclass
class Webs:
    """The Daphnes that are measured."""

    ports: list[int]
    pids: list[int]

    def resident_kb(self) -> int:
        """Of all of them together, as is what follows."""
        status = [Path(f"/proc/{pid}/status").read_text(encoding="ascii") for pid in self.pids]
        return sum(int(text.split("VmRSS:")[1].split()[0]) for text in status)

    def cpu_seconds(self) -> float:
        stats = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii") for pid in self.pids]
        after_name = [text.rsplit(")", 1)[1].split() for text in stats]
        return sum(int(stat[11]) + int(stat[12]) for stat in after_name) / TICKS

    @contextlib.contextmanager
    def held_to(self, share: float) -> Iterator[None]:
        """Let each run for this share of the time, at most."""
        over = threading.Event()

        def hold() -> None:
            while not over.wait(MOMENT * share):
                self._tell(signal.SIGSTOP)
                time.sleep(MOMENT * (1 - share))
                self._tell(signal.SIGCONT)

        holding = threading.Thread(target=hold)
        if share < 1:
            holding.start()
        try:
            yield
        finally:
            over.set()
            if share < 1:
                holding.join()

    def _tell(self, what: signal.Signals) -> None:
        for pid in self.pids:
            os.kill(pid, what)


@contextlib.contextmanager
def served(env: dict[str, str], tables: int, webs: int) -> Iterator[tuple[Webs, list[list[Any]]]]:
    """An empty site with this many tables laid, on so many ports."""
    file = Path(env["DATA_DIR"]) / "places.json"
    kept = {name: value for name, value in os.environ.items() if name not in SITE_VARIABLES}
    everything = {**kept, **env, "LOG_LEVEL": "ERROR", "FAIR_PATIENCE": "0"}

    def run(*arguments: str) -> None:
        subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=everything, check=True
        )

    run("migrate", "--verbosity", "0")
    run("shell", "--no-imports", "-c", SET_UP.format(tables=tables, file=str(file)))
    daphne = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p"]
    with contextlib.ExitStack() as running:
        found = Webs([], [])
        for _ in range(webs):
            port = free_port()
            serve = [*daphne, str(port), "script.bench_site:application"]
            web = running.enter_context(subprocess.Popen(serve, cwd=ROOT, env=everything))
            running.callback(web.terminate)
            _wait_for(port)
            found.ports.append(port)
            found.pids.append(web.pid)
        yield found, json.loads(file.read_text())


def _wait_for(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError("Daphne did not start.")


@contextlib.contextmanager
def environment(mode: str, folder: str) -> Iterator[dict[str, str]]:
    """An empty database for a site, and what else it needs."""
    if mode == "embedded":
        yield {"DATA_DIR": folder}
        return
    with scaled_environment(durable=True) as services:
        yield {**services, "ALLOWED_HOSTS": "127.0.0.1", "DATA_DIR": folder}
