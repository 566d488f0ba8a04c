"""The short form of ``script/soak``: everything is killed by turns under play, and all is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_nothing_is_lost_while_everything_is_killed_by_turns():
    command = [sys.executable, ROOT / "script" / "soak.py", "--short"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
