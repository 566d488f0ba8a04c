"""The site that script/attack attacks: its processes, what they hold, whether they still live."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from script.services import scaled_environment
from tests import processes

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
KEY = "only-for-attacks-and-told-nobody-" + "0" * 12  # looked for in all that is answered


class Web(processes.Web):
    """A web process that tells what it holds when it is asked."""

    application = "script.attack_inside:application"


@dataclass
class Site:
    """Everything that runs."""

    env: dict[str, str]
    folder: Path
    webs: list[Web] = field(default_factory=list)
    others: list[processes.Process] = field(default_factory=list)

    def everything(self) -> list[processes.Process]:
        return [*self.webs, *self.others]

    def dead(self) -> list[str]:
        return [one.name for one in self.everything() if not one.running()]

    def begin(self, webs: int, scaled: bool) -> None:
        if scaled:
            self.others = [
                processes.worker(self.env, self.folder), processes.beat(self.env, self.folder)
            ]  # fmt: skip
        env = {**self.env, "HELD_FOLDER": str(self.folder)}
        self.webs = [Web(env, self.folder, f"web{n}") for n in range(webs)]

    def private_kb(self) -> int:
        """Memory of the web processes that is theirs alone, used or freed and kept."""
        texts = [Path(f"/proc/{one.popen.pid}/status").read_text() for one in self.webs]
        return sum(int(text.split("RssAnon:")[1].split()[0]) for text in texts)

    def spent(self) -> float:
        """Seconds of processor the web processes have had."""
        texts = [Path(f"/proc/{one.popen.pid}/stat").read_text() for one in self.webs]
        fields = [text.rsplit(")", 1)[1].split() for text in texts]
        return sum(int(one[11]) + int(one[12]) for one in fields) / TICKS

    def living(self) -> Counter[str]:
        """Objects that live in the web processes, by kind, as script/attack_inside.py tells."""
        found: Counter[str] = Counter()
        for one in self.webs:
            file = self.folder / f"held-{one.popen.pid}.json"
            file.unlink(missing_ok=True)
            one.popen.send_signal(signal.SIGUSR1)
            processes.wait_until(file.exists, 60, f"{one.name} says what it holds")
            found.update(json.loads(file.read_text()))
        return found


@contextlib.contextmanager
def site(way: str, folder: Path) -> Iterator[Site]:
    """An empty site of this way, to be begun once its people are there; ended whatever happens."""
    with contextlib.ExitStack() as stack:
        env = {"DATA_DIR": str(folder / "data"), "SECRET_KEY": KEY, "HOST": "127.0.0.1"}
        if way == "scaled":
            env = {**stack.enter_context(scaled_environment()), **env}
        running = Site(env, folder)
        try:
            yield running
        finally:
            for process in running.everything():
                process.kill()


def prepare(running: Site, lay: str) -> Any:
    """Make the tables, then run `lay` within the site; static files are collected meanwhile."""
    files = threading.Thread(
        target=processes.manage,
        args=(running.env, "collectstatic", "--noinput", "--verbosity", "0"),
    )
    files.start()
    processes.manage(running.env, "migrate", "--verbosity", "0")
    said = within(running, lay)
    files.join()
    return said


def within(running: Site, code: str) -> Any:
    """Run code of script/attack_checks.py within the site; gives the JSON it prints last."""
    code = f"from script.attack_checks import *\n{code}"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code], cwd=ROOT, text=True,
        env=processes.clean_environment(running.env), stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.strip().splitlines()[-1])
