"""From one hand to the next: leaving the showdown, and dealing when all have left it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts import hot
from accounts.refusal import N_
from games import clocks, dealing, facts, live, positions
from games.engine.shuffle import Stream
from games.models import Hand
from games.table import clock, shuffling
from games.table.orders import forgetting
from games.table.rights import (
    Refused,
    counting,
    not_yours,
    require_latest,
    require_member,
    stale,
)
from games.table.summons import summon

SEATS = 2
# A stock of 31 and at most 50 turns between two draws from it: no hand has as many plies.
MORE_THAN_PLIES = 4096

_READY = "UPDATE games_gameseat SET ready_after = %s WHERE game_id = %s AND seat = %s"


def ready(
    table_id: int, user_id: int, game_id: int | None = None, hand_number: int | None = None
) -> None:
    """Leave the showdown; the next hand is dealt when all have left it. Twice is once.

    A click on the showdown of an earlier hand, where it says so, leaves no later one.
    """
    with transaction.atomic():
        between = facts.lock_between(table_id, user_id)
        if between is None or between.seat is None or between.ended is not None:
            require_member(table_id, user_id)
            require_latest(table_id, game_id)
        if between is None or between.hand_id is None or between.ended is not None:
            raise Refused("no_game", N_("No hand is being played at this table."))
        if game_id not in (None, between.game_id):
            raise stale()
        if between.seat is None:
            raise not_yours()
        if between.hand_ended is None:
            # The other player was quicker, or the time ran out: the next hand lies there already.
            return
        if hand_number not in (None, between.hand_number):
            raise stale()
        if between.adjourned is not None:
            raise clock.adjourned()
        left = [between.hand_number, between.game_id, between.seat]
        hot.run(counting(table_id), (_READY, left))
        live.ring_after_commit(table_id)  # first: the computer may be sent for through a broker
        _deal_if_due(between, between.waited_for & ~(1 << between.seat))


def deal_overdue(table_id: int) -> None:
    """Deal the next hand if the time between hands is over, whoever looks first."""
    with transaction.atomic():
        between = facts.lock_between(table_id, None)
        if between is not None and _deal_if_due(between, between.waited_for):
            live.ring_after_commit(table_id)


def deal_next(table_id: int) -> bool:
    """Deal the next hand of a game the caller has locked, or wait for its shuffle.

    Whether anything was done. The first dealer is drawn before the cards, from the same stream
    (rules, section 2).
    """
    return _deal_after(facts.between(table_id))


def _deal_after(between: facts.Between) -> bool:
    number = between.hand_number + 1
    stream = shuffling.stream_for(between.game_id, between.table_id, number, SEATS)
    if stream is None:
        return not between.shuffling
    _deal(between, _dealer_after(between, stream), stream)
    return True


def _deal(between: facts.Between, dealer: int, stream: Stream) -> None:
    game_id = between.game_id
    hot.run(counting(between.table_id, by=MORE_THAN_PLIES), forgetting(game_id))
    live.ring_room(between.room_id)
    hand = Hand.objects.create(
        game_id=game_id,
        number=between.hand_number + 1,
        dealer=dealer,
        deck=dealing.fresh_deck(stream),
        dealt_at=timezone.now(),
    )
    transaction.on_commit(lambda: positions.keep_dealt(game_id, hand), robust=True)
    if between.pace is not None:
        clock.start_hand(game_id, dealer, SEATS)
    if between.bots:
        summon(between.table_id)


def _deal_if_due(between: facts.Between, waited_for: int) -> bool:
    """Deal the next hand if all are ready or the time is over. The game is locked."""
    ended = clocks.moment(between.hand_ended)
    if between.ended is not None or ended is None or between.adjourned is not None:
        return False
    late = timezone.now() >= ended + clocks.next_deal_after(between.pace)
    if waited_for and (not late or between.bots):
        return False  # against the computer a person takes their time
    return _deal_after(between)


def _dealer_after(between: facts.Between, stream: Stream) -> int:
    if between.hand_id is None or between.dealer is None:
        return dealing.first_dealer(stream)
    rules = positions.rules_of(between.game_id)
    outcome = positions.position_of(between.game_id, between.hand_id, between.ply).outcome
    winner = outcome.winner if outcome else None
    return dealing.next_dealer(rules.next_dealer, between.dealer, winner, SEATS)
