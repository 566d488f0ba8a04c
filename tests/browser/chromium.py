"""The browser on this machine, and how it is started: no download, no talk to the outside.

The headless shell, where it is installed, since a page costs it a third of what it costs the whole
Chromium, which keeps windows that nobody looks at.
"""

from __future__ import annotations

import os
import shutil

KINDS = ("chromium-headless-shell", "chromium")
FOUND = [path for path in map(shutil.which, KINDS) if path]
CHROMIUM = os.environ.get("CHROMIUM") or [*FOUND, "/usr/bin/chromium"][0]
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]
