"""The test suites behind script/test, each in a process of its own, and their counts added up.

Apart because a browser's event loop and asyncio tests break each other in one process, and
because two of them run with PostgreSQL and Valkey in their environment. They run side by side,
since each waits half its time, and each line they print stands behind the name of its suite. The
tests without a browser or other processes give way: what they measure is not how soon something
comes. With CI=true a skipped test is a failure but in the unit suite: there, browser and servers
are known to be available.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script.children import begin, end, exit_with, run  # noqa: E402 - the path comes first
from tests.browser.chromium import CHROMIUM  # noqa: E402

CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
NOTHING_COLLECTED = 5
# What touches the database is tested on PostgreSQL too.
BOTH_DATABASES = ("tests/scoring", "tests/games", "tests/accounts")
APART = ("services", "browser", "load")
SUITES = {
    "unit": ["tests", *(f"--ignore=tests/{name}" for name in APART)],
    "postgres": [*BOTH_DATABASES, "--ignore=tests/games/engine"],
    "services": ["tests/services"],
    "browser": ["tests/browser"],
    "load": ["tests/load"],
}
ON_POSTGRES = ("postgres", "services")
GIVES_WAY = ("unit", "postgres")
LONGEST_FIRST = ("browser", "unit", "postgres", "services", "load")
SIDE_BY_SIDE = 4 if (os.cpu_count() or 1) > 1 else 1
USAGE = f"""Usage: script/test [{' | '.join(SUITES)}] [pytest arguments]

