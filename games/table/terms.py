"""What a game is played by and for: taken from the room, and who has the chips for it."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.refusal import Refusal
from games.models import Game, Room, Rotation, Table, Waiting
from games.stakes.offers import Offer, next_terms
from games.table.rights import hold_games, latest_games
from scoring import chips
from scoring.rules.stakes import Stakes


def take_terms(game: Game) -> None:
    """Rules and stakes as the room has them today; the caller saves them."""
    terms = Table.objects.values_list("room__rules", "room__stakes")
    game.rules, game.stakes = terms.get(pk=game.table_id)


def require_chips(table_id: int, user_id: int, stakes: Mapping[str, str]) -> None:
    """Refuse a seat to whoever could not play for this. Raises Refusal."""
    wanted = Stakes.from_dict(stakes)
    if wanted.played_for:
        room_id = Table.objects.values_list("room_id", flat=True).get(pk=table_id)
        chips.require_affordable(user_id, wanted, room_id)


def require_chips_in_line(table_id: int, user_id: int) -> None:
    """The same of whoever waits for the next game, which may be for what the room plays for now."""
    stakes = Table.objects.values_list("room__stakes", flat=True).get(pk=table_id)
    require_chips(table_id, user_id, stakes)


def require_seen(game: Game, seen: str | None) -> None:
    """Refuse a seat in this game to whoever saw it offered otherwise. Raises Refusal."""
    Offer.of(game.rules, game.stakes).require_seen(seen)


def require_next_seen(game: Game, seen: str | None) -> None:
    """The same of the game after one that is over."""
    Offer.of(*next_terms(game.table_id, game.rules, game.stakes)).require_seen(seen)


def follow(room: Room, anew: bool, stay: int | None = None) -> None:
    """Have the games to come of a locked room follow what it is now.

    One that waits takes its rules and stakes; who waits there gets up where they could not play for
    them, and where somebody is to ``stay``, everybody else. ``anew``: who asked for a next game
    that follows the room asks again: it is for them to agree again.
    """
    for game in hold_games(latest_games(table__room=room).select_related("table")):
        if game.started_at is None:
            game.rules, game.stakes = room.rules, room.stakes
            game.save(update_fields=["rules", "stakes"])
            _get_up_short(game, stay)
        elif anew and game.ended_at is not None and _next_follows(game):
            # Whether wished for or not: a wish may be under way behind the lock.
            game.seats.filter(wants_rematch=True).update(wants_rematch=False)
            Waiting.objects.filter(table_id=game.table_id).update(ready_after=0)


def _next_follows(game: Game) -> bool:
    """Whether what the game after this one is played for is the room's to say."""
    promised = Stakes.from_dict(game.stakes).purse_from == "owner"
    return promised or game.table.rotation != Rotation.NONE


def _get_up_short(game: Game, stay: int | None = None) -> None:
    """Free the seats, at a locked game that waits, of who could not play for its stakes now.

    ``stay``: who changed them, where they were changed: nobody else has agreed to these yet.
    """
    for chair in game.seats.all():
        if stay is not None and chair.user_id != stay:
            chair.delete()
            continue
        try:
            require_chips(game.table_id, chair.user_id or 0, game.stakes)
        except Refusal as refusal:
            if refusal.code != "being_settled":  # what they won may do: it is asked again
                chair.delete()
