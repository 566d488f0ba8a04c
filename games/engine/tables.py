"""Tables of one suit: what thirteen bits leave over when only runs are made of them.

Everything fast in ``melds`` is a sum of look-ups in these. Runs of one suit never compete, so
each block of neighbours counts by itself: it is a run, or all loose. 8192 entries each, built at
import in a few hundredths of a second, a suit from the same suit without its lowest block.
"""

from __future__ import annotations

from typing import Final

SUIT: Final = 0x1FFF
_POINTS: Final[tuple[int, ...]] = tuple(min(rank, 10) for rank in range(1, 14))


def _tables() -> tuple[list[int], list[int], list[int]]:
    loose, highest, in_runs = [0], [0], [0]
    for suit in range(1, SUIT + 1):
        block = suit & ~(suit + (suit & -suit))
        rest = suit ^ block
        top = block.bit_length()
        size = block.bit_count()
        is_run = size > 2
        loose.append(loose[rest] + (0 if is_run else sum(_POINTS[top - size : top])))
        highest.append(max(highest[rest], 0 if is_run else _POINTS[top - 1]))
        in_runs.append(in_runs[rest] | (block if is_run else 0))
    return loose, highest, in_runs


_all = _tables()
LOOSE: Final[list[int]] = _all[0]
"""The points left over when every run is made."""
HIGHEST: Final[list[int]] = _all[1]
"""The points of the highest card left over."""
IN_RUNS: Final[list[int]] = _all[2]
"""The cards that lie in a run."""
