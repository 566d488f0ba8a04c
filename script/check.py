"""The quick checks behind script/check, two at a time; what fails shows its output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script.children import exit_with  # noqa: E402 - the path comes first

PYTHON = sys.executable
# Deployment is checked the way a public site runs; nothing is connected to.
SCALED = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "9f2c7e61b0d84a35c8e1f7a2946b3d50e6c1a87f2b95d4038e7a6c1f",
    "SITE_URL": "https://rami.example",
}
CHECKS: dict[str, tuple[list[str], dict[str, str]]] = {
    "types": ([PYTHON, "-m", "mypy", "ginrami", "accounts", "scoring", "games"], {}),
    "style": ([PYTHON, "-m", "ruff", "check", "--quiet", "."], {}),
    "imports": ([PYTHON, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
                {}),
    "messages": ([PYTHON, "script/messages.py", "check"], {}),
    "migrations": ([PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], {}),
    "deployment": ([PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"], SCALED),
}
RUNNING: set[subprocess.Popen[str]] = set()
BEGINNING = threading.Lock()
INTERRUPTED = threading.Event()


def begin(command: list[str], env: dict[str, str]) -> subprocess.Popen[str] | None:
    """Start a check, unless all are to end.

    In a session of its own: Ctrl-C would reach it before it reaches this process, which would
    take its end for a failure and begin the next one.
    """
    with BEGINNING:
        if INTERRUPTED.is_set():
            return None
        child = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        RUNNING.add(child)
    return child


def end_all() -> None:
    with BEGINNING:
        INTERRUPTED.set()
        for child in RUNNING:
            child.terminate()


def run(name: str, data: str) -> bool:
    command, extra = CHECKS[name]
    kept = {key: value for key, value in os.environ.items() if key not in SCALED}
    env = {**kept, "DATA_DIR": data, **extra}
    start = time.monotonic()
    child = begin(command, env)
    said = child.communicate()[0] if child else ""
    # Ctrl-C reaches the child too, which may be gone before we know of it.
    if child is None or INTERRUPTED.is_set() or child.returncode == -signal.SIGINT:
        return False
    good = child.returncode == 0
    line = f"{name:<12}{'ok' if good else 'FAILED'}  ({time.monotonic() - start:.1f} s)"
    print(line if good else f"{line}\n{said.strip()}", flush=True)
    return good


def main(names: list[str]) -> int:
    unknown = set(names) - set(CHECKS)
    if unknown:
        print(f"Usage: script/check [{'] ['.join(CHECKS)}]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as data, ThreadPoolExecutor(2) as pool:
        try:
            results = list(pool.map(lambda name: run(name, data), names or CHECKS))
        except BaseException:
            end_all()
            pool.shutdown(cancel_futures=True)
            raise
    return 0 if all(results) else 1


if __name__ == "__main__":
    exit_with(main)
