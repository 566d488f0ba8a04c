"""The quick checks behind script/check, two at a time; what fails shows its output."""

from __future__ import annotations

import os
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
INTERRUPTED = threading.Event()


def run(name: str, data: str) -> bool:
    command, extra = CHECKS[name]
    kept = {key: value for key, value in os.environ.items() if key not in SCALED}
    env = {**kept, "DATA_DIR": data, **extra}
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    if INTERRUPTED.is_set():
        return False
    good = done.returncode == 0
    line = f"{name:<12}{'ok' if good else 'FAILED'}  ({time.monotonic() - start:.1f} s)"
    print(line if good else f"{line}\n{done.stdout.strip()}", flush=True)
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
            INTERRUPTED.set()
            pool.shutdown(cancel_futures=True)
            raise
    return 0 if all(results) else 1


if __name__ == "__main__":
    exit_with(main)
