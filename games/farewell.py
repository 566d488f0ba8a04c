"""Somebody deletes their account: what becomes of their games, rooms, words, sheets and name.

Others keep everything: their sheets, totals and figures stand as they did, against a player whose
name is gone. It is done as a whole or not at all, by the verbs of each room. Lock order: Room,
Member, Game, ScoreSheet, chip accounts, then the person.
"""

from __future__ import annotations

from django.db import transaction

from accounts import forgetting
from games import coach, friends, rooms, table, talk
from games.models import Game, Member
from scoring import archive, chips, ledger, pad, shares


def say_farewell(user_id: int) -> None:
    """Delete this account. Games being played are given up, so that nobody waits for ever.

    Raises Refusal: last_administrator. Then nothing has changed.
    """
    with transaction.atomic():
        rooms.hold_all(user_id)
        for table_id in _tables_of(user_id):
            table.resign(table_id, user_id)
        for room_id in _rooms_of(user_id):
            rooms.leave(room_id, user_id)
        talk.forget(user_id)
        friends.forget(user_id)
        pad.forget(user_id)
        shares.forget(user_id)
        archive.forget(user_id)
        coach.forget(user_id)
        ledger.forget(user_id)
        chips.forget(user_id)
        forgetting.forget(user_id)


def _tables_of(user_id: int) -> list[int]:
    """Where this person plays a game that has begun."""
    playing = Game.objects.filter(
        seats__user_id=user_id, started_at__isnull=False, ended_at=None
    )
    return list(playing.order_by("sheet_id").values_list("table_id", flat=True))


def _rooms_of(user_id: int) -> list[int]:
    mine = Member.objects.filter(user_id=user_id).order_by("room_id")
    return list(mine.values_list("room_id", flat=True))
