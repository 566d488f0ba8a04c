"""The table: every change to a game, and every look at one.

Each verb is one transaction that locks the Game row first, checks, writes, and rings the table's
bell after commit. Lock order: Game, then ScoreSheet. A refused verb has changed nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from accounts.refusal import N_, Refusal
from games import dealing, live, positions, reading
from games.engine import position as play
from games.engine.showdown import Outcome
from games.looking import NEXT_DEAL_AFTER, View, draw_up
from games.models import Game, GameSeat, Hand, Member, Move, Table
from games.reading import Frame, frame_of
from scoring import ledger, tasks
from scoring.rules import HandResult

SEATS = 2


class Refused(Refusal):
    """A table verb that may not be done now, by this person, here."""


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
        game = _lock_latest(table_id, user_id)
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


def _start(game: Game, players: Sequence[int]) -> None:
    """Open the sheet, freeze the rules, deal the first hand."""
    names = dict(User.objects.filter(pk__in=players).values_list("pk", "username"))
    entries = [ledger.SeatEntry(user_id=player, name=names[player]) for player in players]
    game.sheet_id = ledger.open_sheet(game.rules, entries)
    game.started_at = timezone.now()
    game.save(update_fields=["rules", "sheet", "started_at"])
    _deal(game.pk, 1, dealing.first_dealer(SEATS))


def _deal(game_id: int, number: int, dealer: int) -> None:
    Hand.objects.create(
        game_id=game_id,
        number=number,
        dealer=dealer,
        deck=dealing.fresh_deck(),
        dealt_at=timezone.now(),
    )


def make_move(
    table_id: int, user_id: int, text: str, at: tuple[int, int], game_id: int | None = None
) -> None:
    """Make one move of the open hand, from the place the player stood at.

    ``at`` is (hand, ply) of the view the player clicked in, ``game_id`` its game. Raises Refused
    (stale, no_game, not_your_turn, not_found) or IllegalMove; then nothing has changed. The stored
    row is the acknowledgement: returned means never lost.
    """
    try:
        with transaction.atomic():
            _make_move(table_id, user_id, text, at, game_id)
    except IntegrityError:
        # The lock makes this impossible; were it ever broken, one_move_a_ply still holds.
        raise _stale() from None


def _make_move(
    table_id: int, user_id: int, text: str, at: tuple[int, int], game_id: int | None
) -> None:
    place = reading.lock_place(table_id, user_id)
    if place is None or place.seat is None:
        _require_member(table_id, user_id)
    if place is None or place.hand_id is None:
        raise Refused("no_game", N_("No hand is being played at this table."))
    if place.seat is None:
        raise _not_yours()
    if at != (place.hand_number, place.ply) or game_id not in (None, place.game_id):
        raise _stale()
    position = positions.position_of(place.game_id, place.hand_id, place.ply)
    if position.to_act != place.seat:
        raise Refused("not_your_turn", N_("It is not your turn."))
    after = play.apply(position, text)
    Move(
        hand_id=place.hand_id, ply=after.ply, seat=place.seat, text=text, made_at=timezone.now()
    ).save(force_insert=True)
    if after.outcome is not None:
        _end_hand(place, place.hand_id, after.outcome)
    transaction.on_commit(partial(positions.keep_position, place.hand_id, after), robust=True)
    live.ring_after_commit(table_id)


def _end_hand(place: reading.Place, hand_id: int, outcome: Outcome) -> None:
    """Close the hand and write its line; the game is then between hands, or over."""
    Hand.objects.filter(pk=hand_id).update(ended_at=timezone.now())
    standing = ledger.record_hand(place.sheet_id, place.hand_number, result_of(outcome))
    if standing.reached is not None:
        _end_game(place.game_id, place.sheet_id)


def _end_game(game_id: int, sheet_id: int) -> None:
    Game.objects.filter(pk=game_id).update(ended_at=timezone.now())
    # Lost on the way, the sweep finds the sheet: robust, so that a dead broker harms no move.
    transaction.on_commit(partial(tasks.write_bonuses.delay, sheet_id), robust=True)


def result_of(outcome: Outcome) -> HandResult:
    """The end of a hand as the score sheet takes it."""
    return HandResult(
        winner=outcome.winner,
        kind=outcome.end,
        knocker_deadwood=outcome.knocker_deadwood,
        defender_deadwood=outcome.defender_deadwood,
        spade=outcome.spade,
    )


def ready(table_id: int, user_id: int) -> None:
    """Leave the showdown; the next hand is dealt when all have left it. Twice is once."""
    with transaction.atomic():
        game = _lock_latest(table_id, user_id)
        seat = _own_seat(game, user_id)
        hand = game.hands.order_by("-number").first()
        if game.ended_at is not None or hand is None:
            raise Refused("no_game", N_("No hand is being played at this table."))
        if hand.ended_at is None:
            # The other player was quicker, or the time ran out: the next hand lies there already.
            return
        game.seats.filter(pk=seat.pk).update(ready_after=hand.number)
        _deal_if_due(game, hand)
        live.ring_after_commit(table_id)


def _deal_if_due(game: Game, hand: Hand) -> bool:
    """Deal the hand after ``hand`` if all are ready or the time is over. The game is locked."""
    if hand.ended_at is None:
        return False
    late = timezone.now() >= hand.ended_at + NEXT_DEAL_AFTER
    if not late and game.seats.filter(ready_after__lt=hand.number).exists():
        return False
    rules = positions.rules_of(game.pk)
    moves = hand.moves.count()
    outcome = positions.position_of(game.pk, hand.pk, moves).outcome
    winner = outcome.winner if outcome else None
    dealer = dealing.next_dealer(rules.next_dealer, hand.dealer, winner, SEATS)
    _deal(game.pk, hand.number + 1, dealer)
    return True


def deal_overdue(table_id: int) -> None:
    """Deal the next hand if the time between hands is over, whoever looks first."""
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(table_id=table_id, ended_at=None).first()
        hand = game.hands.order_by("-number").first() if game else None
        if game is not None and hand is not None and _deal_if_due(game, hand):
            live.ring_after_commit(table_id)


def resign(table_id: int, user_id: int) -> None:
    """Give the game up: the opponent wins it (rules, section 12). Raises Refused: no_game."""
    with transaction.atomic():
        game = _lock_latest(table_id, user_id)
        seat = _own_seat(game, user_id)
        if game.started_at is None or game.ended_at is not None or game.sheet_id is None:
            raise Refused("no_game", N_("No game is being played at this table."))
        game.hands.filter(ended_at=None).update(ended_at=timezone.now())
        ledger.end_sheet(game.sheet_id, how="resigned", by=seat.seat)
        _end_game(game.pk, game.sheet_id)
        live.ring_after_commit(table_id)


def rematch(table_id: int, user_id: int) -> None:
    """Ask for another game; it starts, with the same rules, when all players have asked.

    The first dealer is drawn anew. The table keeps its address.
    """
    with transaction.atomic():
        game = _lock_latest(table_id, user_id)
        seat = _own_seat(game, user_id)
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


def look(table_id: int, user_id: int | None) -> View:
    """What this person sees of the table now: their own seat's view, or what is public.

    Raises Refused: not_found, for anyone who neither plays here nor is a member of the room.
    """
    frame = frame_of(table_id)
    if frame is None or not _may_look(frame, user_id):
        raise _not_found()
    if _is_overdue(frame):
        deal_overdue(table_id)
        frame = frame_of(table_id) or frame
    return draw_up(frame, frame.seat_of(user_id), int(time.time() * 1000))


def _is_overdue(frame: Frame) -> bool:
    """Whether the next hand should lie there already."""
    if frame.hand_ended_at is None or frame.ended:
        return False
    return timezone.now() >= frame.hand_ended_at + NEXT_DEAL_AFTER


def _may_look(frame: Frame, user_id: int | None) -> bool:
    if user_id is None:
        return False
    if frame.seat_of(user_id) is not None:
        return True
    return Member.objects.filter(room_id=frame.room_id, user_id=user_id).exists()


def _lock_latest(table_id: int, user_id: int) -> Game:
    """The table's latest game, locked, for a member of its room."""
    _require_member(table_id, user_id)
    games = Game.objects.filter(table_id=table_id).order_by("-number")
    while True:
        game = games.select_for_update().first()
        if game is None:
            raise _not_found()
        # Whoever held the lock before may have laid the table for another game.
        if not games.filter(number__gt=game.number).exists():
            return game


def _require_member(table_id: int, user_id: int) -> None:
    if not Table.objects.filter(pk=table_id, room__members__user_id=user_id).exists():
        raise _not_found()


def _own_seat(game: Game, user_id: int) -> GameSeat:
    seat = game.seats.filter(user_id=user_id).first()
    if seat is None:
        raise _not_yours()
    return seat


def _not_found() -> Refused:
    # The same answer as for a table of strangers: ids tell nothing.
    return Refused("not_found", N_("There is no such table."))


def _stale() -> Refused:
    return Refused("stale", N_("The table has moved on. Look again before you play."))


def _not_yours() -> Refused:
    return Refused("not_a_player", N_("You do not play at this table."))
