"""Sending for the computer when it is to act: after the commit, and at the pace of a person.

A summons may be lost, or come twice: whoever looks at the table, and the sweep, find a bot that
keeps others waiting, and a move is made for one place only.
"""

from __future__ import annotations

from celery import current_app
from django.conf import settings
from django.db import transaction

from games import dealing, thinking
from games.models import GameSeat

TASK = "games.tasks.think"  # by its name: tasks stand above the verbs
FORGOTTEN_AFTER = 60  # seconds; by then the sweep has moved


def bots_of(game_id: int) -> int:
    """The seats of a game the computer holds, one bit a seat."""
    seats = GameSeat.objects.filter(game_id=game_id, user__bot__gt="")
    return sum(1 << seat for seat in seats.values_list("seat", flat=True))


def summon(table_id: int) -> None:
    """Have the computer move at this table, once the present transaction is stored."""
    transaction.on_commit(lambda: _send(table_id), robust=True)


def _send(table_id: int) -> None:
    seconds = settings.BOT_PACE_SECONDS * (700 + dealing.chance()(601)) / 1000
    if settings.EMBEDDED:
        thinking.soon(seconds, _ask, table_id)
    elif settings.THINKS:
        current_app.send_task(
            TASK, [table_id], countdown=seconds, expires=seconds + FORGOTTEN_AFTER
        )


def _ask(table_id: int) -> None:
    current_app.loader.import_default_modules()  # a process without a ticker may not have yet
    current_app.tasks[TASK](table_id)
