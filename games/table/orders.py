"""How a player holds their cards: a sort, or an order of their own, kept on every device."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from accounts import hot, live
from accounts.refusal import N_
from games import positions
from games.engine.cards import texts
from games.models import Game, OwnOrder
from games.table.rights import Refused, lock_latest, own_seat

SORTS = ("melds", "suit", "rank", "own")


def sort(table_id: int, user_id: int, sort: str, cards: Sequence[str] = ()) -> None:
    """Keep how one holds one's own hand; told to one's own windows alone.

    ``cards`` count for the sort "own": those not in the hand are passed over. None at all leaves
    the order kept before, so that one may look at another sort and come back. Raises Refused:
    no_game, no_such_sort.
    """
    if sort not in SORTS:
        raise Refused("no_such_sort", N_("There is no such way to sort a hand."))
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        seat = own_seat(game, user_id).seat
        if game.started_at is None or game.ended_at is not None:
            raise Refused("no_game", N_("No game is being played at this table."))
        kept = {"sort": sort}
        if sort == "own" and cards:
            kept["cards"] = "".join(_known(cards, _held(game, seat)))
        OwnOrder.objects.update_or_create(game=game, seat=seat, defaults=kept)
        transaction.on_commit(lambda: live.ring(f"user.{user_id}"), robust=True)


def forgetting(game_id: int) -> hot.Statement:
    """The statement after which the next hand is held as it is dealt: an order is of one hand."""
    return "UPDATE games_ownorder SET cards = '' WHERE game_id = %s AND cards <> ''", [game_id]


def _known(cards: Iterable[str], held: Sequence[str]) -> list[str]:
    """The cards that are held, each once, in the order given."""
    return [card for card in dict.fromkeys(cards) if card in held]


def _held(game: Game, seat: int) -> list[str]:
    """What this seat holds in the open hand."""
    hand = game.hands.filter(ended_at=None).first()
    if hand is None:
        return []
    position = positions.position_of(game.pk, hand.pk, hand.moves.count())
    return texts(position.held[seat])
