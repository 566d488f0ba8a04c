"""Sitting down: a table is laid, its seats are taken, a game starts, and starts again."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from accounts import bots
from accounts.models import User
from accounts.refusal import N_, Refusal
from games import live
from games.models import Game, GameSeat, Waiting
from games.stakes.offers import next_terms
from games.table import clock, wagers
from games.table.company import keeps_apart, require_company
from games.table.hands import MORE_THAN_PLIES, SEATS, deal_next
from games.table.line import ask_again, change_places, sitting
from games.table.rights import (
    Refused,
    count_change,
    hold_games,
    hold_membership,
    latest_games,
    lock_latest,
    own_seat,
    require_member,
    stale,
    tell_room,
)
from games.table.terms import require_chips, require_next_seen, require_seen, take_terms
from scoring import ledger


def lay(table_id: int) -> int:
    """Lay a table for its next game, with all seats free; returns the game's id.

    To be called by whoever opens the table, in its transaction.
    """
    last = Game.objects.filter(table_id=table_id).aggregate(last=Max("number"))["last"] or 0
    game = Game(table_id=table_id, number=last + 1)
    take_terms(game)
    _store(game)
    return game.pk


def _store(game: Game) -> None:
    """Store a new game. The plies of the hand before count no more in how new a view is."""
    game.save(force_insert=True)
    if game.number > 1:
        count_change(game.table_id, by=MORE_THAN_PLIES)


def lay_again(table_id: int, user_id: int) -> None:
    """Lay a table whose game is over for another one, in the caller's transaction.

    Raises Refused: stale, where the next one lies there already or others wait in line for it.
    """
    game = lock_latest(table_id, user_id)
    if game.ended_at is None or Waiting.objects.filter(table_id=table_id).exists():
        raise stale()
    lay(table_id)


def waiting_table_of(room_id: int, user_id: int) -> int | None:
    """The table of this room at which this person waits for someone to play with, if any."""
    mine = GameSeat.objects.filter(
        user_id=user_id, game__table__room_id=room_id, game__started_at=None, game__ended_at=None
    )
    return mine.values_list("game__table_id", flat=True).first()


def sit_down(table_id: int, user_id: int, seen: str | None = None) -> int:
    """Take a free seat; the game starts with the last one. Returns the seat. Twice is once.

    ``seen``: the mark of what they agree to play by and for (games/stakes/offers.py).

    Raises Refused: not_found (no such table for this person), full, apart (in public rooms);
    Refusal: changed_offer, too_few_chips, no_stakes_for_guests.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        require_member(table_id, user_id)  # again: removed while the lock was waited for
        if game.started_at is None:  # of who was shut out meanwhile, before free_seats comes
            game.seats.filter(user__is_active=False, user__bot="").delete()
        taken = dict(game.seats.values_list("seat", "user_id"))
        for seat, holder in taken.items():
            if holder == user_id:
                return seat
        if game.started_at is not None or len(taken) >= SEATS:
            raise Refused("full", N_("This table is full. Open another one in the room."))
        if keeps_apart(table_id, user_id, [one for one in taken.values() if one]):
            raise Refused("apart", N_("You cannot sit down here. Take another table."))
        take_terms(game)
        require_seen(game, seen)
        require_chips(game.table_id, user_id, game.stakes)
        seat = min(set(range(SEATS)) - set(taken))
        GameSeat.objects.create(game=game, seat=seat, user_id=user_id)
        taken[seat] = user_id
        live.ring_after_commit(table_id)  # first: the start may ask a broker, who may not answer
        if len(taken) == SEATS:
            start(game, [taken[each] for each in range(SEATS)])
        tell_room(game.pk)
    return seat


def hold_seats(room_ids: Sequence[int], user_id: int) -> list[Game]:
    """Lock, in these rooms, every game that can still change, and those somebody asked to repeat.

    All at once: whoever goes changes what their rooms play for after their seats.
    """
    games = Game.objects.filter(table__room__in=room_ids)
    again = games.filter(seats__user_id=user_id, seats__wants_rematch=True)
    last = latest_games(table__room__in=room_ids)
    return hold_games(games.filter(Q(pk__in=again.values("pk")) | Q(pk__in=last.values("pk"))))


