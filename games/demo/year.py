"""The plan of a year at cards: who meets whom, where, when, and how often. From passed-in chance.

Nothing is played here yet, and nothing written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import combinations
from random import Random
from typing import Final

from games.demo.cast import PLACES, Place
from games.models import Pace

DAYS: Final = 365
ON_PAPER: Final = 0.16  # of all evenings
WITHOUT_ACCOUNT: Final = 0.35  # of those on paper, one player has none
TAKES: Final = timedelta(days=75)  # a game with one move a day, or a little longer
LEFT: Final = (("resigned", 0.05), ("called_off", 0.02), ("away", 0.03))
IN_A_MONTH: Final = (6, 5, 5, 4, 4, 3, 2, 2, 4, 5, 6, 7)  # from January: cards are for winter
BY_WEEKDAY: Final = (2, 2, 2, 6, 4, 6, 5)


@dataclass(frozen=True, slots=True)
class Evening:
    """Two people sit down for some games. ``place`` None: with real cards.

    ``ends`` says of each game how it will be left, "" if it is played out. ``guest``: who plays
    without an account, in the second seat.
    """

    place: Place | None
    people: tuple[int, int]
    at: datetime
    ends: tuple[str, ...]
    guest: bool = False
    running: bool = False  # still going on now


@dataclass
class Friends:
    """Who likes to play with whom."""

    people: int
    random: Random
    pairs: Sequence[tuple[int, int]] = field(init=False)
    liking: Sequence[float] = field(init=False)

    def __post_init__(self) -> None:
        self.pairs = list(combinations(range(self.people), 2))
        self.liking = [self.random.random() ** 2 + (0.6 if 0 in pair else 0) for pair in self.pairs]

    def two(self, place: Place | None) -> tuple[int, int]:
        """Two who may play there, either first."""
        among = [
            (pair, liking) for pair, liking in zip(self.pairs, self.liking, strict=True)
            if place is None or all(map(place.is_for, pair))
        ]  # fmt: skip
        pairs, weights = zip(*among, strict=True)
        one, other = self.random.choices(pairs, weights)[0]
        return (one, other) if self.random.random() < 0.5 else (other, one)


def evenings(
    random: Random, people: int, games: int, now: datetime, zone: tzinfo
) -> Iterator[Evening]:
    """Evenings with so many games in all, the earliest first. The last few lie around ``now``."""
    friends = Friends(people, random)
    today = now.astimezone(zone).date()
    days = [today - timedelta(days=before) for before in range(1, DAYS)]
    weights = [IN_A_MONTH[day.month - 1] * BY_WEEKDAY[day.weekday()] for day in days]
    running = min(games, max(2, games // 60))
    found = [_begun(random, friends, now, on_paper=one == 1) for one in range(running)]
    left = games - running
    while left > 0:
        evening = _past(random, friends, random.choices(days, weights)[0], zone, left)
        found.append(evening)
        left -= len(evening.ends)
    yield from sorted(found, key=lambda evening: evening.at)


def _past(random: Random, friends: Friends, day: date, zone: tzinfo, most: int) -> Evening:
    place = None
    if random.random() >= ON_PAPER:
        place = random.choices(_places(friends), [one.weight for one in _places(friends)])[0]
    paced = place is not None and place.pace == Pace.DAY
    first = time(random.randint(14, 21) if day.weekday() > 4 else random.randint(18, 21))
    at = datetime.combine(day, first, zone) + timedelta(minutes=random.randint(0, 59))
    count = 1 if paced else min(most, random.choice((1, 2, 2, 3, 3, 4)))
    return Evening(
        place=place,
        people=friends.two(place),
        at=at.astimezone(UTC) - (TAKES if paced else timedelta()),
        ends=tuple(_left(random, place) for _ in range(count)),
        guest=place is None and random.random() < WITHOUT_ACCOUNT,
    )


def _begun(random: Random, friends: Friends, now: datetime, on_paper: bool) -> Evening:
    """A game that is still going on, where nobody's time can run out meanwhile."""
    if on_paper:  # kept by the first of the friends
        met = [one for one in friends.two(None) if one != 0]
        return Evening(None, (0, met[0]), now - timedelta(minutes=12), ("",), running=True)
    calm = [one for one in _places(friends) if one.pace in (Pace.NONE, Pace.DAY)]
    place = random.choice([one for one in calm if one.options["preset"] != "first_to_knock"])
    ago = timedelta(days=6) if place.pace == Pace.DAY else timedelta(minutes=random.randint(5, 9))
    return Evening(place, friends.two(place), now - ago, ("",))


def _places(friends: Friends) -> list[Place]:
    """The rooms in which there are two to play."""
    return [
        one for one in PLACES
        if sum(one.is_for(person) for person in range(friends.people)) > 1
    ]  # fmt: skip


def _left(random: Random, place: Place | None) -> str:
    if place is None or place.options["preset"] == "first_to_knock":
        return ""
    chance = random.random()
    for how, share in LEFT:
        if chance < share:
            clocked = place.pace != Pace.NONE
            return how if how != "away" else ("time" if clocked else "claimed")
        chance -= share
    return ""
