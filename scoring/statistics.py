"""What somebody's games come to, worked out from the tallies; and who may see it.

Games against the computer count for nothing here, unless it is asked for those alone: how good
somebody is among people would soon drown in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, tzinfo
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth

from accounts.models import User
from scoring.models import SheetSeat, Tally

LAST_GAMES = 14
DECIDED = ("won", "lost")
SUMS = (
    "hands", "hands_won", "hand_points", "points", "gins", "big_gins", "undercuts", "undercut_by",
    "knocks", "knock_deadwood", "caught", "caught_deadwood",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """What some games come to for one player. ``games`` counts those nobody won too.

    Hands are those somebody won. Sums, so that every average is one of all hands, not of averages.
    """

    games: int = 0
    won: int = 0
    lost: int = 0
    shutouts: int = 0
    best_hand: int = 0
    hands: int = 0
    hands_won: int = 0
    hand_points: int = 0
    points: int = 0
    gins: int = 0
    big_gins: int = 0
    undercuts: int = 0
    undercut_by: int = 0
    knocks: int = 0
    knock_deadwood: int = 0
    caught: int = 0
    caught_deadwood: int = 0

    @property
    def win_rate(self) -> float | None:
        """Games won of a hundred that somebody won."""
        return _percent(self.won, self.won + self.lost)

    @property
    def points_per_hand(self) -> float | None:
        """Points made in a hand on average, lost hands included."""
        return _ratio(self.hand_points, self.hands)

    @property
    def gin_rate(self) -> float | None:
        """Hands of a hundred ended by a gin, big or not."""
        return _percent(self.gins, self.hands)

    @property
    def undercut_rate(self) -> float | None:
        """Hands of a hundred won by an undercut."""
        return _percent(self.undercuts, self.hands)

    @property
    def undercut_by_rate(self) -> float | None:
        """Own knocks of a hundred that were undercut."""
        return _percent(self.undercut_by, self.knocks)

    @property
    def knocking_deadwood(self) -> float | None:
        """Deadwood held when knocking, gins left out."""
        return _ratio(self.knock_deadwood, self.knocks)

    @property
    def deadwood_when_caught(self) -> float | None:
        """Deadwood left when the other knocked or went gin."""
        return _ratio(self.caught_deadwood, self.caught)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Streaks:
    """Games in a row with the same end. ``now`` is won when positive, lost when negative."""

    now: int
    longest: int
    last: tuple[str, ...]  # oldest first


@dataclass(frozen=True, slots=True)
class Month:
    """One month of somebody's games; ``begins`` in the zone it was cut by."""

    begins: datetime
    figures: Figures


_FIGURES = {
    "games": Count("pk"),
    "won": Count("pk", filter=Q(result="won")),
    "lost": Count("pk", filter=Q(result="lost")),
    "shutouts": Count("pk", filter=Q(shutout=True)),
    "best": Max("best_hand"),
    **{f"all_{name}": Sum(name) for name in SUMS},
}


def figures(user_id: int, preset: str = "", against: int | None = None) -> Figures:
    """Everything one person's games come to, or those by some rules or against somebody."""
    return _read(_games(user_id, preset, against).aggregate(**_FIGURES))


def head_to_head(one: int, other: int, preset: str = "") -> tuple[Figures, Figures]:
    """Two people's games against each other, from either side, in one statement."""
    both = _games(one, preset, other) | _games(other, preset, one)
    found = {
        row["user_id"]: _read(row)
        for row in both.order_by().values("user_id").annotate(**_FIGURES)
    }
    return found.get(one, Figures()), found.get(other, Figures())


def months(
    user_id: int, zone: tzinfo, preset: str = "", against: int | None = None
) -> list[Month]:
    """Month by month, oldest first; months without a game are left out."""
    found = _games(user_id, preset, against)
    cut = found.annotate(begins=TruncMonth("ended_at", tzinfo=zone)).order_by()
    rows = cut.values("begins").annotate(**_FIGURES).order_by("begins")
    return [Month(row["begins"], _read(row)) for row in rows]


def streaks(user_id: int, preset: str = "", against: int | None = None) -> Streaks:
    """How the games ended one after the other; those nobody won break no streak."""
    decided = _games(user_id, preset, against).filter(result__in=DECIDED)
    results = list(decided.order_by("ended_at", "sheet_id").values_list("result", flat=True))
    return in_a_row(results)


def in_a_row(results: Sequence[str]) -> Streaks:
    """The streaks in these results, oldest first."""
    longest = run = 0
    for result in results:
        run = max(run, 0) + 1 if result == "won" else min(run, 0) - 1
        longest = max(longest, run)
    return Streaks(run, longest, tuple(results[-LAST_GAMES:]))


def presets_of(user_id: int, against: int | None = None) -> list[str]:
    """The rules of these games, those played most first."""
    games = _games(user_id, "", against).order_by().values_list("preset")
    rows = games.annotate(games=Count("pk")).order_by("-games", "preset")
    return [preset for preset, _games_played in rows]


def first_game(user_id: int) -> datetime | None:
    """When somebody first sat down to a game they finished."""
    games = _games(user_id, "", None)
    found: datetime | None = games.aggregate(first=Min("started_at"))["first"]
    return found


def _games(user_id: int, preset: str, against: int | None) -> QuerySet[Tally]:
    found = Tally.objects.filter(user_id=user_id)
    if preset:
        found = found.filter(preset=preset)
    if against is not None:
        return found.filter(opponent_user_id=against)
    return found.exclude(opponent_user__bot__gt="")


def _read(row: Mapping[str, Any]) -> Figures:
    known = {field.name for field in fields(Figures)}
    named = {name.removeprefix("all_"): value or 0 for name, value in row.items()}
    named["best_hand"] = named.pop("best")
    return Figures(**{name: value for name, value in named.items() if name in known})


# --- who may see it


def may_see(viewer_id: int | None, person_id: int) -> bool:
    """Whether this person's page is for this viewer; a page that is not there is for nobody."""
    return person_id in visible_to(viewer_id, [person_id])


def visible_to(viewer_id: int | None, people: Iterable[int]) -> set[int]:
    """Those of these people whose page this viewer may see, in two statements at most."""
    known = User.objects.filter(pk__in=set(people)).values_list("pk", "pages_for")
    return visible_among(viewer_id, dict(known))


def visible_among(viewer_id: int | None, chosen: Mapping[int, str]) -> set[int]:
    """The same where it is known already what each has chosen, in one statement at most.

    Everybody sees their own. Having sat at one sheet is having played. No right of the
    administration opens a page.
    """
    seen = {who for who, pages in chosen.items() if pages == User.PagesFor.EVERYONE}
    if viewer_id is None:
        return seen
    seen |= {viewer_id} & set(chosen)
    unsure = {who for who, pages in chosen.items() if pages == User.PagesFor.PLAYED} - seen
    return seen | (played_with(viewer_id, unsure) if unsure else set())


def played_with(user_id: int, people: Iterable[int]) -> set[int]:
    """Those of these people who sat at a sheet with this one, whatever became of the game."""
    met = SheetSeat.objects.filter(user_id__in=list(people), sheet__seats__user_id=user_id)
    met = met.order_by()  # the usual order would come between the same ones
    return {who for who in met.values_list("user_id", flat=True).distinct() if who is not None}
