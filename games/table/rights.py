"""Who may act at a table: the lock every verb takes first, and the refusals they share."""

from __future__ import annotations

from django.db.models import F

from accounts.refusal import N_, Refusal
from games import live
from games.models import Game, GameSeat, Table


class Refused(Refusal):
    """A table verb that may not be done now, by this person, here."""


def lock_latest(table_id: int, user_id: int) -> Game:
    """The table's latest game, locked, for a member of its room.

    Every verb but a move begins here, so the change is counted here (see ``Frame.version``).
    """
    require_member(table_id, user_id)
    games = Game.objects.filter(table_id=table_id).order_by("-number")
    while True:
        game = games.select_for_update().first()
        if game is None:
            raise not_found()
        # Whoever held the lock before may have laid the table for another game.
        if not games.filter(number__gt=game.number).exists():
            count_change(table_id)
            return game


def count_change(table_id: int, by: int = 1) -> None:
    """Make later views of this table newer than earlier ones."""
    Table.objects.filter(pk=table_id).update(changes=F("changes") + by)


def tell_room(game_id: int) -> None:
    """Ring, after commit, for who looks at the page of this game's room or at the lobby."""
    live.ring_room(Game.objects.values_list("table__room_id", flat=True).get(pk=game_id))


def tell_tables(room_id: int) -> None:
    """Let every table of a room be looked at again: what holds in the room has changed."""
    Table.objects.filter(room_id=room_id).update(changes=F("changes") + 1)
    for table_id in Table.objects.filter(room_id=room_id).values_list("pk", flat=True):
        live.ring_after_commit(table_id)


def own_seat(game: Game, user_id: int) -> GameSeat:
    seat = game.seats.filter(user_id=user_id).first()
    if seat is None:
        raise not_yours()
    return seat


def require_member(table_id: int, user_id: int) -> None:
    if not Table.objects.filter(pk=table_id, room__members__user_id=user_id).exists():
        raise not_found()


def not_found() -> Refused:
    # The same answer as for a table of strangers: ids tell nothing.
    return Refused("not_found", N_("There is no such table."))


def stale() -> Refused:
    return Refused("stale", N_("The table has moved on. Look again before you play."))


def not_yours() -> Refused:
    return Refused("not_a_player", N_("You do not play at this table."))
