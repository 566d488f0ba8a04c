"""Playing: one move of the open hand, and giving the game up."""

from __future__ import annotations

import logging

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts import hot, meters
from accounts.refusal import N_
from games import facts, live, positions
from games.engine import position as play
from games.engine.position import IDLE_TURNS, Position
from games.engine.showdown import Outcome
from games.models import Game, GameSeat, Hand
from games.table import clock
from games.table.heartbeat import may_judge
from games.table.rights import (
    Refused,
    lock_latest,
    not_yours,
    own_seat,
    require_member,
    stale,
    tell_room,
)
from games.table.summons import summon
from scoring import ledger, tasks
from scoring.rules import HandResult

logger = logging.getLogger(__name__)

# Raw, since every click runs it.
_MOVE = "INSERT INTO games_move (hand_id, ply, seat, text, made_at) VALUES (%s, %s, %s, %s, %s)"


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
        # The lock makes this impossible; were it ever broken, the database still holds.
        # Without its words: PostgreSQL may quote the row, and with it a deck.
        logger.error("Table %s: the database refused a move at %s", table_id, at)
        raise stale() from None


def _make_move(
    table_id: int, user_id: int, text: str, at: tuple[int, int], game_id: int | None
) -> None:
    place = facts.lock_place(table_id, user_id)
    if place is None or place.seat is None:
        require_member(table_id, user_id)
    if place is None or place.hand_id is None:
        raise Refused("no_game", N_("No hand is being played at this table."))
    if place.seat is None:
        raise not_yours()
    if place.adjourned is not None:
        raise clock.adjourned()
    if at != (place.hand_number, place.ply) or game_id not in (None, place.game_id):
        raise stale()
    position = positions.position_of(place.game_id, place.hand_id, place.ply)
    if position.to_act != place.seat:
        raise Refused("not_your_turn", N_("It is not your turn."))
    if place.deadline is not None and clock.is_over(place) and may_judge():
        # The look that follows plays for them (time.py).
        raise Refused("time_over", N_("Your time is over: the clock plays for you."))
    after = write_move(place.hand_id, place.seat, position, text)
    # Before the bonuses are sent for: a broker that does not answer must not hold up the bell.
    live.ring_after_commit(table_id)
    carry_on(place, place.hand_id, place.seat, after)


def write_move(hand_id: int, seat: int, position: Position, text: str) -> Position:
    """Store one move of a locked game; gives the position after it. Raises IllegalMove."""
    after = play.apply(position, text)
    spelt = after.log[-1].move  # as the engine does
    made_at = connection.ops.adapt_datetimefield_value(timezone.now())
    with hot.cursor() as cursor:
        cursor.execute(_MOVE, [hand_id, after.ply, seat, spelt, made_at])
    return after


def carry_on(
    place: facts.Place, hand_id: int, seat: int, after: Position, timed_out: bool = False
) -> None:
    """What follows the moves of a seat: the clock goes to the next, or the hand is over."""
    transaction.on_commit(lambda: positions.keep_position(hand_id, after), robust=True)
    transaction.on_commit(lambda: meters.MOVES.inc(), robust=True)
    if after.to_act != seat:
        clock.end_turn(place, seat, after.to_act, timed_out)
    if after.to_act is not None and place.bots >> after.to_act & 1:
        summon(place.table_id)
    if after.outcome is not None:
        idle = after.idle_turns >= IDLE_TURNS
        _end_hand(place, hand_id, result_of(after.outcome, idle))


def _end_hand(place: facts.Place, hand_id: int, result: HandResult) -> None:
    """Close the hand and write how it ended; the game is then between hands, or over."""
    _close(Hand.objects.filter(pk=hand_id))
    if place.bots:  # the computer has seen enough of the showdown
        bots = GameSeat.objects.filter(game_id=place.game_id, user__bot__gt="")
        bots.update(ready_after=place.hand_number)
    standing = ledger.record_hand(place.sheet_id, place.hand_number, result)
    if standing.reached is not None:
        _end_game(place.game_id, place.sheet_id)
    tell_room(place.game_id)


def resign(table_id: int, user_id: int, game_id: int | None = None) -> None:
    """Give the game up: the opponent wins it (rules, section 12). Raises Refused: no_game."""
    with transaction.atomic():
        game = lock_latest(table_id, user_id, game_id)
        seat = own_seat(game, user_id)
        if game.started_at is None or game.ended_at is not None or game.sheet_id is None:
            raise Refused("no_game", N_("No game is being played at this table."))
        live.ring_after_commit(table_id)
        begun = game.hands.exists()  # a start broken off before a card was seen is nobody's loss
        end_early(game, game.sheet_id, *(("resigned", seat.seat) if begun else ("called_off",)))


def end_early(game: Game, sheet_id: int, how: str, by: int | None = None) -> None:
    """End a locked game otherwise than by its last hand: the open hand counts for nothing."""
    _close(game.hands.filter(ended_at=None))
    ledger.end_sheet(sheet_id, how=how, by=by)
    _end_game(game.pk, sheet_id)
    tell_room(game.pk)


def _close(hands: QuerySet[Hand]) -> None:
    """End hands now, or when they were dealt: a clock set back must refuse nobody's move."""
    hands.update(ended_at=Greatest("dealt_at", Value(timezone.now())))


def _end_game(game_id: int, sheet_id: int) -> None:
    Game.objects.filter(pk=game_id).update(ended_at=timezone.now())
    clock.stop(game_id)
    # Lost on the way, the sweep finds the sheet: robust, so that a dead broker harms no move.
    transaction.on_commit(lambda: tasks.write_bonuses.delay(sheet_id), robust=True)


def result_of(outcome: Outcome, idle: bool = False) -> HandResult:
    """The end of a hand as the score sheet takes it. ``idle``: too long without the stock."""
    if outcome.end == "void":
        return HandResult(None, "void", idle=idle)
    return HandResult(
        winner=outcome.winner,
        kind=outcome.end,
        knocker_deadwood=outcome.knocker_deadwood,
        defender_deadwood=outcome.defender_deadwood,
        spade=outcome.spade,
    )
