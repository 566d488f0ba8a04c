"""What lies beside the cards of a table: an offer, the orders of hands, the line.

Read only when something other than a move has happened since the last time, so that a move
pays nothing for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef

from games import positions
from games.fair.published import Published, published
from games.frames import Frame
from games.models import CallOff, Game, GameSeat, Hand, OwnOrder, Rotation, Table, Waiting
from games.stakes.offers import Offer, next_terms

LOOKED_BACK = 80  # seats; who stayed longer has stayed long enough

_kept: dict[int, tuple[tuple[int, int, bool], Beside]] = {}


@dataclass(frozen=True, slots=True)
class InLine:
    """Somebody who waits for the table's next game."""

    user_id: int
    name: str
    guest: bool
    ready_after: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Everything stored of a table that its cards do not need."""

    spectators_admitted: bool
    rotation: str
    line: tuple[InLine, ...]  # first in line first
    since: dict[int, int]  # user: the game with which they came to this table, if turns are taken
    offered_by: int | None  # the seat that offers to call the game off
    offered_at: datetime | None  # an offer falls with the hand it was made in
    orders: dict[int, tuple[str, str]]  # seat: sort and cards; each is its own seat's alone
    shuffle: Published | None  # while the cards are being shuffled
    following: Offer | None  # what the next game is played by and for, once this one is over


def beside_of(frame: Frame) -> Beside:
    """What lies beside this table now, kept until something changes there."""
    kept = _kept.get(frame.table_id)
    # A move may end the game, and is not counted among the changes.
    stamp = (frame.changes, frame.game_id, frame.ended)
    if kept is not None and kept[0] == stamp:
        return kept[1]
    beside = _read(frame)
    positions.keep(_kept, frame.table_id, (stamp, beside))
    return beside


def here_since(table_id: int) -> dict[int, int]:
    """With which game each player of the table's last game came to it, without a break since."""
    rows = GameSeat.objects.filter(game__table_id=table_id, game__started_at__isnull=False)
    games: dict[int, set[int]] = {}
    for number, user_id in rows.order_by("-game__number").values_list("game__number", "user_id")[
        :LOOKED_BACK
    ]:
        games.setdefault(number, set()).add(user_id or 0)
    since: dict[int, int] = {}
    staying: set[int] | None = None
    for number, players in games.items():  # newest first
        staying = players if staying is None else staying & players
        since.update(dict.fromkeys(staying, number))
    return since


def forget() -> None:
    """Drop everything kept."""
    _kept.clear()


def _read(frame: Frame) -> Beside:
    table = Table.objects.select_related("room").get(pk=frame.table_id)
    line = Waiting.objects.filter(table=table)
    line_rows = line.values_list(
        "user_id", "user__username", "user__is_guest", "ready_after"
    )
    orders = OwnOrder.objects.filter(game_id=frame.game_id).values_list("seat", "sort", "cards")
    offer = standing_offer(frame.game_id)
    return Beside(
        spectators_admitted=table.room.spectators,
        rotation=table.rotation,
        line=tuple(InLine(*row) for row in line_rows),
        since={} if table.rotation == Rotation.NONE else here_since(table.pk),
        offered_by=offer.seat if offer else None,
        offered_at=offer.offered_at if offer else None,
        orders={seat: (sort, cards) for seat, sort, cards in orders},
        following=_following(frame) if frame.ended else None,
        shuffle=None if frame.shuffle_until is None else published(frame.game_id),
    )


def _following(frame: Frame) -> Offer:
    last = Game.objects.values_list("rules", "stakes").get(pk=frame.game_id)
    return Offer.of(*next_terms(frame.table_id, *last))


def standing_offer(game_id: int) -> CallOff | None:
    """The offer to call this game off that still stands: no hand has ended since it was made."""
    ended = Hand.objects.filter(game_id=game_id, ended_at__gte=OuterRef("offered_at"))
    return CallOff.objects.filter(~Exists(ended), game_id=game_id).first()