Without a suite: the one a named file belongs to, or script/check and all of them."""
SITE_VARIABLES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "DATA_DIR", "DEBUG")


@dataclass(frozen=True)
class Count:
    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def chromium_is_there() -> bool:
    return Path(CHROMIUM).exists()


def run_check() -> Count:
    start = time.monotonic()
    good = run([sys.executable, ROOT / "script" / "check.py"], cwd=ROOT) == 0
    return Count("check", int(good), int(not good), 0, time.monotonic() - start)


@dataclass(frozen=True)
class Suite:
    """A suite under way."""

    name: str
    child: subprocess.Popen[bytes]
    ending: signal.Signals
    report: Path
    began: float
    reader: threading.Thread | None


def run_suites(names: list[str], extra: list[str], folder: Path) -> list[Count]:
    """Run the suites, side by side, and count them in the order asked for."""
    counts: dict[str, Count] = {}
    waiting = sorted(names, key=LONGEST_FIRST.index)
    if "browser" in waiting and not CI and not chromium_is_there():
        print("!!! NO CHROMIUM: browser suite skipped. Install chromium or set CHROMIUM. !!!")
        counts["browser"] = Count("browser", skipped=1)
        waiting.remove("browser")
    running: list[Suite] = []
    try:
        while waiting or running:
            while waiting and len(running) < SIDE_BY_SIDE:
                running.append(begin_suite(waiting.pop(0), extra, folder, alone=len(names) == 1))
            for suite in [suite for suite in running if suite.child.poll() is not None]:
                running.remove(suite)
                counts[suite.name] = over(suite, bool(extra))
            time.sleep(0.1)
    except BaseException as why:
        for suite in running:
            end(suite.child, suite.ending, warned=isinstance(why, KeyboardInterrupt))
        raise
    return [counts[name] for name in names]


def begin_suite(name: str, extra: list[str], folder: Path, alone: bool) -> Suite:
    report = folder / f"{name}.xml"
    named = any(is_path(argument) for argument in extra)
    own = [a for a in SUITES[name] if a.startswith("-") or (is_path(a) and not named)]
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *own, *extra]
    ending = signal.SIGINT  # at this pytest takes its fixtures down; at SIGTERM it would not
    env = {key: value for key, value in os.environ.items() if key not in SITE_VARIABLES}
    env |= {"DATA_DIR": str(folder / name), "PYTHONUNBUFFERED": "1"}
    if name in ON_POSTGRES:
        # The server is thrown away, and with it the database: dropping it would only wait.
        command += ["--reuse-db", "--create-db"]
        command = [sys.executable, str(ROOT / "script" / "services.py"), *command]
        ending = signal.SIGTERM
        env |= {"SITE_URL": "http://testserver", "ALLOWED_HOSTS": "localhost"}
    if name in GIVES_WAY and not alone:
        command = ["nice", "-n", "5", *command]
    print(f"=== {name}", flush=True)
    heard = None if alone else subprocess.PIPE
    child = begin(command, cwd=ROOT, env=env, ending=ending, stdout=heard)
    reader = None if alone else threading.Thread(target=show, args=(name, child), daemon=True)
    if reader is not None:
        reader.start()
    return Suite(name, child, ending, report, time.monotonic(), reader)


def show(name: str, child: subprocess.Popen[bytes]) -> None:
    """Print what a suite says, line by line behind its name."""
    if child.stdout is None:
        return
    with child.stdout as said:
        for line in said:
            print(f"{name:<9}{line.decode(errors='replace').rstrip()}", flush=True)


def over(suite: Suite, narrowed: bool) -> Count:
    """The counts of a suite that has ended, once all it said is shown."""
    if suite.reader is not None:
        suite.reader.join(10)  # a process it left behind could hold the pipe open
    seconds = time.monotonic() - suite.began
    return counted(suite.name, suite.report, suite.child.returncode, narrowed, seconds)


def is_path(argument: str) -> bool:
    """Whether it names tests: a file, a folder, or one test of a file."""
    return "tests" in argument and (ROOT / argument.split("::")[0]).exists()


def counted(name: str, report: Path, code: int, narrowed: bool, seconds: float) -> Count:
    """The counts of one suite. What pytest could not report is one failure."""
    if code == NOTHING_COLLECTED and narrowed and not CI:
        return Count(name, seconds=seconds)
    if not report.exists():
        return Count(name, failed=1, seconds=seconds)
    suite = ElementTree.parse(report).getroot().find("testsuite")  # noqa: S314 - our own file
    tests, skipped, *bad = (
        int(suite.get(key, 0)) if suite is not None else 0
        for key in ("tests", "skipped", "failures", "errors")
    )
    failed = sum(bad)
    passed = max(tests - failed - skipped, 0)
    if CI and name != "unit" and skipped:
        print(f"!!! {skipped} tests of the {name} suite were skipped: a failure under CI. !!!")
        failed, skipped = failed + skipped, 0
    if code != 0 and failed == 0:
        failed = 1
    return Count(name, passed, failed, skipped, seconds)


def suites_of(arguments: list[str]) -> list[str]:
    """The suites to run when none is named: those of the paths given, else all."""
    paths = [argument for argument in arguments if is_path(argument)]
    if not paths:
        return list(SUITES)
    of_paths = {
        next((name for name in APART if f"tests/{name}" in path), "unit") for path in paths
    }
    return [name for name in SUITES if name in of_paths]


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if arguments and arguments[0] in SUITES:
        names, arguments = [arguments[0]], arguments[1:]
    else:
        names = suites_of(arguments)
    if arguments and not arguments[0].startswith("-") and not is_path(arguments[0]):
        print(f"There is neither a suite nor a test called {arguments[0]!r}.\n{USAGE}",
              file=sys.stderr)
        return 2
    counts = []
    if len(names) > 1 and not arguments:
        counts.append(run_check())
    with tempfile.TemporaryDirectory(prefix="ginrami-tests-") as folder:
        counts += run_suites(names, arguments, Path(folder))
    print("\n=== summary")
    for count in counts:
        print(f"{count.name:<10}{count}  ({count.seconds:.0f} s)")
    total = Count("all", *(sum(getattr(c, key) for c in counts if c.name != "check")
                           for key in ("passed", "failed", "skipped")))
    checked = all(count.failed == 0 for count in counts if count.name == "check")
    if not checked:
        print("script/check FAILED, see above")
        total = Count("all", total.passed, total.failed + 1, total.skipped)
    print(total, flush=True)
    return 0 if total.failed == 0 and total.passed > 0 else 1


if __name__ == "__main__":
    exit_with(main)
