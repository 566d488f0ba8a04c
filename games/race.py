"""The race to the target: where the lines of the score sheet's chart go. Numbers only.

Coordinates leave as text: a template would write them with the reader's decimal comma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

LEFT, RIGHT, TOP, BOTTOM = 38.0, 222.0, 26.0, 190.0
NAME_HEIGHT = 20.0
NAME_LETTERS = 9  # Thibault in whole
TICKS_AT_MOST = 6


class Box(Protocol):
    """A player's box in a row of the sheet."""

    @property
    def run(self) -> int | None: ...


def drawn(names: Sequence[str], target: int, rows: Sequence[Sequence[Box]]) -> dict[str, Any]:
    """The chart of a game, or nothing to draw before its second hand."""
    if len(rows) < 2 or len(names) != 2:
        return {}
    courses = [_course(rows, seat) for seat in range(len(names))]
    most = max(target, *(course[-1] for course in courses))

    def x(hand: int) -> str:
        return f"{LEFT + (RIGHT - LEFT) * hand / len(rows):.1f}"

    def y(points: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * points / most

    lines = []
    for name, course in zip(names, courses, strict=True):
        steps = list(enumerate(course))
        lines.append(
            {
                "whole_name": name,
                "name": name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…",
                "final": course[-1],
                "path": " ".join(f"{x(hand)},{y(points):.1f}" for hand, points in steps),
                "marks": [
                    (x(hand), f"{y(points):.1f}")
                    for hand, points in steps[1:]
                    if points != course[hand - 1]
                ],
            }
        )
    for line, at in zip(lines, _apart([y(course[-1]) for course in courses]), strict=True):
        line["name_y"] = f"{at + 5:.1f}"
    return {
        "lines": lines,
        "target": target,
        "after": list(zip(*(course[1:] for course in courses), strict=True)),
        "levels": [
            (level, f"{y(level):.1f}", f"{y(level) + 5:.1f}") for level in sorted({0, target // 2})
        ],
        "target_y": f"{y(target):.1f}",
        "target_text_y": f"{y(target) + 5:.1f}",
        "ticks": [(hand, x(hand)) for hand in _ticks(len(rows))],
    }


def _course(rows: Sequence[Sequence[Box]], seat: int) -> list[int]:
    """Points after no hand, after the first, and so on."""
    course = [0]
    for cells in rows:
        run = cells[seat].run
        course.append(course[-1] if run is None else run)
    return course


def _apart(heights: Sequence[float]) -> list[float]:
    """Two names are never written over each other."""
    one, two = heights
    gap = abs(one - two)
    if gap >= NAME_HEIGHT:
        return [one, two]
    push = (NAME_HEIGHT - gap) / 2
    return [one - push, two + push] if one <= two else [one + push, two - push]


def _ticks(hands: int) -> list[int]:
    step = -(-hands // TICKS_AT_MOST)
    return list(range(1, hands + 1, step))
