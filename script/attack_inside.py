"""The site as script/attack starts it: the very application, and at SIGUSR1 what it holds.

What a process keeps of memory after a flood is for the most part room that was freed, of which the
allocator gives little back, and how much is chance. Objects that live are none: what is kept of
sockets that are gone shows as so many more of some kind after each wave of them.
"""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter
from pathlib import Path

from ginrami.asgi import application

__all__ = ["application"]


def told() -> Counter[str]:
    """Objects that live, by kind."""
    gc.collect()
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


def tell(_number: int, _frame: object) -> None:
    file = Path(os.environ["HELD_FOLDER"]) / f"held-{os.getpid()}.json"
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps(told()))
    draft.rename(file)


signal.signal(signal.SIGUSR1, tell)
