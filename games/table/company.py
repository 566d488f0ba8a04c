"""Who may be seated together: in public rooms nobody with somebody they want nothing of.

In a room of friends everybody has been let in by somebody, and keeps their place.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from accounts.refusal import N_
from games import live
from games.blocks import are_apart
from games.models import Game, Room, Waiting
from games.table.rights import Refused, count_change, hold_games, latest_games, tell_room


def keeps_apart(table_id: int, user_id: int, others: Collection[int]) -> bool:
    """Whether this person may not meet one of these here. A block is never told as such."""
    public = Room.objects.filter(tables=table_id, is_public=True)
    return public.exists() and are_apart(user_id, others)


def require_company(table_id: int, players: Collection[int]) -> None:
    """Refuse a game to two who want nothing of each other. Raises Refused: apart."""
    for player in players:
        if keeps_apart(table_id, player, [other for other in players if other != player]):
            raise Refused("apart", N_("You two cannot play here again. Take another table."))


def part(user_id: int, other_id: int) -> None:
    """Take out of line, in public rooms, whoever of two would come to sit with the other.

    Where both wait, it is the first of them who steps out.
    """
    lines = Waiting.objects.filter(user_id__in=(user_id, other_id), table__room__is_public=True)
    with transaction.atomic():
        there = latest_games(table__in=list(lines.values_list("table_id", flat=True)))
        games = {game.table_id: game for game in hold_games(there)}
        for place in lines.filter(table__in=games).order_by("table_id", "pk"):
            other = other_id if place.user_id == user_id else user_id
            _step_aside(place, games[place.table_id], other, user_id)


def _step_aside(place: Waiting, game: Game, other_id: int, chooser_id: int) -> None:
    both_wait = Waiting.objects.filter(table_id=place.table_id, user_id=other_id).exists()
    if game.seats.filter(user_id=other_id).exists() or (
        place.user_id == chooser_id and both_wait
    ):
        Waiting.objects.filter(pk=place.pk).delete()
        count_change(place.table_id)
        live.ring_after_commit(place.table_id)
        tell_room(game.pk, lobby=False)
