"""What a task process does when a task begins, ends or fails."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace

from ginrami import signs


class Left:
    """Something that holds itself."""

    def __init__(self):
        self.own = self


def test_a_failure_takes_away_what_the_one_before_left_behind():
    task = SimpleNamespace(name="tests.fails", request=SimpleNamespace(is_eager=False))
    gc.disable()
    try:
        left = weakref.ref(Left())
        assert left() is not None
        signs._failed(task)
        assert left() is None
    finally:
        gc.enable()
