"""The set-up behind script/setup: .venv, pinned packages, compiled messages. Standard library only.

Two set-ups at once wait for each other. A package file is installed only when its content changed,
and counts as installed only when pip came to its end.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script.children import run  # noqa: E402 - the path comes first

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PLACE = VENV / "made-in"
USABLE = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
# How a command in .venv/bin begins: the path of Python, or sh if that path has a space in it.
OLD_HEADER = re.compile(rb"\A#!(/bin/sh\n'''exec' )?[^\n]*/bin/python[^\n]*\n(' '''\n)?")
HEADER = b"""#!/bin/sh
'''exec' "%s" "$0" "$@"
' '''
"""


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def stop(sentence: str) -> NoReturn:
    say(sentence)
    sys.exit(1)


def usable() -> bool:
    """Whether .venv was made to its end and its Python is still the one it was made with."""
    if not PLACE.exists() and not any(VENV.glob("installed-*")):
        return False
    try:
        return subprocess.run([PYTHON, "-c", USABLE], capture_output=True).returncode == 0
    except OSError:
        return False  # a link to a Python that is gone


def make_venv() -> None:
    if usable():
        return
    if Path(sys.prefix) == VENV:
        stop("The virtual environment .venv is damaged: remove that folder and start again.")
    say(f"Making .venv with Python {sys.version.split()[0]} …")
    if run([sys.executable, "-m", "venv", "--clear", VENV]):
        stop("The virtual environment .venv could not be made (Debian: apt install python3-venv).")
    PLACE.write_text(str(VENV))


def follow_a_move() -> None:
    """When the folder was moved or copied, have the commands in .venv/bin name their new place."""
    before = PLACE.read_text() if PLACE.exists() else str(VENV)
    if before == str(VENV) and PLACE.exists():
        return
    old, new = before.encode(), str(VENV).encode()
    for path in (VENV / "bin").iterdir():
        content = b"" if path.is_symlink() or not path.is_file() else path.read_bytes()
        if old != new and old in content and b"\0" not in content:
            content = OLD_HEADER.sub(lambda _: HEADER % str(PYTHON).encode(), content)
            path.write_bytes(content.replace(old, new))
    PLACE.write_text(str(VENV))


def install(*names: str) -> None:
    """Install the last of these pinned files, unless just this was installed before.

    Each file also pins what the ones before it pin.
    """
    digest, stamps = hashlib.sha256(), {}
    for name in names:
        digest.update((ROOT / name).read_bytes())
        stamps[VENV / f"installed-{name}"] = digest.hexdigest()
    stamp, wanted = list(stamps.items())[-1]
    if stamp.exists() and stamp.read_text() == wanted:
        return
    for older in VENV.glob("installed-*"):
        older.unlink()  # until pip is done, what is there is neither the old nor the new
    say(f"Installing {names[-1]} (once; this takes a minute) …")
    pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if run([*pip, "--require-hashes", "-r", names[-1]], cwd=ROOT):
        stop(f"The packages of {names[-1]} could not be installed: see above (is the network "
             "there, and room on the disk?). Start again to go on.")
    for stamp, text in stamps.items():
        stamp.write_text(text)


def compile_messages() -> None:
    """Compile the catalogues whose .po is newer than its .mo."""
    stale = [
        po for po in ROOT.glob("locale/*/LC_MESSAGES/*.po")
        if not (mo := po.with_suffix(".mo")).exists() or mo.stat().st_mtime < po.stat().st_mtime
    ]
    if stale and run([PYTHON, ROOT / "script" / "messages.py", "compile"]):
        stop("The message catalogues could not be compiled.")


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["dev"]):
        stop("Usage: script/setup [dev]")
    with open(__file__, encoding="utf-8") as own_file:
        fcntl.flock(own_file, fcntl.LOCK_EX)
        make_venv()
        follow_a_move()
        install("requirements.txt", *(["requirements-dev.txt"] if arguments else []))
        compile_messages()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\nInterrupted. Start again to go on.")
        sys.exit(130)
    except OSError as error:
        stop(f"The set-up stopped at {error.filename}: {error.strerror}.")
