"""The history of somebody's games, read from the tallies: pages, filters, what is not finished.

Pages are cut by the last row read (when it ended, which sheet), not by counting: a game that ends
meanwhile moves nothing, and of two that end in the same instant none is lost or shown twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from unicodedata import combining, normalize

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import bots
from accounts.called import called
from accounts.models import User
from scoring.models import ScoreSheet, SheetSeat, Tally

PAGE = 25
OPPONENTS_AT_MOST = 100
UNFINISHED_AT_MOST = 10
EPOCH = datetime(1900, 1, 1, tzinfo=UTC) - timedelta(days=1)  # no game is older, in any zone
TICK = timedelta(microseconds=1)
FARTHEST = 10**17  # microseconds: the year 5068


@dataclass(frozen=True, slots=True)
class Cursor:
    """Behind which row a page begins."""

    ended_at: datetime
    sheet_id: int

    def __str__(self) -> str:
        return f"{(self.ended_at - EPOCH) // TICK}-{self.sheet_id}"


def cursor(text: str) -> Cursor | None:
    """What ``str`` made of a cursor; None for anything else."""
    ticks, dash, sheet_id = text.partition("-")
    if not (dash and _is_number(ticks) and _is_number(sheet_id) and int(ticks) < FARTHEST):
        return None
    return Cursor(EPOCH + int(ticks) * TICK, int(sheet_id))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of somebody's games: all, but for what is named here. ``end`` is the first not in."""

    name: str = ""
    opponent_id: int | None = None
    preset: str = ""
    result: str = ""
    sources: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None

    @property
    def all(self) -> bool:
        """Whether nothing is left out."""
        return self == Wanted()


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sat on the other side: the name of that day, and the account if there still is one.

    ``shows_page``: whether who played with them may see their page. ``kind``: person, guest, bot.
    """

    name: str
    user_id: int | None = None
    shows_page: bool = False
    kind: str = "person"


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished game from one player's side."""

    sheet_id: int
    ended_at: datetime
    opponents: tuple[Opponent, ...]
    result: str
    points: int
    opponent_points: int
    preset: str
    source: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, newest first; ``older`` is where the next page begins, None on the last."""

    entries: tuple[Entry, ...]
    older: Cursor | None


@dataclass(frozen=True, slots=True)
class Counted:
    """How many games there are, and since when."""

    games: int
    won: int
    since: datetime | None


def page(user_id: int, wanted: Wanted = Wanted(), after: Cursor | None = None) -> Page:
    """A page of somebody's finished games, in three statements."""
    found = _tallies(user_id, wanted)
    if after is not None:
        # The first condition alone bounds the walk along the index.
        found = found.filter(ended_at__lte=after.ended_at)
        found = found.filter(Q(ended_at__lt=after.ended_at) | Q(sheet_id__lt=after.sheet_id))
    rows = list(found.order_by("-ended_at", "-sheet_id")[: PAGE + 1])
    shown = rows[:PAGE]
    older = Cursor(shown[-1].ended_at, shown[-1].sheet_id) if len(rows) > PAGE else None
    return Page(_entries(shown), older)


def counted(user_id: int, wanted: Wanted = Wanted()) -> Counted:
    """How many of these games there are and were won."""
    numbers = _tallies(user_id, wanted).aggregate(
        games=Count("pk"), won=Count("pk", filter=Q(result="won")), since=Min("ended_at")
    )
    return Counted(**numbers)


def _tallies(user_id: int, wanted: Wanted) -> QuerySet[Tally]:
    found = Tally.objects.filter(user_id=user_id)
    if wanted.opponent_id is not None:
        found = found.filter(opponent_user_id=wanted.opponent_id)
    if wanted.preset:
        found = found.filter(preset=wanted.preset)
    if wanted.result:
        found = found.filter(result=wanted.result)
    if wanted.sources:
        found = found.filter(source__in=wanted.sources)
    if wanted.start is not None:
        found = found.filter(ended_at__gte=wanted.start)
    if wanted.end is not None:
        found = found.filter(ended_at__lt=wanted.end)
    if wanted.name.strip():
        found = found.filter(_against_one_of(_names_like(user_id, wanted.name)))
    return found


def _against_one_of(names: Sequence[str]) -> Exists:
    others = SheetSeat.objects.filter(sheet_id=OuterRef("sheet_id"), name__in=names)
    return Exists(others.exclude(seat=OuterRef("seat")))


def _names_like(user_id: int, wished: str) -> list[str]:
    """Names on this person's sheets that hold what was typed, whatever the case and the accents.

    Compared here: SQLite knows no case but that of A to Z.
    """
    mine = Tally.objects.filter(user_id=user_id)
    names = SheetSeat.objects.filter(sheet_id__in=mine.values("sheet_id")).order_by()
    part = _plain(wished)
    distinct = names.values_list("name", flat=True).distinct()
    return [name for name in distinct if part in _plain(name)]


def _plain(text: str) -> str:
    """Letters alone, as somebody types who looks for a name."""
    parts = normalize("NFKD", text.strip().casefold())
    return "".join(char for char in parts if not combining(char))