def clear_seats(room_id: int, user_id: int) -> None:
    """Take back what a person who leaves a room holds there: free seats, wishes, places in line.

    To be called in the transaction of whoever ends the membership, before they read whether the
    person plays: every game that is open, or could be played again, stays locked until its end.
    """
    locked = hold_seats([room_id], user_id)
    line = Waiting.objects.filter(table__room_id=room_id, user_id=user_id)
    seats = GameSeat.objects.filter(user_id=user_id, game__in=locked)
    seats.filter(game__ended_at__isnull=False).update(wants_rematch=False)
    waiting = seats.filter(game__started_at=None)
    tables = set(waiting.values_list("game__table_id", flat=True))
    waiting.delete()
    tables |= set(line.values_list("table_id", flat=True))
    line.delete()
    for table_id in sorted(tables):
        count_change(table_id)
        live.ring_after_commit(table_id)


def free_seats() -> int:
    """Take back what those hold who are shut out: seats at open tables, wishes, places in line.

    Whoever suspends somebody knows no tables, so this comes by itself. How many rooms it was.
    """
    seats = GameSeat.objects.filter(user__is_active=False, user__bot="")
    idle = Q(game__started_at=None) | Q(game__ended_at__isnull=False, wants_rematch=True)
    held = set(seats.filter(idle).values_list("game__table__room_id", "user_id"))
    held |= set(
        Waiting.objects.filter(user__is_active=False).values_list("table__room_id", "user_id")
    )
    for room_id, user_id in sorted(held):
        with transaction.atomic():
            clear_seats(room_id, user_id or 0)
            live.ring_room(room_id)
    return len(held)


def rematch(
    table_id: int, user_id: int, game_id: int | None = None, seen: str | None = None
) -> None:
    """Ask for another game; it starts when all who are to play it have asked.

    The same two play by the same rules, the first dealer drawn anew. Where turns are taken the
    first in line asks too and takes a seat (line.py), and it is played as the room plays today.
    The table keeps its address. ``seen``: as when sitting down.
    """
    try:
        _ask_for_another(table_id, user_id, game_id, seen)
    except Refusal as refusal:
        if refusal.code != "being_settled" or not _share_out_last(table_id):
            raise
        _ask_for_another(table_id, user_id, game_id, seen)


def _ask_for_another(table_id: int, user_id: int, game_id: int | None, seen: str | None) -> None:
    with transaction.atomic():
        hold_membership(table_id, user_id)
        game = lock_latest(table_id, user_id)
        if game.ended_at is None:
            own_seat(game, user_id)
            if game.started_at is not None and game.number > 1 and game_id != game.pk:
                return  # all asked at once: the new game lies there already
            raise Refused("not_over", N_("This game is not over yet."))
        if game_id not in (None, game.pk):
            raise stale()
        require_next_seen(game, seen)
        news = ask_again(game, user_id)
        players = change_places(game)
        require_company(table_id, players or sitting(game))
        if news or players is not None:
            live.ring_after_commit(table_id)
            tell_room(game.pk)
        if players is not None:
            _lay_again(game, players)


def _share_out_last(table_id: int) -> bool:
    """Write what the last game came to before its task does: its chips are wanted for the next.

    In a transaction of its own, since it locks chip accounts. Whether there was anything to write.
    """
    last = Game.objects.filter(table_id=table_id).order_by("-number").first()
    return last is not None and last.sheet_id is not None and ledger.write_bonuses(last.sheet_id)


def _lay_again(game: Game, players: Sequence[int]) -> None:
    """Start the game after ``game``, on the terms its players were shown."""
    rules, stakes = next_terms(game.table_id, game.rules, game.stakes)
    again = Game(table_id=game.table_id, number=game.number + 1, rules=rules, stakes=stakes)
    _store(again)
    for number, player in enumerate(players):
        GameSeat.objects.create(game=again, seat=number, user_id=player)
    Waiting.objects.filter(table_id=game.table_id, user_id__in=players).delete()
    start(again, players)


def start(game: Game, players: Sequence[int]) -> None:
    """Open the sheet, freeze the rules, deal the first hand or wait for its shuffle."""
    people = User.objects.in_bulk(players)
    entries = [_entry(people[player]) for player in players]
    game.sheet_id = ledger.open_sheet(game.rules, entries)
    game.started_at = timezone.now()
    game.save(update_fields=["rules", "stakes", "sheet", "started_at"])
    wagers.put_up(game, players)
    clock.wind_up(game.pk, game.table_id, SEATS)
    deal_next(game.table_id)


def _entry(player: User) -> ledger.SeatEntry:
    if player.bot:
        return ledger.SeatEntry(bots.NAMES[player.bot], player.pk, "bot")
    return ledger.SeatEntry(player.username, player.pk, "guest" if player.is_guest else "person")
