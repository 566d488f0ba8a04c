"""A player asks the coach about a hand of theirs that is over. Nobody else's is there to be asked.

One analysis a seat, for ever: asking again finds it. One at a time a person, and only so many an
hour, because each takes a processor for a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.refusal import N_, Refusal
from games.coach import building, decisions
from games.models import Analysis, GameSeat, Hand
from scoring import shares

PER_HOUR = 20


class Unasked(Refusal):
    """The coach does not look at this hand now, or there is none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A hand somebody may ask about: theirs, and over."""

    game_id: int
    hand_id: int
    seat: int


def askable(user_id: int | None, sheet_id: int, number: int) -> Asked | None:
    """Hand ``number`` of this sheet's game, if it is over and this person sat at it."""
    first = shares.first_edition(sheet_id)
    if first is None or user_id is None:
        return None
    seats = GameSeat.objects.filter(game__sheet_id=first, user_id=user_id)
    found = seats.filter(game__hands__number=number, game__hands__ended_at__isnull=False)
    row = found.values_list("game_id", "game__hands", "seat").first()
    return None if row is None else Asked(*row)


def ask(user_id: int, sheet_id: int, number: int) -> int:
    """The analysis of this hand for this player, begun now unless there is one already.

    Raises Unasked: not_found, one_at_a_time, too_many_hands.
    """
    asked = askable(user_id, sheet_id, number)
    if asked is None:
        raise Unasked("not_found", N_("There is no such hand."))
    there = Analysis.objects.filter(hand_id=asked.hand_id, seat=asked.seat).first()
    if there is not None and there.state != Analysis.State.FAILED:
        return there.pk
    _require_patience(user_id)
    choices = _choices(asked)
    try:
        with transaction.atomic():
            return _begun(asked, user_id, there, choices)
    except IntegrityError:  # asked twice at once, or the coach is at another hand
        again = Analysis.objects.filter(hand_id=asked.hand_id, seat=asked.seat).first()
        if again is None or again.state == Analysis.State.FAILED:
            raise _busy() from None
        return again.pk


def forget(user_id: int) -> None:
    """Keep nothing the coach made of somebody's play."""
    Analysis.objects.filter(
        hand__game__seats__user_id=user_id, hand__game__seats__seat=F("seat")
    ).delete()


def _require_patience(user_id: int) -> None:
    within_the_hour = timezone.now() - timedelta(hours=1)
    mine = Analysis.objects.filter(asked_by_id=user_id, asked_at__gt=within_the_hour)
    if mine.count() >= PER_HOUR:
        raise Unasked(
            "too_many_hands",
            N_("The coach has looked at %(count)s hands of yours this past hour. Ask again later."),
            count=PER_HOUR,
        )


def _choices(asked: Asked) -> int:
    """How many there are to weigh. The hand is gone through again, so in no transaction."""
    hand = Hand.objects.select_related("game").get(pk=asked.hand_id)
    return len(decisions.views_of(building.course_of(hand), asked.seat))


def _begun(asked: Asked, user_id: int, failed: Analysis | None, total: int) -> int:
    """A new analysis, or one that failed taken up again behind what it had weighed."""
    now = timezone.now()
    fresh = {
        "asked_by_id": user_id, "asked_at": now, "moved_at": now, "tries": 0,
        "playouts": settings.COACH_PLAYOUTS, "total": total,
        "state": Analysis.State.BUILDING if total else Analysis.State.READY,
    }  # fmt: skip
    if failed is not None:
        Analysis.objects.filter(pk=failed.pk, state=Analysis.State.FAILED).update(**fresh)
        return failed.pk
    return Analysis.objects.create(hand_id=asked.hand_id, seat=asked.seat, **fresh).pk


def _busy() -> Unasked:
    return Unasked(
        "one_at_a_time",
        N_("The coach is still looking at another hand of yours. Ask again when it is done."),
    )
