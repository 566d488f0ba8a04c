"""The set-up behind script/setup: .venv, pinned packages, compiled messages. Standard library only.

Two set-ups at once wait for each other. A package file is installed only when its content changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
USABLE = "import sys, pip; sys.exit(sys.version_info < (3, 11))"


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def stop(sentence: str) -> None:
    say(sentence)
    sys.exit(1)


def make_venv() -> None:
    """Keep the environment that is there if it works; make it anew if its Python went away."""
    if Path(sys.prefix) == VENV:
        return
    try:
        if subprocess.run([str(PYTHON), "-c", USABLE], capture_output=True).returncode == 0:
            return
    except OSError:
        pass  # absent, or a link to a Python that is gone
    say(f"Making .venv with Python {sys.version.split()[0]} …")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if made.returncode:
        stop("The virtual environment .venv could not be made (Debian: apt install python3-venv).")


def install(name: str) -> None:
    """Install one pinned file, unless exactly this content was installed before."""
    content = (ROOT / name).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    stamp = VENV / f"installed-{name}"
    if stamp.exists() and stamp.read_text() == digest:
        return
    say(f"Installing {name} (once; this takes a minute) …")
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "--require-hashes", "-r", name], cwd=ROOT)
    if done.returncode:
        stop(f"The packages of {name} could not be installed: see above (is the network there?).")
    stamp.write_text(digest)


def compile_messages() -> None:
    """Compile the catalogues whose .po is newer than its .mo."""
    stale = [
        po for po in ROOT.glob("locale/*/LC_MESSAGES/*.po")
        if not (mo := po.with_suffix(".mo")).exists() or mo.stat().st_mtime < po.stat().st_mtime
    ]
    if stale:
        done = subprocess.run([str(PYTHON), str(ROOT / "script" / "messages.py"), "compile"])
        if done.returncode:
            stop("The message catalogues could not be compiled.")


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["dev"]):
        stop("Usage: script/setup [dev]")
    with open(__file__, encoding="utf-8") as own_file:
        fcntl.flock(own_file, fcntl.LOCK_EX)
        make_venv()
        install("requirements-dev.txt" if arguments else "requirements.txt")
        compile_messages()


if __name__ == "__main__":
    main(sys.argv[1:])
