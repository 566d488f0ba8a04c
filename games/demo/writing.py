"""The year written down, evening by evening, through the verbs of people, rooms, tables and pads.

Everything comes from the random numbers and the time that are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from random import Random

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts import people
from accounts.models import User
from games import rooms, table, talk
from games.demo import cast, times
from games.demo.playing import PlayedHand, play_game
from games.demo.practice import practise
from games.demo.year import DAYS, Evening, evenings
from games.fair import chain
from games.models import Pace
from games.presets import RuleSet, rule_set
from scoring import ledger, pad
from scoring.rules import Ended

BEFORE = timedelta(days=DAYS + 90)  # when the friends came and opened their rooms
PAUSE = timedelta(minutes=2)
ON_PAPER = ("complete", "classic_20_10", "points_only")
RATHER_QUIET = 0.45  # of all evenings nothing is said


@dataclass
class Site:
    """The friends and their rooms, and until when each of them is busy."""

    random: Random
    now: datetime
    friends: list[User] = field(default_factory=list)
    rooms: dict[str, int] = field(default_factory=dict)
    tables: dict[tuple[int, frozenset[int]], int] = field(default_factory=dict)
    playing: set[int] = field(default_factory=set)
    busy: dict[int, datetime] = field(default_factory=dict)
    paper: list[int] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    practised: int = 0  # the first friend's last sheet against the computer


def fill(
    random: Random,
    now: datetime,
    zone: tzinfo,
    password: str,
    count: int,
    games: int,
    written: Callable[[int], object] = lambda games: None,
) -> Site:
    """A year of so many games of so many friends; calls ``written`` with how many were."""
    site = Site(random, now)
    _arrive(site, password, count)
    for evening in evenings(random, count, games, now, zone):
        with transaction.atomic():
            (_at_table if evening.place else _with_cards)(site, evening)
        written(len(evening.ends))
    _correct(site)
    _today(site)
    with transaction.atomic():
        site.practised = practise(random, site.friends[0], next(iter(cast.NAMES.values())), now)
    return site


def _arrive(site: Site, password: str, count: int) -> None:
    """People and rooms; one hash for all, since one alone takes a good part of a second."""
    hashed = make_password(password)
    shown = list(User.PagesFor.values)
    for number, name in enumerate(list(cast.NAMES)[:count]):
        user = User(
            username=_free(name),
            password=hashed,
            date_joined=site.now - BEFORE,
            pages_for=shown[0] if number == 0 else site.random.choice(shown),
        )
        people.keep(user)
        site.friends.append(user)
    for place in cast.PLACES:
        members = [one.pk for number, one in enumerate(site.friends) if place.is_for(number)]
        site.rooms[place.name] = rooms.open_past_room(
            members, place.name, place.options, site.now - BEFORE, place.public, place.pace,
            place.stakes,
        )  # fmt: skip


def _free(name: str) -> str:
    """The name, with a number behind it where somebody has it already."""
    number, wanted = 1, name
    while User.objects.named(wanted).exists():
        number += 1
        wanted = f"{name} {number}"
    return wanted


def _at_table(site: Site, evening: Evening) -> None:
    place = evening.place
    if place is None:
        return
    room_id, rules = site.rooms[place.name], rule_set(place.options)
    entries = [_entry(site, person) for person in evening.people]
    at, games = _begin(site, evening), []
    for how in evening.ends:
        game = _game(site, rules, evening.people, how, at, place.pace, entries)
        game = replace(game, stakes=place.stakes)
        games.append(game)
        at = (game.ended_at or site.now) + PAUSE
        if at > site.now:
            break
    table_id = _table(site, room_id, evening)
    site.live += table.write_past(table_id, games)
    if games[-1].ended_at is None:
        site.playing.add(table_id)
    if place.pace != Pace.DAY:
        site.busy.update(dict.fromkeys(evening.people, min(at, site.now)))
    _chat(site, evening, room_id, table_id, at)


def _table(site: Site, room_id: int, evening: Evening) -> int:
    """The table where these two always sit, or another if a game is still going on there."""
    key = room_id, frozenset(evening.people)
    table_id = site.tables.get(key)
    if table_id is None or table_id in site.playing:
        table_id = site.tables[key] = rooms.open_past_table(room_id, evening.at)
    return table_id


def _game(
    site: Site,
    rules: RuleSet,
    who: Sequence[int],
    how: str,
    at: datetime,
    pace: str,
    entries: Sequence[ledger.SeatEntry],
) -> table.PastGame:
    """One game from ``at`` on, as far as it has come by now."""
    values = [site.random.randbytes(chain.BYTES) for _ in range(1 + table.SEATS)]
    sealed = chain.Sealed(table.reserve_game(), values[0], tuple(values[1:]))
    hands = _played(site.random, rules, _knocks(site, who), bool(how), sealed)
    timed = times.timed(hands, at, pace, site.random)
    so_far = times.until(timed, site.now)
    over = len(so_far) == len(timed) and so_far[-1].ended_at is not None
    broken = over and so_far[-1].result is None
    return table.PastGame(
        players=entries,
        rules=rules.as_dict(),
        started_at=at,
        hands=so_far,
        ended=Ended(how, None if how == "called_off" else _leaver(so_far[-1])) if broken else None,
        ended_at=so_far[-1].ended_at if over else None,
        sealed=sealed,
    )


def _played(
    random: Random, rules: RuleSet, knock_at: Sequence[int], left: bool, sealed: chain.Sealed
) -> list[PlayedHand]:
    """A whole game; one that will be left breaks off in the middle of one of its hands."""
    hands = play_game(rules, knock_at, random, sealed=sealed)
    if not left:
        return hands
    last = random.randrange(len(hands))
    moves = hands[last].moves
    broken = replace(hands[last], moves=moves[: random.randrange(1, len(moves))], result=None)
    return [*hands[:last], broken]


def _leaver(hand: table.PastHand) -> int:
    """Whoever was to move left."""
    return table.next_to_act(hand)


def _with_cards(site: Site, evening: Evening) -> None:
    """Games with real cards, kept by the first of the two; nobody counted the hands broken off."""
    keeper, other = evening.people
    rules = rule_set({"preset": site.random.choice(ON_PAPER)})
    seats = [_entry(site, keeper), _entry(site, other)]
    if evening.guest:
        seats[1] = ledger.SeatEntry(site.random.choice(cast.AT_THE_TABLE_ONLY), None, "name")
    knock_at = [_knocks(site, [keeper])[0], cast.FRIENDLY]
    at, sheets = _begin(site, evening), []
    for _how in evening.ends:
        hands = play_game(rules, knock_at, site.random)
        written = list(times.on_paper(hands, at, site.random))
        if evening.running:  # quick as they may be, they have not finished
            written.pop()
        told = [one for one in written if one[1] <= site.now]
        sheets.append(
            ledger.PastSheet(
                rules.as_dict(), seats, told, at,
                source="paper", keeper_id=site.friends[keeper].pk, first_dealer=hands[0].dealer,
            )
        )  # fmt: skip
        at = (told[-1][1] if told else at) + PAUSE
    site.paper += ledger.write_past(sheets)
    site.busy[keeper] = at


def _begin(site: Site, evening: Evening) -> datetime:
    """When both are there: nobody plays at two tables at once, but for one move a day."""
    if evening.place is not None and evening.place.pace == Pace.DAY:
        return evening.at
    free = [site.busy[one] + PAUSE for one in evening.people if one in site.busy]
    return min(max([evening.at, *free]), max(evening.at, site.now - timedelta(minutes=5)))


def _entry(site: Site, person: int) -> ledger.SeatEntry:
    user = site.friends[person]
    return ledger.SeatEntry(user.username, user.pk)


def _knocks(site: Site, who: Sequence[int]) -> list[int]:
    """How patient each of them is."""
    return [list(cast.NAMES.values())[person] for person in who]


def _chat(site: Site, evening: Evening, room_id: int, table_id: int, until: datetime) -> None:
    if site.random.random() < RATHER_QUIET:
        return
    last = min(until, site.now)
    spent = (last - evening.at).total_seconds()
    at_table = site.random.random() < 0.6
    lines = cast.AT_TABLES if at_table else cast.IN_ROOMS
    said = site.random.sample(lines, site.random.randint(1, 4 if at_table else 2))
    moments = sorted(site.random.random() for _ in said)
    talk.write_past(
        [
            talk.PastLine(
                room_id=room_id,
                table_id=table_id if at_table else None,
                user=site.friends[site.random.choice(evening.people)],
                text=text,
                said_at=evening.at + timedelta(seconds=spent * moment),
            )
            for text, moment in zip(said, moments, strict=True)
        ]
    )


def _correct(site: Site) -> None:
    """A miscounted hand on paper, and a line an administrator wrote on a sheet of the table."""
    sheets = ledger.read_sheets(site.paper)
    written = {number: sheets[number].results for number in site.paper}
    counted = [n for n, hands in written.items() if hands and hands[-1].kind in ("knock", "gin")]
    for sheet_id in counted[len(counted) // 2 :: 9]:
        *before, last = written[sheet_id]
        right = type(last)(
            last.winner, last.kind, last.knocker_deadwood, last.defender_deadwood + 1, last.spade
        )
        ledger.edition(sheet_id, [*before, right])
    for sheet_id in site.live[len(site.live) // 2 : len(site.live) // 2 + 1]:
        ledger.write_correction(sheet_id, 0, -2, cast.MISCOUNTED, "administration")


def _today(site: Site) -> None:
    """What waits for somebody: a seat at a public table, and a pad that asks the first friend."""
    first, second = site.friends[:2]
    rooms.open_table(site.rooms[cast.WAITS_IN], second.pk)
    rules = rule_set({"preset": ON_PAPER[0]}).as_dict()
    names, accounts = (second.username, first.username), (None, first.pk)
    pad.open_pad(second.pk, rules, names, accounts, me_seat=0)
