"""Seats that become another person's, when a guest turns out to have an account."""

from __future__ import annotations

from games.models import GameSeat, Waiting


def hand_over(user_id: int, to_id: int) -> None:
    """Give somebody's seats in games that are over to another, and their places in line up."""
    Waiting.objects.filter(user_id=user_id).delete()
    GameSeat.objects.filter(user_id=user_id, game__ended_at__isnull=False).update(user_id=to_id)
