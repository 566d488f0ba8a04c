"""Who may act at a table: the lock every verb takes first, and the refusals they share."""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery

from accounts import hot
from accounts.refusal import N_, Refusal
from games import live
from games.admission import Terms, terms_of
from games.models import Game, GameSeat, Member, Table


class Refused(Refusal):
    """A table verb that may not be done now, by this person, here."""


def lock_latest(table_id: int, user_id: int, game_id: int | None = None) -> Game:
    """The table's latest game, locked, for a member of its room.

    ``game_id``: the one that was clicked on, where that is known; a click on an earlier one is
    stale. Every verb but a move begins here, so the change is counted here (``Frame.version``).
    """
    require_member(table_id, user_id)
    games = Game.objects.filter(table_id=table_id).order_by("-number")
    while True:
        game = games.select_for_update().first()
        if game is None:
            raise not_found()
        # Whoever held the lock before may have laid the table for another game.
        if not games.filter(number__gt=game.number).exists():
            if game_id not in (None, game.pk):
                raise stale()
            count_change(table_id)
            return game


def count_change(table_id: int, by: int = 1) -> None:
    """Make later views of this table newer than earlier ones."""
    Table.objects.filter(pk=table_id).update(changes=F("changes") + by)


def latest_games(**where: Any) -> QuerySet[Game]:
    """The last game of each of these tables: all that can still change there."""
    newest = Game.objects.filter(table=OuterRef("table")).order_by("-number").values("pk")[:1]
    return Game.objects.filter(pk=Subquery(newest), **where)


def hold_games(games: QuerySet[Game]) -> list[Game]:
    """Lock several games by their numbers, as everybody does, so that no two wait for each other.

    Of the games alone: a table locked along with one, by who holds no game yet, is a deadlock.
    """
    return list(games.order_by("pk").select_for_update(of=("self",)))


def count_changes(tables: QuerySet[Table]) -> list[int]:
    """Count one at each of these tables, locked by their numbers; gives those."""
    held = tables.order_by("pk").select_for_update(no_key=True, of=("self",))
    numbers = list(held.values_list("pk", flat=True))
    Table.objects.filter(pk__in=numbers).update(changes=F("changes") + 1)
    return numbers


def counting(table_id: int, by: int = 1) -> hot.Statement:
    """The same as a statement, to be sent together with others."""
    return "UPDATE games_table SET changes = changes + %s WHERE id = %s", [by, table_id]


def tell_room(game_id: int, lobby: bool = True) -> None:
    """Ring, after commit, for who looks at the page of this game's room or at the lobby."""
    live.ring_room(Game.objects.values_list("table__room_id", flat=True).get(pk=game_id), lobby)


def tell_tables(room_id: int) -> None:
    """Let every table of a room be looked at again: what holds in the room has changed."""
    for table_id in count_changes(Table.objects.filter(room_id=room_id)):
        live.ring_after_commit(table_id)


def require_latest(table_id: int, game_id: int | None) -> None:
    """Raise Refused, stale, for a click on a game that is not the table's latest."""
    games = Game.objects.filter(table_id=table_id).order_by("-number").values_list("pk", flat=True)
    if game_id not in (None, games.first()):
        raise stale()


def own_seat(game: Game, user_id: int) -> GameSeat:
    seat = game.seats.filter(user_id=user_id).first()
    if seat is None:
        raise not_yours()
    return seat


def require_member(table_id: int, user_id: int) -> None:
    """Raise Refused for who is no member of the table's room; who may watch is not shown out."""
    room_id = Table.objects.filter(pk=table_id).values_list("room_id", flat=True).first()
    terms = Terms() if room_id is None else terms_of(room_id, user_id)
    if terms.member:
        return
    if terms.may_watch:
        raise Refused("only_watching", N_("You only watch here. Join the room to take part."))
    raise not_found()


def hold_membership(table_id: int, user_id: int) -> None:
    """Lock somebody's place in the table's room, so that they do not leave it meanwhile.

    To be called before a game is locked, as whoever ends a membership does (rooms/leaving.py).
    """
    mine = Member.objects.filter(room__tables=table_id, user_id=user_id)
    mine.select_for_update(of=("self",)).first()


def not_found() -> Refused:
    # The same answer as for a table of strangers: ids tell nothing.
    return Refused("not_found", N_("There is no such table."))


def stale() -> Refused:
    return Refused("stale", N_("The table has moved on. Look again before you play."))


def not_yours() -> Refused:
    return Refused("not_a_player", N_("You do not play at this table."))
