"""What a game is played by and for: taken from the room, and who has the chips for it."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.refusal import Refusal
from games.models import Game, Table
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


def stakes_again(game: Game) -> dict[str, str]:
    """What the same two play for once more: the same, a host's purse while it is offered alone."""
    stakes: dict[str, str] = game.stakes
    if Stakes.from_dict(stakes).purse_from != "owner":
        return stakes
    offered = Table.objects.values_list("room__stakes", flat=True).get(pk=game.table_id)
    return stakes if offered == stakes else {}


def get_up_short(game: Game, stay: int | None = None) -> None:
    """Free the seats, at a locked game that waits, of who could not play for its stakes now.

    ``stay``: who changed them, where they were changed: nobody else has agreed to these yet.
    """
    for chair in game.seats.all():
        if stay is not None and chair.user_id != stay:
            chair.delete()
            continue
        try:
            require_chips(game.table_id, chair.user_id or 0, game.stakes)
        except Refusal:
            chair.delete()
