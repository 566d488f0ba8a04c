"""Garbage is looked for often among what is young, and seldom where it keeps tables waiting."""

from __future__ import annotations

import subprocess
import sys

from ginrami import garbage

# What came before is left alone; what comes after is found though hardly anything else comes.
A_PROCESS = """
import gc, time, weakref
from ginrami import garbage

class Knot:
    def __init__(self):
        self.me = self

garbage.EVERY = 0.01
garbage.collect_often()
knot = weakref.ref(Knot())
until = time.monotonic() + 20
while knot() is not None and time.monotonic() < until:
    time.sleep(0.01)
print(gc.get_freeze_count() > 0, knot() is None)
"""


def test_the_young_are_looked_through_each_time_and_the_older_now_and_then():
    times = [garbage.generation(number) for number in range(1, 2 * garbage.AN_HOUR + 1)]
    assert (times.count(garbage.OLD), times.count(garbage.MIDDLE)) == (2, 10)
    assert times[garbage.TEN_MINUTES - 1] == garbage.MIDDLE
    assert set(times[: garbage.TEN_MINUTES - 1]) == {garbage.YOUNG}


def test_what_refers_to_itself_is_found_though_nothing_else_comes():
    said = subprocess.run(
        [sys.executable, "-c", A_PROCESS], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout == "True True\n"
