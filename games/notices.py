"""Letters about turns in games of one move a day: to whom, when, and once. Writes the notices.

Nothing of play waits for a letter: what is rung after the commit is a task, and where the serving
process does its tasks itself, the sweep alone finds the turns. A notice says that a turn was dealt
with, so that whatever runs twice writes once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from accounts import letters
from accounts.models import LetterWish, User
from games import presence
from games.models import Clock, Game, GameSeat, Hand, Move, Pace, TurnNotice

# Whoever is about to sit down, or only loads the page again, is there by then.
WRITTEN_AFTER = timedelta(seconds=30)
LETTERS_A_DAY = 40  # to one person: an address might be somebody else's


@dataclass(frozen=True, slots=True)
class Letter:
    """What is told about a turn: nothing that is not public at the table."""

    reader: User
    table_id: int
    number: int
    room: str
    hand: int
    opponent: str
    until: datetime


def ring_turn(clock_id: int) -> None:
    """Have a turn that began told of after the present transaction, if letters are written."""
    letters.write_later("games.tasks.tell_turn", clock_id, WRITTEN_AFTER)


def untold() -> list[int]:
    """The clocks of turns that somebody asked to be told of, and that nobody has dealt with."""
    told = TurnNotice.objects.filter(
        hand__game=OuterRef("game"), hand__ended_at=None, ply=OuterRef("began")
    )
    return list(_turns().filter(~Exists(told)).values_list("pk", flat=True))


def tell_turn(clock_id: int) -> bool:
    """Write to whoever must act, unless they are there or were told of it; whether it left."""
    letter = _decide(clock_id)
    if letter is None:
        return False
    return letters.send(
        letter.reader,
        "games/email/your_turn",
        {
            "opponent": letter.opponent,
            "number": letter.number,
            "room": letter.room,
            "hand": letter.hand,
            "until": letter.until,
            "link": settings.SITE_URL + reverse("games:table", args=[letter.table_id]),
        },
    )


def _turns() -> QuerySet[Any]:
    """Turns of one move a day begun a moment ago or earlier, by somebody who asked for letters.

    ``began``: after how many plies of the open hand.
    """
    others = Move.objects.filter(hand__game=OuterRef("game"), hand__ended_at=None)
    others = others.exclude(seat=OuterRef("seat")).order_by("-ply")
    asked = LetterWish.objects.filter(
        user__seats__game=OuterRef("game"), user__seats__seat=OuterRef("seat"), user__is_active=True
    ).filter(user__email_confirmed=True, kind=LetterWish.Kind.TURNS)
    running = Clock.objects.filter(
        Exists(asked),
        pace=Pace.DAY,
        deadline__isnull=False,
        turn_from__lte=timezone.now() - WRITTEN_AFTER,
        game__ended_at=None,
    )
    return running.annotate(began=Coalesce(Subquery(others.values("ply")[:1]), 0))


def _decide(clock_id: int) -> Letter | None:
    """Note, once a turn, that its player is written to or need not be; the letter, if due."""
    with transaction.atomic():
        games = Game.objects.select_for_update(of=("self",))  # the turn cannot change meanwhile
        game = games.filter(clock=clock_id).first()
        turn = _turns().filter(pk=clock_id).values_list("seat", "began", "deadline").first()
        if game is None or turn is None:
            return None
        seat, began, until = turn
        reader = User.objects.get(seats__game=game, seats__seat=seat)
        try:
            there = presence.here(game.table_id, [reader.pk]).present[0]
        except presence.Unreachable:
            return None  # the sweep asks again
        lately = timezone.now() - timedelta(days=1)
        written = TurnNotice.objects.filter(user=reader, written=True, decided_at__gt=lately)
        due = not there and written.count() < LETTERS_A_DAY
        hand = Hand.objects.get(game=game, ended_at=None)
        try:
            with transaction.atomic():
                TurnNotice.objects.create(hand=hand, ply=began, user=reader, written=due)
        except IntegrityError:
            return None  # dealt with already
        return _letter(game, hand, reader, until) if due else None


def _letter(game: Game, hand: Hand, reader: User, until: datetime) -> Letter:
    others = GameSeat.objects.filter(game=game).exclude(user=reader).order_by("seat")
    names = others.values_list(F("user__username"), flat=True)
    return Letter(
        reader=reader,
        table_id=game.table_id,
        number=game.table.number,
        room=game.table.room.name,
        hand=hand.number,
        opponent=", ".join(name or "?" for name in names),
        until=until,
    )
