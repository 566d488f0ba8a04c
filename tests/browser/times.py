"""Clocks of laid tables, set by hand: what time has done is stored, and nothing else of it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

TURN = timedelta(seconds=60)
CLOCK = """UPDATE games_clock SET seat = 0, turn_from = ?, deadline = ?, adjourned_at = NULL
    WHERE game_id = (SELECT MAX(id) FROM games_game WHERE table_id = ?)"""
SEAT = """UPDATE games_seattime SET reserve_ms = ?, timeouts = ? WHERE seat = ? AND clock_id =
    (SELECT id FROM games_clock WHERE game_id =
    (SELECT MAX(id) FROM games_game WHERE table_id = ?))"""


def wind(
    stored: Callable[..., None],
    scene: Mapping[str, Any],
    left: float,
    reserves: tuple[int, int] = (240, 90),
    timeouts: tuple[int, int] = (0, 0),
) -> None:
    """Let the first seat, whose turn it is, have so many seconds left; reserves in seconds too."""
    table_id = int(scene["table"].split("/")[2])
    deadline = datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=left)
    begun = deadline - TURN - timedelta(seconds=reserves[0])
    stored(CLOCK, str(begun), str(deadline), table_id)
    for seat in (0, 1):
        stored(SEAT, reserves[seat] * 1000, timeouts[seat], seat, table_id)
