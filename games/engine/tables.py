"""Tables of one suit: what thirteen bits leave over when only runs are made of them.

Everything fast in ``melds`` is a sum of look-ups in these. 8192 entries each, built at import in
a few hundredths of a second by removing the lowest block of neighbours from each suit.
"""

from __future__ import annotations

from typing import Final

SUIT: Final = 0x1FFF
NONE: Final = -1000
_POINTS: Final[tuple[int, ...]] = tuple(min(rank, 10) for rank in range(1, 14))


def _lowest_block(suit: int) -> int:
    """Return the lowest cards of a suit that follow each other without a gap."""
    low = suit & -suit
    return suit & ~(suit + low)


def _tables() -> tuple[list[int], list[int], list[int], list[int]]:
    points, loose, in_runs, saving = [0], [0], [0], [NONE]
    for suit in range(1, SUIT + 1):
        block = _lowest_block(suit)
        rest = suit ^ block
        size = block.bit_count()
        top = block.bit_length()
        block_points = sum(_POINTS[top - size : top])
        points.append(points[rest] + block_points)
        loose.append(loose[rest] + (0 if size > 2 else block_points))
        in_runs.append(in_runs[rest] | (block if size > 2 else 0))
        saving.append(max(saving[rest], _block_saving(size, top, block_points)))
    return points, loose, in_runs, saving


def _block_saving(size: int, top: int, block_points: int) -> int:
    """Return how much less a block of neighbours leaves over when the best card of it is gone."""
    if size < 3:
        return _POINTS[top - 1]
    return 0 if size > 3 else _POINTS[top - 1] - block_points


_all = _tables()
POINTS: Final[list[int]] = _all[0]
"""The points of all cards of a suit."""
LOOSE: Final[list[int]] = _all[1]
"""The points left over when every run is made: runs of one suit never compete."""
IN_RUNS: Final[list[int]] = _all[2]
"""The cards that lie in a run."""
SAVING: Final[list[int]] = _all[3]
"""The most by which ``LOOSE`` falls when one card is taken away; negative: all are needed."""
