"""The chart of `script/bench live`, as an SVG file: the game beside the yardstick."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

WIDTH, LEFT, LINE, BAR = 860, 200, 46, 16
COLOURS = {"game": "#1b6e4b", "yardstick": "#b9b2a3"}
SHARES = ((0.5, "p50"), (0.95, "p95"), (0.99, "p99"))


def write_chart(file: Path, rows: Sequence[Any]) -> None:
    """Moves a second of the closed loops, then click to both views of every loop."""
    parts, top = [_text(16, 30, "script/bench live", size=18), *_legend()], 64
    closed = [row for row in rows if row.loop == "closed"]
    for title, chosen, draw in (
        ("Moves a second, closed loop (more is better)", closed, _moves),
        ("Click to both views, milliseconds: p50, p95, p99 (less is better)", rows, _waits),
    ):
        if chosen:
            parts.append(_text(16, top + 14, title, size=14))
            drawn, top = draw(chosen, top + 30)
            parts += drawn
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}">'
    ground = f'<rect width="{WIDTH}" height="{top}" fill="#fff"/>'
    file.write_text("\n".join([head, ground, *parts, "</svg>", ""]), encoding="utf-8")


def _moves(rows: Sequence[Any], top: int) -> tuple[list[str], int]:
    most = max(row.a_second(kind) for row in rows for kind in COLOURS)
    parts = []
    for row in rows:
        parts.append(_text(16, top + 20, f"{row.mode}, {row.tables} tables"))
        for at, kind in enumerate(COLOURS):
            value = row.a_second(kind)
            beside = f" · ratio {row.ratio:.2f}" if kind == "game" else ""
            parts += _bar(top + at * (BAR + 2), value / most, kind, f"{value:.0f}{beside}")
        top += LINE
    return parts, top + 20


def _waits(rows: Sequence[Any], top: int) -> tuple[list[str], int]:
    """One bar a kind up to its p50, paler up to p95, paler still up to p99."""
    most = max(row.percentile(kind, 0.99) for row in rows for kind in COLOURS)
    parts = []
    for row in rows:
        parts.append(_text(16, top + 20, f"{row.mode}, {row.tables} tables, {row.loop}"))
        for at, kind in enumerate(COLOURS):
            values = [row.percentile(kind, share) for share, _name in SHARES]
            for value, strength in zip(values[::-1], (0.25, 0.5, 1.0), strict=True):
                parts += _bar(top + at * (BAR + 2), value / most, kind, "", strength)
            said = " · ".join(f"{value:.1f}" for value in values)
            parts.append(_beside(top + at * (BAR + 2), values[-1] / most, said))
        top += LINE
    return parts, top + 20


def _room() -> int:
    return WIDTH - LEFT - 170


def _bar(top: int, share: float, kind: str, said: str, strength: float = 1.0) -> list[str]:
    long = max(1.0, share * _room())
    bar = (
        f'<rect x="{LEFT}" y="{top}" width="{long:.1f}" height="{BAR}" rx="2" '
        f'fill="{COLOURS[kind]}" fill-opacity="{strength}"/>'
    )
    return [bar, _beside(top, share, said)] if said else [bar]


def _beside(top: int, share: float, said: str) -> str:
    return _text(LEFT + max(1.0, share * _room()) + 8, top + 13, said)


def _legend() -> list[str]:
    parts = []
    for at, kind in enumerate(COLOURS):
        left = WIDTH - 250 + 110 * at
        parts.append(
            f'<rect x="{left}" y="18" width="14" height="14" rx="2" fill="{COLOURS[kind]}"/>'
        )
        parts.append(_text(left + 20, 30, kind))
    return parts


def _text(left: float, top: float, said: str, size: int = 12) -> str:
    return (
        f'<text x="{left:.0f}" y="{top}" font-family="sans-serif" font-size="{size}" '
        f'fill="#222">{escape(said)}</text>'
    )
