"""Three or four friends at one table: who is next in line, and who makes room."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_, Refusal
from games import live
from games.beside import here_since
from games.models import Game, GameSeat, Member, Rotation, Table, Waiting
from games.rotation import who_makes_room
from games.table.company import keeps_apart
from games.table.rights import Refused, hold_membership, lock_latest, not_yours, tell_room
from games.table.terms import require_chips_in_line
from scoring import ledger

LINE_AT_MOST = 10
# How long the first in line is waited for before the two who sat may play on without them.
PATIENCE = timedelta(seconds=60)


def line_up(table_id: int, user_id: int) -> None:
    """Get in line for the table's next game. Twice is once.

    Raises Refused: no_rotation, seated, seat_free, line_full, apart (in public rooms).
    """
    with transaction.atomic():
        hold_membership(table_id, user_id)
        game = lock_latest(table_id, user_id)
        if _rotation(game) == Rotation.NONE:
            raise Refused("no_rotation", N_("Nobody takes turns at this table."))
        if game.seats.filter(user_id=user_id).exists():
            raise Refused("seated", N_("You already sit at this table."))
        if game.started_at is None:
            raise Refused("seat_free", N_("A seat is free: sit down."))
        line = set(Waiting.objects.filter(table_id=table_id).values_list("user_id", flat=True))
        if user_id in line:
            return
        seated = [one for one in game.seats.values_list("user_id", flat=True) if one]
        if keeps_apart(table_id, user_id, {*line, *seated}):
            raise Refused("apart", N_("You cannot get in line here. Take another table."))
        if len(line) >= LINE_AT_MOST:
            raise Refused("line_full", N_("The line is too long. Open another table in the room."))
        require_chips_in_line(table_id, user_id)
        Waiting.objects.create(table_id=table_id, user_id=user_id)
        _tell_of_the_line(game)


def step_out(table_id: int, user_id: int) -> None:
    """Leave the line. Twice is once."""
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        gone, _ = Waiting.objects.filter(table_id=table_id, user_id=user_id).delete()
        if gone:
            _tell_of_the_line(game)


def _tell_of_the_line(game: Game) -> None:
    """Ring for the table and the room's page; no other list names who waits."""
    live.ring_after_commit(game.table_id)
    tell_room(game.pk, lobby=False)


def ask_again(game: Game, user_id: int) -> bool:
    """Note that this person wants the next game of a table whose game is over and locked.

    A player of the last game may ask, and so may the first in line. Whether this is news.
    """
    own = game.seats.filter(user_id=user_id)
    if own.exists():
        return bool(own.filter(wants_rematch=False).update(wants_rematch=True))
    first = _first(game)
    if first is None or first.user_id != user_id:
        raise not_yours()
    require_chips_in_line(first.table_id, user_id)
    asking = Waiting.objects.filter(pk=first.pk).exclude(ready_after=game.number)
    return bool(asking.update(ready_after=game.number))


def change_places(game: Game) -> list[int] | None:
    """The players of the next game, seat by seat, or None while somebody is still to ask.

    Whoever makes room for the first in line goes to its end. The two who sat play on without
    them, if both ask and the first in line has not in a minute: nobody absent blocks a table.
    Raises Refused: player_gone.
    """
    chairs = list(game.seats.select_related("user").order_by("seat"))
    members = set(
        Member.objects.filter(room__tables=game.table_id, user__is_active=True)
        .values_list("user_id", flat=True)
    )  # fmt: skip
    # The computer belongs to no room, and is always there for another game.
    members |= {chair.user_id or 0 for chair in chairs if _is_bot(chair)}
    both = all(chair.wants_rematch or _is_bot(chair) for chair in chairs)
    first = _first_with_chips(game)
    out = None if first is None else _out(game, chairs, members)
    if first is not None and out is not None:
        stay = [chair for chair in chairs if chair.seat != out]
        if first.ready_after == game.number and all(one.wants_rematch for one in stay):
            return _changed(chairs, out, first, members)
        if game.ended_at is None or timezone.now() < game.ended_at + PATIENCE:
            return None
    players = _all_here([chair.user_id for chair in chairs], members)
    return players if both else None


def _changed(
    chairs: list[GameSeat], out: int, first: Waiting, members: set[int]
) -> list[int]:
    """Seat the first in line in place of ``out``, who goes to the end."""
    gone = None if _is_bot(chairs[out]) else chairs[out].user_id
    players = _all_here(
        [first.user_id if chair.seat == out else chair.user_id for chair in chairs], members
    )
    Waiting.objects.filter(pk=first.pk).delete()
    if gone in members:
        Waiting.objects.get_or_create(table_id=first.table_id, user_id=gone)
    return players


def sitting(game: Game) -> list[int]:
    """The two who would play again; nobody where somebody waits in line."""
    if _first(game) is not None:
        return []
    return [one for one in game.seats.values_list("user_id", flat=True) if one is not None]


def _out(game: Game, chairs: list[GameSeat], members: set[int]) -> int | None:
    """Which seat makes room: the computer's, one whose player has left, else as is agreed."""
    rotation = _rotation(game)
    for chair in chairs:
        if rotation != Rotation.NONE and (_is_bot(chair) or chair.user_id not in members):
            return int(chair.seat)
    sheet = None if game.sheet_id is None else ledger.read_sheet(game.sheet_id)
    since = here_since(game.table_id)
    return who_makes_room(
        rotation,
        sheet.standing.winner if sheet else None,
        [since.get(chair.user_id or 0, 0) for chair in chairs],
    )


def _all_here(players: list[int | None], members: set[int]) -> list[int]:
    here = [player for player in players if player is not None and player in members]
    if len(here) < len(players):
        raise Refused("player_gone", N_("The other player has left this room."))
    return here


def _is_bot(chair: GameSeat) -> bool:
    return chair.user is not None and bool(chair.user.bot)


def _first(game: Game) -> Waiting | None:
    return Waiting.objects.filter(table_id=game.table_id).order_by("pk").first()


def _first_with_chips(game: Game) -> Waiting | None:
    """The first in line who could play for what the room plays for now; others leave the line.

    Raises Refusal: being_settled, as long as it is not known.
    """
    while (first := _first(game)) is not None:
        try:
            require_chips_in_line(first.table_id, first.user_id)
        except Refusal as refusal:
            if refusal.code == "being_settled":
                raise
            first.delete()
        else:
            break
    return first


def _rotation(game: Game) -> str:
    return Table.objects.values_list("rotation", flat=True).get(pk=game.table_id)
