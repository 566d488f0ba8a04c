"""The test suites behind script/test, each in a process of its own, and their counts added up.

Apart because a browser's event loop and asyncio tests break each other in one process, and
because the services suite runs with PostgreSQL and Valkey in its environment. With CI=true a
skipped browser or services test is a failure: there, both are known to be available.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script.children import exit_with, run  # noqa: E402 - the path comes first

CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
NOTHING_COLLECTED = 5
# What touches the database is tested on PostgreSQL too.
BOTH_DATABASES = ("tests/scoring", "tests/games", "tests/accounts")
SUITES = {
    "unit": ["tests", "--ignore=tests/services", "--ignore=tests/browser"],
    "services": ["tests/services", *BOTH_DATABASES, "--ignore=tests/games/engine"],
    "browser": ["tests/browser"],
}
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
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    return Path(named).exists()


def run_check() -> Count:
    start = time.monotonic()
    good = run([sys.executable, ROOT / "script" / "check.py"], cwd=ROOT) == 0
    return Count("check", int(good), int(not good), 0, time.monotonic() - start)


def run_suite(name: str, extra: list[str], folder: Path) -> Count:
    if name == "browser" and not CI and not chromium_is_there():
        print("!!! NO CHROMIUM: browser suite skipped. Install chromium or set CHROMIUM. !!!")
        return Count(name, skipped=1)
    report = folder / f"{name}.xml"
    named = any(is_path(argument) for argument in extra)
    own = [a for a in SUITES[name] if a.startswith("-") or (is_path(a) and not named)]
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *own, *extra]
    ending = signal.SIGINT  # at this pytest takes its fixtures down; at SIGTERM it would not
    if name == "services":
        # The server is thrown away, and with it the database: dropping it would only wait.
        command += ["--reuse-db", "--create-db"]
        command = [sys.executable, str(ROOT / "script" / "services.py"), *command]
        ending = signal.SIGTERM
    env = {key: value for key, value in os.environ.items() if key not in SITE_VARIABLES}
    env["DATA_DIR"] = str(folder / name)
    if name == "services":
        env |= {"SITE_URL": "http://testserver", "ALLOWED_HOSTS": "localhost"}
    start = time.monotonic()
    code = run(command, cwd=ROOT, env=env, ending=ending)
    return counted(name, report, code, bool(extra), time.monotonic() - start)


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
        next((name for name in SUITES if f"tests/{name}" in path), "unit") for path in paths
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
        for name in names:
            print(f"\n=== {name}", flush=True)
            counts.append(run_suite(name, arguments, Path(folder)))
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
