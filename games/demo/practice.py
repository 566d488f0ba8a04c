"""The first of the friends against the computer: two games in a practice room, and what the coach
found in a hand of theirs."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db.models import Count

from accounts import bots
from accounts.models import User
from games import coach, rooms, table
from games.demo import cast, times
from games.demo.playing import play_game
from games.fair import chain
from games.models import Hand, Pace
from games.presets import DEFAULT, rule_set
from scoring.ledger import SeatEntry

MORNINGS: Final = (9, 2)  # so many days ago
HOUR: Final = 6  # UTC: nobody plays with friends at that time
AS_SOON_AS_IT_CAN: Final = 10  # in deadwood
CHOICES: Final = 12  # of a hand the coach weighs here, at the most: each takes a moment
PATIENCE: Final = 8.0  # seconds; what is left then is weighed by the site that serves this


def practise(random: Random, friend: User, knocks_at: int, now: datetime) -> int:
    """Two games before breakfast against the one who knocks as soon as it can; the last sheet."""
    rules, level = rule_set({"preset": DEFAULT}), bots.USUAL
    mornings = [
        (now - timedelta(days=days)).replace(hour=HOUR, minute=20 + days) for days in MORNINGS
    ]
    room_id = rooms.open_past_room(
        [friend.pk], cast.PRACTICE, {"preset": DEFAULT}, mornings[0], practice=True
    )
    computer = SeatEntry(bots.NAMES[level], bots.account_of(level).pk, "bot")
    games = []
    for at in mornings:
        values = [random.randbytes(chain.BYTES) for _ in range(1 + table.SEATS)]
        sealed = chain.Sealed(table.reserve_game(), values[0], tuple(values[1:]))
        hands = play_game(rules, (knocks_at, AS_SOON_AS_IT_CAN), random, sealed=sealed)
        timed = times.timed(hands, at, Pace.NONE, random)
        games.append(
            table.PastGame(
                players=(SeatEntry(friend.username, friend.pk), computer), rules=rules.as_dict(),
                started_at=at, hands=timed, ended_at=timed[-1].ended_at, sealed=sealed,
            )
        )  # fmt: skip
    return table.write_past(rooms.open_past_table(room_id, mornings[0]), games)[-1]


def ask_the_coach(friend: User, sheet_id: int) -> None:
    """About the longest hand of the sheet that is weighed soon, or the shortest."""
    hands = Hand.objects.filter(game__sheet=sheet_id).annotate(plies=Count("moves"))
    lengths = {plies: number for number, plies in hands.values_list("number", "plies")}
    short = [length for length in lengths if length <= 2 * CHOICES]
    number = lengths[max(short) if short else min(lengths)]
    coach.build(coach.ask(friend.pk, sheet_id, number), seconds=PATIENCE)
