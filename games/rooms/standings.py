"""Who is best in a room: games, games won and points of its members, and each against each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from django.db.models import Count, Q, Sum

from accounts import guests
from accounts.called import called
from accounts.names import GONE
from games.models import Game
from games.positions import keep
from scoring import ledger

GAMES_AT_MOST = 1_500  # the last ones; fewer than a process keeps

# A sheet by its lines and editions: what is written on it never changes.
_kept: dict[int, tuple[tuple[int, ...], Result]] = {}


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, seat by seat."""

    sheet_id: int
    ended_at: datetime | None
    names: tuple[str, ...]
    players: tuple[int | None, ...]
    totals: tuple[int, ...]
    winner: int | None
    by_computer: tuple[int, ...] = ()  # the seats the computer held
    by_guests: tuple[int, ...] = ()  # those of people who are guests now

    @property
    def shown(self) -> list[str]:
        """The names as lists show them, in the reader's language."""
        seats = enumerate(self.names)
        return [called(name, self._kind(seat)) for seat, name in seats]

    def _kind(self, seat: int) -> str:
        return "bot" if seat in self.by_computer else "guest" if seat in self.by_guests else ""


@dataclass(frozen=True, slots=True)
class Rank:
    """A member's line of the standings. ``rate``: games won of a hundred."""

    user_id: int
    name: str
    games: int
    won: int
    rate: int
    points: int


@dataclass(frozen=True, slots=True)
class Duel:
    """Two members against each other: games won by each."""

    names: tuple[str, str]
    won: tuple[int, int]


def standings(
    results: Iterable[Result], members: Mapping[int, str]
) -> tuple[list[Rank], list[Duel]]:
    """Members (id: name) by games won, and who won how often against whom.

    Only games that somebody won count, so one that was called off does not; nor does one against
    the computer, which belongs to no room.
    """
    games: Counter[int] = Counter()
    won: Counter[int] = Counter()
    points: Counter[int] = Counter()
    against: Counter[tuple[int, int]] = Counter()
    for result in results:
        players = [player or 0 for player in result.players]
        if result.winner is None or result.by_computer:
            continue
        for seat, player in enumerate(players):
            games[player] += 1
            points[player] += result.totals[seat]
            if seat != result.winner:
                against[players[result.winner], player] += 1
        won[players[result.winner]] += 1
    ranks = [
        Rank(
            member, name, games[member], won[member],
            round(100 * won[member] / games[member]), points[member],
        )
        for member, name in members.items()
        if games[member]
    ]  # fmt: skip
    ranks.sort(key=lambda rank: (-rank.won, -rank.rate, -rank.points, rank.name))
    return ranks, list(_duels(ranks, against))


def _duels(ranks: list[Rank], against: Mapping[tuple[int, int], int]) -> Iterator[Duel]:
    for one, two in combinations(ranks, 2):
        first, second = (one.user_id, two.user_id), (two.user_id, one.user_id)
        if against[first] or against[second]:
            yield Duel((one.name, two.name), (against[first], against[second]))


def results_of(room_id: int) -> list[Result]:
    """How the games of this room ended, newest first, in a fixed number of statements."""
    ended = Game.objects.filter(table__room_id=room_id, ended_at__isnull=False)
    counted = ended.order_by("-sheet_id").values("sheet_id").annotate(
        lines=Count("sheet__lines", distinct=True),
        editions=Count("sheet__editions", distinct=True),
        later_lines=Count("sheet__editions__lines", distinct=True),
        gone=Count("sheet__seats", filter=Q(sheet__seats__name=GONE), distinct=True),
        players=Sum("sheet__seats__user", distinct=True),  # another when a guest is merged
        guests=Count("sheet__seats", filter=Q(sheet__seats__user__is_guest=True), distinct=True),
    )
    columns = ("sheet_id", "lines", "editions", "later_lines", "gone", "players", "guests")
    stamps = {
        sheet: tuple(stamp)
        for sheet, *stamp in counted.values_list(*columns)[:GAMES_AT_MOST]
        if sheet is not None
    }
    unknown = {sheet for sheet, n in stamps.items() if _kept.get(sheet, (None,))[0] != n}
    found = {sheet: _kept[sheet][1] for sheet in stamps if sheet not in unknown}
    sheets = ledger.read_latest(sorted(unknown))
    were = {one.user_id for sheet in sheets.values() for one in sheet.seats if one.kind == "guest"}
    now_guests = guests.among([one for one in were if one]) if were else set()
    for sheet_id, sheet in sheets.items():
        found[sheet_id] = _result(sheet, now_guests)
        keep(_kept, sheet_id, (stamps[sheet_id], found[sheet_id]))
    return sorted(found.values(), key=_newest_first)


def _result(sheet: ledger.SheetReading, now_guests: Collection[int]) -> Result:
    return Result(
        sheet_id=sheet.id,
        ended_at=sheet.ended_at,
        names=tuple(seat.name for seat in sheet.seats),  # kept for readers of every language
        players=tuple(seat.user_id for seat in sheet.seats),
        totals=tuple(sheet.standing.totals),
        winner=sheet.standing.winner,
        by_computer=tuple(seat.seat for seat in sheet.seats if seat.kind == "bot"),
        by_guests=tuple(seat.seat for seat in sheet.seats if seat.user_id in now_guests),
    )


def _newest_first(result: Result) -> tuple[float, int]:
    ended = result.ended_at.timestamp() if result.ended_at else 0.0
    return (-ended, -result.sheet_id)


def forget() -> None:
    """Drop everything kept, as a process that has just started."""
    _kept.clear()
