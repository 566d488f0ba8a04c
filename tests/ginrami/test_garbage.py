"""Garbage is looked for often among what is young, and seldom where it keeps tables waiting."""

from __future__ import annotations

import subprocess
import sys

from ginrami import garbage

# What came before is left alone; what comes after is found though hardly anything else comes.
A_PROCESS = """
import asyncio, gc, threading, weakref
from ginrami import garbage

class Knot:
    def __init__(self):
        self.me = self

async def look():
    garbage.EVERY = 0.01
    garbage.collect_often(asyncio.get_running_loop())
    knot = Knot()
    found = weakref.finalize(knot, lambda: where.append(threading.current_thread().name))
    del knot
    async with asyncio.timeout(20):
        while not where:
            await asyncio.sleep(0.01)

where = []
asyncio.run(look())
print(gc.get_freeze_count() > 0, where)
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
    assert said.stdout == "True ['MainThread']\n"
