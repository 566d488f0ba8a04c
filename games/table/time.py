"""Time and absence: who may claim, adjourn, wait or resume, and what the clock does by itself."""

from __future__ import annotations

from games.table.rights import Refused


def claim(table_id: int, user_id: int) -> None:
    """Win a game the other player has left."""
    raise Refused("not_yet", "")


def adjourn(table_id: int, user_id: int) -> None:
    """Put the game aside, to be taken up any day."""
    raise Refused("not_yet", "")


def wait(table_id: int, user_id: int) -> None:
    """Decline, for now, what absence offers."""
    raise Refused("not_yet", "")


def resume(table_id: int, user_id: int) -> None:
    """Take an adjourned game up again."""
    raise Refused("not_yet", "")
