"""The short form of ``script/attack``: everything a stranger has is thrown, and the site stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_nothing_breaks_leaks_or_stays_in_memory_under_every_attack_there_is():
    command = [sys.executable, ROOT / "script" / "attack.py", "--short"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
