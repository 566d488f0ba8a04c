"""How the deadwood of both went down: where the lines of the replay's chart go. Numbers only.

Coordinates leave as text: a template would write them with the reader's decimal comma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LEFT, RIGHT, TOP, BOTTOM = 34.0, 300.0, 12.0, 118.0
POINTS_AT_MOST = 200
STEPS = (10, 20, 25, 50, 100)
LEVELS_AT_MOST = 4


def drawn(courses: Sequence[Sequence[int]], limit: int, ply: int) -> dict[str, Any]:
    """The chart of a hand, a course of deadwood a player; nothing to draw before the second ply."""
    last = len(courses[0]) - 1
    if last < 2:
        return {}
    most = max(10, *(max(course) for course in courses))

    def x(at: int) -> str:
        return f"{LEFT + (RIGHT - LEFT) * at / last:.1f}"

    def y(deadwood: float) -> str:
        return f"{BOTTOM - (BOTTOM - TOP) * deadwood / most:.1f}"

    return {
        "paths": [
            " ".join(f"{x(at)},{y(deadwood)}" for at, deadwood in _corners(course))
            for course in courses
        ],
        "levels": [(level, y(level), f"{float(y(level)) + 5:.1f}") for level in _levels(most)],
        "limit_y": y(limit) if limit else "",
        "now": x(ply),
        "marks": [y(course[ply]) for course in courses],
        "left": f"{LEFT:g}",
        "right": f"{RIGHT:g}",
        "top": f"{TOP:g}",
        "bottom": f"{BOTTOM:g}",
        "box": f"{LEFT:g} {RIGHT:g} {TOP:g} {BOTTOM:g} {most}",
    }


def _levels(most: int) -> list[int]:
    step = next((step for step in STEPS if most / step <= LEVELS_AT_MOST), STEPS[-1])
    return list(range(0, most + 1, step))


def _corners(course: Sequence[int]) -> list[tuple[int, int]]:
    """The steps of a course: deadwood stays as it is until a move changes it.

    A hand of a thousand moves is drawn with fewer points than it has.
    """
    step = -(-len(course) // POINTS_AT_MOST)
    kept = sorted({*range(0, len(course), step), len(course) - 1})
    corners = [(0, course[0])]
    for at in kept[1:]:
        if course[at] != corners[-1][1]:
            corners += [(at, corners[-1][1]), (at, course[at])]
    if corners[-1][0] != len(course) - 1:
        corners.append((len(course) - 1, corners[-1][1]))
    return corners
