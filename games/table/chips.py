"""What a game came to in chips: on its last page, and once in the talk of its table."""

from __future__ import annotations

from games import stakes, talk
from games.looking import View
from games.reading import Frame
from scoring import chips


def tell_of_chips(view: View, frame: Frame, seat: int | None) -> None:
    """Add to the view of a game that is over how its chips were shared out, or will be.

    Once they are, the table says so to everybody. Whoever settles it knows no tables, so the first
    who looks has it said.
    """
    if frame.sheet is None or view["end"] is None:
        return
    told = chips.outcome(frame.sheet.id)
    account = stakes.account_of(frame.sheet, told, seat)
    if account is None:
        return
    view["end"]["chips"] = account.as_dict()
    if not account.pending:
        talk.say_of_chips(frame.room_id, frame.table_id, frame.sheet.id)
