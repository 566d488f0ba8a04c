"""Three or four friends at one table: who is next in line, and who makes room."""

from __future__ import annotations

from games.table.rights import Refused


def line_up(table_id: int, user_id: int) -> None:
    """Get in line for the table's next game."""
    raise Refused("not_yet", "")


def step_out(table_id: int, user_id: int) -> None:
    """Leave the line."""
    raise Refused("not_yet", "")
