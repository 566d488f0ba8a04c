"""What a game is played for, put up as it begins: this floor knows whose room and whose seats."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Game, Table
from scoring import chips
from scoring.rules.stakes import Stakes


def put_up(game: Game, players: Sequence[int]) -> None:
    """Take everybody's chips into the pot of this game, in the transaction that starts it.

    Raises chips.Refused: then nobody has paid and the game has not begun.
    """
    stakes = Stakes.from_dict(game.stakes)
    if not stakes.played_for or game.sheet_id is None:
        return
    place = Table.objects.values_list("room_id", "room__owner_id").get(pk=game.table_id)
    chips.put_up(game.sheet_id, stakes, players, *place)
