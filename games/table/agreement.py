"""Calling a game off: one offers, the other accepts or refuses (rules, section 12)."""

from __future__ import annotations

from typing import Literal

from django.db import transaction

from accounts.refusal import N_
from games import live
from games.beside import standing_offer
from games.models import CallOff
from games.table.playing import end_early
from games.table.rights import Refused, lock_latest, own_seat
from games.table.summons import bots_of


def call_off(
    table_id: int,
    user_id: int,
    answer: Literal["offer", "accept", "refuse"],
    game_id: int | None = None,
) -> None:
    """Offer to call the game off, or answer the offer that stands.

    An offer stands until it is answered, until its author takes it back (by refusing it
    themself), or until the next hand ends: then both have played on. Moves do not withdraw it, so
    that its author may play on while the other thinks. Two offers that cross are an agreement.
    Accepting ends the game without a winner: the open hand counts for nothing, the lines already
    written stay readable. Raises Refused: no_game, no_offer.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id, game_id)
        seat = own_seat(game, user_id).seat
        if game.started_at is None or game.ended_at is not None or game.sheet_id is None:
            raise Refused("no_game", N_("No game is being played at this table."))
        live.ring_after_commit(table_id)
        offered_by = standing_offer(game.pk)
        if offered_by == seat and answer == "offer":
            return
        if answer == "accept" and offered_by in (None, seat):
            raise Refused("no_offer", N_("The offer to call the game off no longer stands."))
        CallOff.objects.filter(game=game).delete()
        if answer == "refuse":
            return
        if offered_by is None and not bots_of(game.pk):  # the computer agrees to anything
            CallOff.objects.create(game=game, seat=seat)
        else:
            end_early(game, game.sheet_id, how="called_off")

