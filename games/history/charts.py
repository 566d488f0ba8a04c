"""Charts of somebody's months: where their lines go, and the same figures as a table.

Coordinates leave as text: a template would write them with the reader's decimal comma. The drawing
is stretched to its place, so it holds no words: those stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format

from games.history.words import month
from scoring.statistics import Figures, Month

MONTHS = 12
Value = Callable[[Figures], float | None]
Said = Callable[[float | None], str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: its label, and where it goes; ``dots`` mark the months that count."""

    label: str
    path: str
    area: str
    dots: tuple[str, ...]
    last: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of up to twelve months. ``levels`` from the top, ``ticks`` and ``rows`` a month."""

    lines: tuple[Line, ...]
    levels: tuple[str, ...]
    ticks: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def drawn(
    months: Sequence[Month], values: Sequence[tuple[str, Value]], said: Said, step: int
) -> Chart | None:
    """The months up to the last game, with a line a value; nothing where there is none to draw."""
    shown = last_months(months)
    courses = [
        [None if figures is None else value(figures) for _at, figures in shown]
        for _label, value in values
    ]
    known = [one for course in courses for one in course if one is not None]
    if not known:
        return None
    low, high = _bounds(known, step)
    return Chart(
        lines=tuple(
            _line(label, course, low, high, said)
            for (label, _value), course in zip(values, courses, strict=True)
        ),
        levels=tuple(f"{level:g}" for level in (high, (low + high) / 2, low)),
        ticks=tuple(date_format(at, "M")[:1].upper() for at, _figures in shown),
        rows=tuple(
            (month(at), tuple(said(course[place]) for course in courses))
            for place, (at, figures) in enumerate(shown)
            if figures is not None
        ),
    )


def last_months(months: Sequence[Month]) -> list[tuple[datetime, Figures | None]]:
    """Twelve months up to the last game, or all since the first; None where nobody played."""
    if not months:
        return []
    known = {(one.begins.year, one.begins.month): one for one in months}
    last = months[-1].begins
    shown: list[tuple[datetime, Figures | None]] = []
    at = last
    while len(shown) < MONTHS and at >= months[0].begins:
        found = known.get((at.year, at.month))
        shown.insert(0, (at, None if found is None else found.figures))
        at = _before(at)
    return shown


def _before(at: datetime) -> datetime:
    """The beginning of the month before."""
    year, number = (at.year, at.month - 1) if at.month > 1 else (at.year - 1, 12)
    return at.replace(year=year, month=number)


def _bounds(known: Sequence[float], step: int) -> tuple[int, int]:
    """Whole steps around all values, with an even number of steps between: the middle is whole."""
    low = int(min(known) // step) * step
    high = -int(-max(known) // step) * step
    while high == low or (high - low) // step % 2:
        low, high = (low - step, high) if low >= step else (low, high + step)
    return low, high


def _line(
    label: str, course: Sequence[float | None], low: int, high: int, said: Said
) -> Line:
    across = max(len(course) - 1, 1)
    points = [
        (100 * place / across, 100 * (high - value) / (high - low))
        for place, value in enumerate(course)
        if value is not None
    ]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return Line(
        label=label,
        path=path,
        area=f"{points[0][0]:.2f},100 {path} {points[-1][0]:.2f},100" if len(points) > 1 else "",
        dots=tuple(f"M{x:.2f} {y:.2f}h0" for x, y in points),
        last=said(next((value for value in reversed(course) if value is not None), None)),
    )
