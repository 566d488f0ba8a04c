"""Child processes that end with whoever started them. Standard library only.

Ctrl-C reaches every process of a terminal at once, so a child is first given time to put its own
house in order. Any other end is handed on to it.
"""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

LIBC = ctypes.CDLL(None)
PATIENCE = 30


def die_with_parent(number: int) -> None:
    """Have the system send this signal when the parent is gone, even if it was killed (Linux)."""
    if sys.platform == "linux":
        LIBC.prctl(1, number)


def begin(
    command: Sequence[str | Path],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    ending: signal.Signals = signal.SIGTERM,
    stdin: int | None = subprocess.DEVNULL,
    stdout: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command. Only the main thread may: the child ends with the thread that started it."""
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdin=stdin, stdout=stdout,
        stderr=None if stdout is None else subprocess.STDOUT,
        preexec_fn=lambda: die_with_parent(ending),
    )


def run(
    command: Sequence[str | Path],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    ending: signal.Signals = signal.SIGTERM,
    stdin: int | None = subprocess.DEVNULL,
) -> int:
    """Run a command to its end and give its code. `ending` is how to ask it to stop."""
    child = begin(command, cwd, env, ending, stdin)
    try:
        return child.wait()
    except KeyboardInterrupt:
        end(child, ending, warned=True)
        raise
    except BaseException:
        end(child, ending)
        raise


def end(child: subprocess.Popen[bytes], ending: signal.Signals, warned: bool = False) -> None:
    """Wait for the child's orderly end; kill it only when that takes too long."""
    if not warned:
        child.send_signal(ending)
    try:
        child.wait(PATIENCE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        child.kill()
        child.wait()


def exit_with(main: Callable[[list[str]], int]) -> NoReturn:
    """End this process with what `main` gives. Ctrl-C is no fault to be traced, and SIGTERM unwinds
    like any other end, so that what was started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
