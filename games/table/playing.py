"""Playing: one move of the open hand, and giving the game up."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts import hot, meters
from accounts.refusal import N_
from accounts.sessions import Pass
from games import facts, live, positions
from games.engine import position as play
from games.engine.position import IDLE_TURNS, Position
from games.engine.showdown import Outcome
from games.models import Game, GameSeat, Pace
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

# Raw, since clicks run it.
_MOVE = "INSERT INTO games_move (hand_id, ply, seat, text, made_at) VALUES (%s, %s, %s, %s, %s)"

# Now, or when it was dealt: a clock set back must refuse nobody's move.
_CLOSE = """
UPDATE games_hand SET ended_at = CASE WHEN dealt_at > %s THEN dealt_at ELSE %s END
 WHERE game_id = %s AND ended_at IS NULL
"""
_END = "UPDATE games_game SET ended_at = %s WHERE id = %s"


class Moved(NamedTuple):
    """What a move has brought about."""

    sheet_id: int | None  # of a hand that it ended
    told: bool  # the bell is rung for already


def make_move(
    table_id: int, user_id: int, text: str, at: tuple[int, int], game_id: int | None = None
) -> None:
    """Make one move of the open hand, from the place the player stood at.

    ``at`` is (hand, ply) of the view the player clicked in, ``game_id`` its game. Raises Refused
    (stale, no_game, not_your_turn, not_found) or IllegalMove; then nothing has changed. The stored
    row is the acknowledgement: returned means never lost.
    """
    with whole(table_id, at):
        live.ring_after_commit(table_id)
        move(table_id, user_id, text, at, game_id)


@contextmanager
def whole(table_id: int, at: tuple[int, int]) -> Iterator[None]:
    """The transaction of a move."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        # The lock makes this impossible; were it ever broken, the database still holds.
        # Without its words: PostgreSQL may quote the row, and with it a deck.
        logger.error("Table %s: the database refused a move at %s", table_id, at)
        raise stale() from None


def move(
    table_id: int, user_id: int, text: str, at: tuple[int, int], game_id: int | None,
    held: Pass | None = None,
) -> Moved:  # fmt: skip
    """The same within the caller's transaction, who rings; ``held`` must still speak for them."""
    place = facts.lock_place(table_id, user_id, held)
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
    after = play.apply(position, text)
    told = _sends_for_somebody(place, after)
    if told:
        # Before it does: a broker that does not answer must not hold up the bell.
        live.ring_after_commit(table_id)
    over = carry_on(place, place.hand_id, place.seat, after, [_storing(place.hand_id, after)])
    return Moved(place.sheet_id if after.outcome is not None else None, told or over)


def _sends_for_somebody(place: facts.Place, after: Position) -> bool:
    """Whether the broker is asked for who is to act: the computer, or a letter about a turn."""
    if settings.EMBEDDED or after.to_act in (None, place.seat):
        return False
    return place.pace == Pace.DAY or bool(place.bots >> (after.to_act or 0) & 1)


def write_move(hand_id: int, position: Position, text: str) -> Position:
    """Store one move of a locked game; gives the position after it. Raises IllegalMove."""
    after = play.apply(position, text)
    hot.run(_storing(hand_id, after))
    return after


def _storing(hand_id: int, after: Position) -> hot.Statement:
    """The statement that stores the last move of a position, spelt as the engine does."""
    entry = after.log[-1]
    return _MOVE, [hand_id, after.ply, entry.seat, entry.move, hot.now()]


def carry_on(
    place: facts.Place,
    hand_id: int,
    seat: int,
    after: Position,
    unsent: Sequence[hot.Statement] = (),
    timed_out: bool = False,
) -> bool:
    """What follows the moves of a seat: the clock goes to the next, or the hand is over.

    Whether the game is over by this. ``unsent``: a move that is still to be stored, sent along.
    """
    if after.outcome is None:
        hot.run(*unsent)
    transaction.on_commit(lambda: positions.keep_position(hand_id, after), robust=True)
    transaction.on_commit(lambda: meters.MOVES.inc(), robust=True)
    if after.to_act != seat:
        clock.end_turn(place, seat, after.to_act, timed_out)
    if after.to_act is not None and place.bots >> after.to_act & 1:
        summon(place.table_id)
    if after.outcome is not None:
        idle = after.idle_turns >= IDLE_TURNS
        game_id, number = place.game_id, place.hand_number
        transaction.on_commit(lambda: positions.keep_ended(game_id, number, after), robust=True)
        return _end_hand(place, result_of(after.outcome, idle), unsent)
    return False


def _end_hand(
    place: facts.Place, result: HandResult, unsent: Sequence[hot.Statement]
) -> bool:
    """Close the hand and write how it ended; the game is then between hands, or over."""
    if place.bots:  # the computer has seen enough of the showdown
        bots = GameSeat.objects.filter(game_id=place.game_id, user__bot__gt="")
        bots.update(ready_after=place.hand_number)
    unsent = [*unsent, closing(place.game_id)]
    standing = ledger.record_hand(place.sheet_id, place.hand_number, result, unsent=unsent)
    over = standing.reached is not None
    if over:
        # Before the bonuses are sent for: a broker that does not answer must not hold up the bell.
        live.ring_after_commit(place.table_id)
        _end_game(place.game_id, place.sheet_id)
    live.ring_room(place.room_id)
    return over


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
    hot.run(closing(game.pk))
    ledger.end_sheet(sheet_id, how=how, by=by)
    _end_game(game.pk, sheet_id)
    tell_room(game.pk)


def closing(game_id: int) -> hot.Statement:
    """The statement that ends the open hand of a game, if there is one."""
    now = hot.now()
    return _CLOSE, [now, now, game_id]


def ending(game_id: int) -> hot.Statement:
    """The statement that ends a game."""
    return _END, [hot.now(), game_id]


def _end_game(game_id: int, sheet_id: int) -> None:
    hot.run(ending(game_id))
    clock.stop(game_id)
    transaction.on_commit(lambda: send_for_bonuses(sheet_id), robust=True)


def send_for_bonuses(sheet_id: int) -> None:
    """Lost on the way, the sweep finds the sheet: a dead broker harms nobody."""
    try:
        tasks.write_bonuses.delay(sheet_id)
    except Exception as error:
        logger.warning("Sheet %s: bonuses wait for the sweep: %s", sheet_id, type(error).__name__)


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
