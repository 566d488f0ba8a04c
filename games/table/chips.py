"""What a game came to in chips: on its last page, and once in the talk of its table."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from games import stakes, talk
from games.frames import Frame
from games.looking import View
from games.models import Game, Message
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


def say_of_the_last(frame: Frame) -> None:
    """Let the table say what its last game came to, if the next began before that was settled."""
    if frame.hand_number > 1 or frame.game_number == 1:
        return  # in its first hand alone, so that a move pays nothing for it
    games = Game.objects.filter(table_id=frame.table_id, number=frame.game_number - 1)
    said = Message.objects.filter(sheet=OuterRef("sheet"))
    unsaid = games.filter(~Exists(said)).exclude(stakes={})
    for sheet_id in unsaid.values_list("sheet_id", flat=True):
        told = chips.outcome(sheet_id or 0)
        if told is not None and told.settlement is not None:
            talk.say_of_chips(frame.room_id, frame.table_id, sheet_id or 0)
