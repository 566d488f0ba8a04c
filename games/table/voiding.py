"""Declaring a game void: the administration's verb, for a game that runs or is over."""

from __future__ import annotations

from django.db import transaction

from accounts.refusal import N_
from games import live
from games.models import Game
from games.table.playing import end_early
from games.table.rights import Refused, count_change
from scoring import ledger


def void(game_id: int) -> None:
    """Let nobody have won this game. What was written stays readable.

    A game that runs ends at once, its open hand counts for nothing. Of one that is over the sheet
    gets a new edition that counts for nobody. Raises Refused no_game, BadSheet nobody_won.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is None or game.started_at is None or game.sheet_id is None:
            raise Refused("no_game", N_("This game has not begun: there is nothing to void."))
        count_change(game.table_id)
        live.ring_after_commit(game.table_id)
        if game.ended_at is None:
            end_early(game, game.sheet_id, how="voided")
        else:
            ledger.void(ledger.current_of(game.sheet_id))
