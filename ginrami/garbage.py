"""When a web process looks for what refers to itself and to which nothing else refers.

Python looks once so many more objects have come than gone. On a busy site as many go as come, since
what is kept of a table is replaced at each move: by the time it looked there were half a million
young objects, and nobody moved for a twentieth of a second. Looked through a few times a second
they are some thousands. What is older is left alone for longer, since almost nothing is found; but
not for ever, for what errors leave behind.
"""

from __future__ import annotations

import asyncio
import gc

EVERY = 0.25  # seconds
TEN_MINUTES, AN_HOUR = 2_400, 14_400  # so many times
YOUNG, MIDDLE, OLD = range(3)  # Python's generations
# Should a great many come between two times, as when hundreds come back at once: the young alone.
AT_THE_LATEST = (50_000, 100_000, 50)


def collect_often(loop: asyncio.AbstractEventLoop) -> None:
    """From now on; what is here already is here for good and left alone.

    On the loop itself: what was left in the middle of something ends where it began, and futures
    are for the thread of their loop alone.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*AT_THE_LATEST)
    loop.call_later(EVERY, _look, loop, 1)


def generation(number: int) -> int:
    """The oldest generation that is looked through the ``number``-th time, from 1 on."""
    if number % AN_HOUR == 0:
        return OLD
    return YOUNG if number % TEN_MINUTES else MIDDLE


def _look(loop: asyncio.AbstractEventLoop, number: int) -> None:
    gc.collect(generation(number))
    loop.call_later(EVERY, _look, loop, number + 1)
