"""Sitting down: a table is laid, its seats are taken, a game starts, and starts again."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from accounts.refusal import N_
from games import dealing, live
from games.models import Game, GameSeat, Table
from games.table.hands import SEATS, deal
from games.table.rights import Refused, lock_latest, own_seat
from scoring import ledger


def lay(table_id: int) -> int:
    """Lay a table for its next game, with all seats free; returns the game's id.

    To be called by whoever opens the table, in its transaction.
    """
    room_rules = Table.objects.values_list("room__rules", flat=True).get(pk=table_id)
    last = Game.objects.filter(table_id=table_id).aggregate(last=Max("number"))["last"] or 0
    return Game.objects.create(table_id=table_id, number=last + 1, rules=room_rules).pk


def waiting_table_of(room_id: int, user_id: int) -> int | None:
    """The table of this room at which this person waits for someone to play with, if any."""
    mine = GameSeat.objects.filter(
        user_id=user_id, game__table__room_id=room_id, game__started_at=None, game__ended_at=None
    )
    return mine.values_list("game__table_id", flat=True).first()


def sit_down(table_id: int, user_id: int) -> int:
    """Take a free seat; the game starts with the last one. Returns the seat. Twice is once.

    Raises Refused: not_found (no such table for this person), full.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        taken = dict(game.seats.values_list("seat", "user_id"))
        for seat, holder in taken.items():
            if holder == user_id:
                return seat
        if game.started_at is not None or len(taken) >= SEATS:
            raise Refused("full", N_("This table is full. Open another one in the room."))
        seat = min(set(range(SEATS)) - set(taken))
        GameSeat.objects.create(game=game, seat=seat, user_id=user_id)
        taken[seat] = user_id
        if len(taken) == SEATS:
            game.rules = Table.objects.values_list("room__rules", flat=True).get(pk=table_id)
            _start(game, [taken[each] for each in range(SEATS)])
        live.ring_after_commit(table_id)
    return seat


def rematch(table_id: int, user_id: int) -> None:
    """Ask for another game; it starts, with the same rules, when all players have asked.

    The first dealer is drawn anew. The table keeps its address.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        seat = own_seat(game, user_id)
        if game.ended_at is None:
            if game.started_at is not None and game.number > 1:
                return  # both asked at once: the new game lies there already
            raise Refused("not_over", N_("This game is not over yet."))
        game.seats.filter(pk=seat.pk).update(wants_rematch=True)
        if not game.seats.filter(wants_rematch=False).exists():
            again = Game.objects.create(
                table_id=table_id, number=game.number + 1, rules=game.rules
            )
            chairs = game.seats.order_by("seat").values_list("user_id", flat=True)
            players = [player for player in chairs if player is not None]
            if len(players) < SEATS:
                raise Refused("player_gone", N_("The other player has left this site."))
            for number, player in enumerate(players):
                GameSeat.objects.create(game=again, seat=number, user_id=player)
            _start(again, players)
        live.ring_after_commit(table_id)


def _start(game: Game, players: Sequence[int]) -> None:
    """Open the sheet, freeze the rules, deal the first hand."""
    names = dict(User.objects.filter(pk__in=players).values_list("pk", "username"))
    entries = [ledger.SeatEntry(user_id=player, name=names[player]) for player in players]
    game.sheet_id = ledger.open_sheet(game.rules, entries)
    game.started_at = timezone.now()
    game.save(update_fields=["rules", "sheet", "started_at"])
    deal(game, 1, dealing.first_dealer(SEATS))
