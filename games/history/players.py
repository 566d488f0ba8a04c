"""The page of a player, and of two against each other: figures, streaks and charts in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from games.history import charts
from games.history.words import average, count, month, percent, rules_name, shade
from scoring import statistics
from scoring.statistics import Figures, Streaks

RATE_STEP, DEADWOOD_STEP = 10, 2


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure: what it is, the figure, and of what."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of all hands. ``width`` is out of a hundred, the widest bar being a hundred."""

    label: str
    share: str
    width: str
    widest: bool


def player_page(person: User, viewer: User | None, preset: str) -> dict[str, Any]:
    """Everything the page of somebody shows to a viewer who may see it; None has not signed in."""
    figures = statistics.figures(person.pk, preset)
    months = statistics.months(person.pk, timezone.get_current_timezone(), preset)
    since = statistics.first_game(person.pk)
    mine = viewer is not None and viewer.pk == person.pk
    streaks = statistics.streaks(person.pk, preset)
    return {
        "person": person,
        "shade": shade(person.username),
        "since": month(since) if since else "",
        "mine": mine,
        "rules": _rules(statistics.presets_of(person.pk), preset),
        "figures": figures,
        "tiles": tiles(figures),
        "wins": charts.drawn(months, [(_("Games won"), _won)], percent, RATE_STEP),
        "deadwood": charts.drawn(
            months,
            [(_("When knocking"), _knocking), (_("When caught"), _caught)],
            average,
            DEADWOOD_STEP,
        ),
        "bars": bars(figures),
        "streaks": streaks,
        "streak": streak_in_words(streaks),
        **({} if viewer is None or mine else _duel(viewer, person, "")),
    }


def duel_page(person: User, viewer: User, preset: str) -> dict[str, Any]:
    """Everything the page of the viewer against somebody shows."""
    months = statistics.months(viewer.pk, timezone.get_current_timezone(), preset, person.pk)
    streaks = statistics.streaks(viewer.pk, preset, person.pk)
    return {
        "person": person,
        "shade": shade(person.username),
        "rules": _rules(statistics.presets_of(viewer.pk, person.pk), preset),
        **_duel(viewer, person, preset),
        "wins": charts.drawn(months, [(_("Games you won"), _won)], percent, RATE_STEP),
        "streaks": streaks,
        "streak": streak_in_words(streaks),
    }


def _won(figures: Figures) -> float | None:
    return figures.win_rate


def _knocking(figures: Figures) -> float | None:
    return figures.knocking_deadwood


def _caught(figures: Figures) -> float | None:
    return figures.deadwood_when_caught


def _rules(presets: Sequence[str], chosen: str) -> list[dict[str, Any]]:
    """The rules that can be chosen among, none where all games are by the same."""
    if len(presets) < 2 and not chosen:
        return []
    every = {"slug": "", "name": pgettext("rules", "All"), "on": not chosen}
    return [
        every,
        *({"slug": slug, "name": rules_name(slug), "on": slug == chosen} for slug in presets),
    ]


def tiles(figures: Figures) -> list[Tile]:
    """The figures in a row, the most telling first."""
    won = ngettext("%(number)s won", "%(number)s won", figures.won) % {"number": count(figures.won)}
    shutouts = ngettext(
        "%(number)s by a shutout", "%(number)s by a shutout", figures.shutouts
    ) % {"number": count(figures.shutouts)}
    undecided = figures.games - figures.won - figures.lost
    left_out = ngettext(
        "%(number)s without a winner left out",
        "%(number)s without a winner left out",
        undecided,
    ) % {"number": count(undecided)}
    big = ngettext("%(number)s big gin", "%(number)s big gins", figures.big_gins)
    hands = ngettext("in %(number)s hand", "in %(number)s hands", figures.hands)
    return [
        Tile(_("Games"), count(figures.games), f"{won}, {shutouts}" if figures.shutouts else won),
        Tile(
            pgettext("statistics", "Won"), percent(figures.win_rate),
            left_out if undecided else _("of the games"),
        ),
        Tile(
            _("Points per hand"), average(figures.points_per_hand),
            hands % {"number": count(figures.hands)},
        ),
        Tile(
            pgettext("statistics", "Best hand"), count(figures.best_hand), _("points"),
        ),
        Tile(
            pgettext("statistics", "Gins"), percent(figures.gin_rate),
            _("of the hands") + (
                ", " + big % {"number": count(figures.big_gins)} if figures.big_gins else ""
            ),
        ),
        Tile(
            pgettext("statistics", "Undercuts"), percent(figures.undercut_rate),
            _("of the hands; undercut oneself on %(rate)s of the knocks")
            % {"rate": percent(figures.undercut_by_rate)},
        ),
        Tile(
            pgettext("statistics", "Deadwood when knocking"),
            average(figures.knocking_deadwood), _("on average"),
        ),
        Tile(
            pgettext("statistics", "Deadwood when caught"),
            average(figures.deadwood_when_caught), _("on average"),
        ),
    ]  # fmt: skip


def bars(figures: Figures) -> list[Bar]:
    """How the hands ended, as shares of all that somebody won."""
    if not figures.hands:
        return []
    knocks = figures.hands_won - figures.gins - figures.undercuts
    lost = figures.hands - figures.hands_won - figures.undercut_by
    ends = [
        (_("Won by a knock"), knocks),
        (_("Won by gin"), figures.gins),
        (_("Won by an undercut"), figures.undercuts),
        (_("Lost, undercut"), figures.undercut_by),
        (_("Lost otherwise"), lost),
    ]
    most = max(number for _label, number in ends)
    return [
        Bar(
            label,
            percent(100 * number / figures.hands),
            f"{100 * number / most:.1f}",
            number == most,
        )
        for label, number in ends
    ]


def _duel(viewer: User, person: User, preset: str) -> dict[str, Any]:
    """The viewer against somebody, in figures; nothing where they have finished no game."""
    own, other = statistics.head_to_head(viewer.pk, person.pk, preset)
    if not own.games:
        return {}
    duel = {
        "won": (own.won, other.won),
        "rows": [
            (_("hands won"), count(own.hands_won), count(other.hands_won)),
            (_("gins"), count(own.gins), count(other.gins)),
            (_("undercuts"), count(own.undercuts), count(other.undercuts)),
            (_("points"), count(own.points), count(other.points)),
            (_("points per hand"), average(own.points_per_hand), average(other.points_per_hand)),
            (_("best hand"), count(own.best_hand), count(other.best_hand)),
            (_("shutouts"), count(own.shutouts), count(other.shutouts)),
        ],
    }
    return {"duel": duel, "my_shade": shade(viewer.username)}


def streak_in_words(streaks: Streaks) -> str:
    """The streak that goes on, and the longest."""
    if streaks.now > 0:
        now = ngettext(
            "%(number)s game won in a row.", "%(number)s games won in a row.", streaks.now
        ) % {"number": streaks.now}
    else:
        now = ngettext(
            "%(number)s game lost in a row.", "%(number)s games lost in a row.", -streaks.now
        ) % {"number": -streaks.now}
    longest = ngettext(
        "Longest streak: %(number)s won.", "Longest streak: %(number)s won.", streaks.longest
    ) % {"number": streaks.longest}
    return f"{now} {longest}"
