"""From one hand to the next: leaving the showdown, and dealing when all have left it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_
from games import clocks, dealing, live, positions
from games.engine.shuffle import Stream
from games.models import Game, Hand
from games.table import clock, shuffling
from games.table.orders import forget_orders
from games.table.rights import Refused, count_change, lock_latest, own_seat, stale, tell_room
from games.table.summons import bots_of, summon

SEATS = 2
# A stock of 31 and at most 50 turns between two draws from it: no hand has as many plies.
MORE_THAN_PLIES = 4096


def ready(
    table_id: int, user_id: int, game_id: int | None = None, hand_number: int | None = None
) -> None:
    """Leave the showdown; the next hand is dealt when all have left it. Twice is once.

    A click on the showdown of an earlier hand, where it says so, leaves no later one.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id, game_id)
        seat = own_seat(game, user_id)
        hand = game.hands.order_by("-number").first()
        if game.ended_at is not None or hand is None:
            raise Refused("no_game", N_("No hand is being played at this table."))
        if hand.ended_at is None:
            # The other player was quicker, or the time ran out: the next hand lies there already.
            transaction.set_rollback(True)  # nothing is new, and a count without a bell would lie
            return
        if hand_number not in (None, hand.number):
            raise stale()
        if clock.between_hands(game.pk)[1]:
            raise clock.adjourned()
        game.seats.filter(pk=seat.pk).update(ready_after=hand.number)
        live.ring_after_commit(table_id)  # first: the computer may be sent for through a broker
        _deal_if_due(game, hand)


def deal_overdue(table_id: int) -> None:
    """Deal the next hand if the time between hands is over, whoever looks first."""
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(table_id=table_id, ended_at=None).first()
        hand = game.hands.order_by("-number").first() if game else None
        if game is not None and hand is not None and _deal_if_due(game, hand):
            live.ring_after_commit(table_id)


def deal_next(game: Game) -> bool:
    """Deal the next hand of a locked game, or wait for its shuffle; whether anything was done.

    The first dealer is drawn before the cards, from the same stream (rules, section 2).
    """
    last = game.hands.order_by("-number").first()
    number = last.number + 1 if last else 1
    waiting = shuffling.waiting_in(game.pk)
    stream = shuffling.stream_for(game, number, SEATS)
    if stream is None:
        return waiting is None
    dealer = _dealer_after(game, last) if last else dealing.first_dealer(stream)
    _deal(game, number, dealer, stream)
    return True


def _deal(game: Game, number: int, dealer: int, stream: Stream) -> None:
    count_change(game.table_id, by=MORE_THAN_PLIES)
    forget_orders(game.pk)
    tell_room(game.pk)
    Hand.objects.create(
        game=game,
        number=number,
        dealer=dealer,
        deck=dealing.fresh_deck(stream),
        dealt_at=timezone.now(),
    )
    clock.start_hand(game.pk, dealer, SEATS)
    if bots_of(game.pk):
        summon(game.table_id)


def _deal_if_due(game: Game, hand: Hand) -> bool:
    """Deal the hand after ``hand`` if all are ready or the time is over. The game is locked."""
    if hand.ended_at is None:
        return False
    pace, adjourned = clock.between_hands(game.pk)
    if adjourned:
        return False
    late = timezone.now() >= hand.ended_at + clocks.next_deal_after(pace)
    away = game.seats.filter(ready_after__lt=hand.number).exists()
    if away and (not late or bots_of(game.pk)):
        return False  # against the computer a person takes their time
    return deal_next(game)


def _dealer_after(game: Game, hand: Hand) -> int:
    rules = positions.rules_of(game.pk)
    moves = hand.moves.count()
    outcome = positions.position_of(game.pk, hand.pk, moves).outcome
    winner = outcome.winner if outcome else None
    return dealing.next_dealer(rules.next_dealer, hand.dealer, winner, SEATS)