def _entries(tallies: Iterable[Tally]) -> tuple[Entry, ...]:
    own = {tally.sheet_id: tally for tally in tallies}
    against = _others({sheet_id: tally.seat for sheet_id, tally in own.items()})
    return tuple(
        Entry(
            sheet_id=sheet_id,
            ended_at=tally.ended_at,
            opponents=against[sheet_id],
            result=tally.result,
            points=tally.points,
            opponent_points=tally.opponent_points,
            preset=tally.preset,
            source=tally.source,
        )
        for sheet_id, tally in own.items()
    )


def _others(seats: dict[int, int]) -> dict[int, tuple[Opponent, ...]]:
    """Who sat at these sheets beside this seat of each."""
    found: dict[int, tuple[Opponent, ...]] = dict.fromkeys(seats, ())
    rows = SheetSeat.objects.filter(sheet_id__in=list(seats)).order_by("sheet_id", "seat")
    told = ("sheet_id", "seat", "name", "user_id", "user__pages_for", "kind", "user__is_guest")
    for sheet_id, seat, name, user_id, pages_for, was, guest in rows.values_list(*told):
        if seat != seats[sheet_id]:
            shows = pages_for in (User.PagesFor.EVERYONE, User.PagesFor.PLAYED)
            kind = "guest" if guest else "person" if was == "guest" else was  # as they are now
            found[sheet_id] += (Opponent(name, user_id, shows, kind),)
    return found


def opponents(user_id: int) -> list[tuple[int, str]]:
    """The accounts somebody finished games with, those met most often first: (id, name)."""
    met = Tally.objects.filter(user_id=user_id, opponent_user__isnull=False)
    counted = met.values_list("opponent_user", "opponent_user__username", "opponent_user__bot")
    rows = counted.annotate(games=Count("pk")).order_by("-games", "opponent_user__username")
    return [
        (who or 0, called(bots.NAMES[bot] if bot else name, "bot" if bot else ""))
        for who, name, bot, _games in rows[:OPPONENTS_AT_MOST]
    ]


def presets_played(user_id: int) -> list[str]:
    """The rules somebody has finished games by."""
    played = Tally.objects.filter(user_id=user_id).order_by().values_list("preset", flat=True)
    return sorted(played.distinct())


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A sheet with a hand to come, or one whose bonuses are being written."""

    sheet_id: int
    names: tuple[str, ...]
    mine: bool
    kept: bool
    source: str
    preset: str
    started_at: datetime
    ended: bool

    @property
    def kept_on_a_pad(self) -> bool:
        """Whether its reader has hands to write on it."""
        return self.kept and self.source == ScoreSheet.Source.PAPER and not self.ended


def unfinished(user_id: int) -> list[Unfinished]:
    """This person's sheets that are no tally yet, but for games still played at a table."""
    mine = SheetSeat.objects.filter(user_id=user_id, sheet_id=OuterRef("pk"))
    open_ones = ScoreSheet.objects.filter(
        ~Q(source=ScoreSheet.Source.TABLE) | Q(ended_at__isnull=False),
        bonuses_at=None,
        replaced_by=None,
    )
    sat, kept = open_ones.filter(Exists(mine)), open_ones.filter(keeper_id=user_id)
    rows = sat.union(kept).order_by("-started_at", "-id")[:UNFINISHED_AT_MOST]
    sheets = {sheet.pk: sheet for sheet in rows}
    others: dict[int, list[str]] = {sheet_id: [] for sheet_id in sheets}
    seats = SheetSeat.objects.filter(sheet_id__in=list(sheets)).order_by("sheet_id", "seat")
    sitting = set()
    for sheet_id, name, who in seats.values_list("sheet_id", "name", "user_id"):
        if who == user_id:
            sitting.add(sheet_id)
        else:
            others[sheet_id].append(name)
    return [
        Unfinished(
            sheet_id=sheet_id,
            names=tuple(others[sheet_id]),
            mine=sheet_id in sitting,
            kept=sheet.keeper_id == user_id,
            source=sheet.source,
            preset=str(sheet.rules.get("preset", "")),
            started_at=sheet.started_at,
            ended=sheet.ended_at is not None,
        )
        for sheet_id, sheet in sheets.items()
    ]


# --- periods: days, months and years as the reader's clock has them


def from_day(day: date, zone: tzinfo) -> datetime:
    """When this day begins there, also where midnight is skipped or comes twice that day."""
    return datetime.combine(day, time.min, tzinfo=zone)


def between(first: date | None, last: date | None, zone: tzinfo) -> tuple[
    datetime | None, datetime | None
]:
    """From the beginning of one day to the end of the other, either of them open."""
    start = None if first is None else from_day(first, zone)
    end = None if last is None or last == date.max else from_day(last + timedelta(days=1), zone)
    return start, end


def in_period(wanted: Wanted, period: str, zone: tzinfo, now: datetime | None = None) -> Wanted:
    """The same games, of this month or this year alone; any other word leaves them all."""
    today = (now or timezone.now()).astimezone(zone).date()
    first = {"month": today.replace(day=1), "year": today.replace(month=1, day=1)}.get(period)
    return wanted if first is None else replace(wanted, start=from_day(first, zone))
