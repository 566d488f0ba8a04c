"""The computer at a table: it sits down where somebody waits, and moves as one of its level would.

It sees what a person in its seat has seen since the deal. A move is thought out in no transaction,
then made for the place it was thought for, or dropped if the table has moved on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts import bots
from accounts.refusal import N_
from games import dealing, facts, live, positions
from games.engine.bots import Score, choose, habitue, seen
from games.engine.moves import IllegalMove
from games.engine.timeout import house_move
from games.engine.view import View
from games.frames import Frame
from games.models import GameSeat, Hand, Move
from games.reading import frame_of, frames_of
from games.table.hands import SEATS
from games.table.playing import carry_on, write_move
from games.table.rights import Refused, lock_latest, own_seat, tell_room
from games.table.seating import start
from games.table.summons import bots_of
from games.table.terms import take_terms

logger = logging.getLogger(__name__)

NOBODY = 0  # no user has this number
LEFT = ("resigned", "claimed", "time")
SWEPT_FOR = timedelta(hours=1)  # longer, every table its player left would be gone through again


def seat_bot(
    table_id: int, user_id: int, level: str, rules: Mapping[str, Any] | None = None
) -> None:
    """Let the computer sit down opposite somebody who waits here; the game starts. Twice is once.

    ``rules``: those of another game, where it goes on from one. Raises Refused: full,
    no_stakes_with_bots; Refusal: unknown_level.
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id)
        own_seat(game, user_id)
        bot = bots.account_of(level)
        if game.started_at is not None:
            if game.ended_at is None and bots_of(game.pk):
                return
            raise Refused("full", N_("This table is full. Open another one in the room."))
        take_terms(game)
        if game.stakes:
            raise no_stakes_with_bots()
        taken = dict(game.seats.values_list("seat", "user_id"))
        seat = min(set(range(SEATS)) - set(taken))
        GameSeat.objects.create(game=game, seat=seat, user=bot)
        taken[seat] = bot.pk
        game.rules = game.rules if rules is None else dict(rules)
        live.ring_after_commit(table_id)  # first: it need not wait for the broker
        start(game, [taken[each] or NOBODY for each in range(SEATS)])
        tell_room(game.pk)


def friend_left(frame: Frame, seat: int) -> bool:
    """Whether a friend has left this seat alone: resigned, was claimed, or lets the game lie."""
    if any(chair.bot for chair in frame.seats):
        return False
    ended = frame.sheet.ended if frame.sheet else None
    if ended is not None:
        return ended.how in LEFT and ended.by != seat
    return frame.adjourned


def may_bring(frame: Frame, seat: int) -> bool:
    """Whether who sits here may have the computer in place of a friend."""
    return not frame.stakes.played_for and (frame.state == "waiting" or friend_left(frame, seat))


def no_stakes_with_bots() -> Refused:
    return Refused(
        "no_stakes_with_bots", N_("The computer plays for nothing. Take a table without a stake.")
    )


# --- moving


def think(table_id: int) -> bool:
    """Make the computer's move at this table, if it is to act; whether one was made."""
    frame = frame_of(table_id)
    seat = None if frame is None else frame.bot_to_act
    if frame is None or seat is None:
        return False
    views = views_of(frame, seat)
    return _make(frame, seat, _thoughts(frame, seat, views))


def move_late(table_id: int) -> bool:
    """Move at once, as the Habitué would, where nobody thinks any more; whether it was moved."""
    frame = frame_of(table_id)
    seat = None if frame is None else frame.bot_to_act
    if frame is None or seat is None:
        return False
    return _make(frame, seat, _without_thinking(frame, views_of(frame, seat)))


def is_late(frame: Frame) -> bool:
    """Whether the computer has let this table wait for longer than a living worker would."""
    known = [moment for moment in (frame.moved_at, frame.resumed_at) if moment is not None]
    return frame.bot_to_act is not None and bool(known) and max(known) < _late()


def sweep_bots() -> int:
    """Move wherever the computer is late: a worker died, or a summons was lost. How many moves."""
    last = Move.objects.filter(hand=OuterRef("pk")).order_by("-ply").values("made_at")[:1]
    hands = Hand.objects.annotate(moved=Coalesce(Subquery(last), "dealt_at")).filter(
        ended_at=None,
        game__ended_at=None,
        game__seats__user__bot__gt="",
        moved__lt=_late(),
        moved__gt=timezone.now() - SWEPT_FOR,
    )
    tables = list(hands.values_list("game__table_id", flat=True))
    made = 0
    for frame in frames_of(table_ids=tables):
        try:
            made += is_late(frame) and move_late(frame.table_id)
        except Exception as error:
            # Without its words: they may quote a row, and with it a deck.
            logger.error("The computer at table %s: %s", frame.table_id, type(error).__name__)
    return made


def views_of(frame: Frame, seat: int) -> list[View]:
    """What a seat of the hand on the table has seen since the deal, and nothing else."""
    position = frame.position
    if position is None:
        return []
    moves = [entry.move for entry in position.log]
    return seen(frame.rules.play, position.deck, position.dealer, moves, seat)


def score_of(frame: Frame, seat: int) -> Score:
    """What a hand is worth here and how the game stands, as the player of a seat sees it."""
    rules, points = frame.rules.scoring, [0] * len(frame.seats)
    if frame.sheet is not None:
        points = list(frame.sheet.standing.hand_points)
    return Score(
        gin=rules.gin,
        big_gin=rules.big_gin,
        undercut=rules.undercut,
        spades_double=rules.spades_double,
        first_knock=rules.format == "first_knock",
        target=rules.target,
        mine=points[seat],
        other=max(each for other, each in enumerate(points) if other != seat),
    )


def _thoughts(frame: Frame, seat: int, views: list[View]) -> Iterator[str]:
    """The move of the bot's level; should it fail, one that does not take thinking."""
    level = frame.seats[seat].bot
    try:
        yield choose(level, views, score_of(frame, seat), dealing.chance())
    except Exception as error:
        logger.error("%s at table %s: %s", level, frame.table_id, type(error).__name__)
    yield from _without_thinking(frame, views)


def _without_thinking(frame: Frame, views: list[View]) -> Iterator[str]:
    yield habitue(views[-1], dealing.chance())
    if frame.position is not None:
        yield house_move(frame.position)


def _make(frame: Frame, seat: int, thoughts: Iterator[str]) -> bool:
    """Make the first of these moves that may be made, for this place alone."""
    for text in thoughts:
        try:
            with transaction.atomic():
                return _write(frame, seat, text)
        except IllegalMove as refusal:
            logger.error("A bot at table %s: %s", frame.table_id, refusal.code)
        except IntegrityError:
            logger.error("Table %s: the database refused a move of the computer", frame.table_id)
            return False
    return False


def _write(frame: Frame, seat: int, text: str) -> bool:
    place = facts.lock_place(frame.table_id, NOBODY)
    if place is None or place.hand_id is None or place.adjourned is not None:
        return False
    here = (place.game_id, place.hand_number, place.ply)
    if here != (frame.game_id, frame.hand_number, frame.ply):
        return False
    position = positions.position_of(place.game_id, place.hand_id, place.ply)
    after = write_move(place.hand_id, position, text)
    live.ring_after_commit(frame.table_id)
    carry_on(place, place.hand_id, seat, after)
    return True


def _late() -> datetime:
    return timezone.now() - timedelta(seconds=settings.BOT_LATE_SECONDS + settings.BOT_PACE_SECONDS)
