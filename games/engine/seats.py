"""Round the table: the one place that knows who sits next to whom."""

from __future__ import annotations


def next_seat(seat: int, seats: int) -> int:
    """Return the seat whose turn comes after this one's."""
    return (seat + 1) % seats


def round_from(seat: int, seats: int) -> tuple[int, ...]:
    """Return all seats in turn, this one first."""
    return tuple((seat + place) % seats for place in range(seats))
