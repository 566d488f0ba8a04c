"""Bringing in a game written elsewhere: looked at as the sheet it would be, then kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names import shows_itself
from accounts.refusal import N_
from games import paper
from games.files.reading import Told, from_json, read_json, refuse
from scoring import ledger
from scoring import rules as scoring
from scoring.ledger import HandReading, SeatEntry, SeatReading, SheetReading
from scoring.rules import Line

LONGEST = 300_000  # signs; a long evening has a few thousand
LONGEST_NAME = 150
MOST_CORRECTIONS = 100  # all together stay far below what a total can hold
OLDEST = 1900
A_DAY = timedelta(days=1)  # clocks and zones differ


def told_in(text: str) -> Told:
    """The game a text tells, if it can be kept here. Raises BadSheet or BadRules."""
    if len(text) > LONGEST:
        refuse(N_("This text is too long for one game."))
    if "\0" in text or "\\u0000" in text:
        refuse(N_("This text holds signs that cannot be kept."))
    told = from_json(read_json(text))
    if len(told.hands) > scoring.MOST_HANDS:
        refuse(N_("One game has at most %(most)s hands."), most=scoring.MOST_HANDS)
    if len(told.corrections) > MOST_CORRECTIONS:
        refuse(N_("One game has at most %(most)s corrections."), most=MOST_CORRECTIONS)
    if not told.hands:
        refuse(N_("There is no hand on this sheet."))
    if not told.players:
        refuse(N_("The two players are missing: “players”."))
    for line in (*told.players, *(line.author or "-" for line in told.corrections)):
        if len(line) > LONGEST_NAME or not shows_itself(line):
            refuse(N_("A name is too long, or holds signs that do not show."))
    if not all(shows_itself(line.reason or "") for line in told.corrections):
        refuse(N_("A reason holds signs that do not show."))
    _check_times(told)
    return told


def _check_times(told: Told) -> None:
    """Before any moment is moved to another zone: the very first and last ones cannot be."""
    known = [at for at in (told.started_at, told.ended_at) if at is not None]
    if any(at.year < OLDEST for at in known):
        refuse(N_("This game is too old: its date is before 1900."))
    latest = timezone.now() + A_DAY
    if any(at.year > latest.year + 1 or _aware(at) > latest for at in known):
        refuse(N_("This game has not been played yet: its date is to come."))
    started, ended = _times(told)
    if started is not None and ended is not None and ended < started:
        refuse(N_("This game ends before it starts."))


def _aware(told: datetime) -> datetime:
    """A moment without a zone is meant where its reader is.

    In UTC, since PostgreSQL refuses offsets that Python knows: of a day, or with seconds.
    """
    return (timezone.make_aware(told) if timezone.is_naive(told) else told).astimezone(UTC)


def _times(told: Told) -> tuple[datetime | None, datetime | None]:
    """When the game began and ended; where only one of the two is told, it is both."""
    known = [None if at is None else _aware(at) for at in (told.started_at, told.ended_at)]
    started, ended = known
    return started or ended, ended or started


def known(user_id: int, told: Told) -> int | None:
    """The sheet of this game that somebody brought in before, so that none counts twice unseen.

    Of a game without a date nothing is known: two of them may be alike.
    """
    started, _ended = _times(told)
    if started is None:
        return None
    return ledger.written_already(user_id, told.players, told.hands, started)


def bring(user_id: int, told: Told, seat: int | None, entry: UUID | None = None) -> int:
    """Keep the game; ``seat`` is the bringer's own, if they played. The sheet's number."""
    started, ended = _times(told)
    seats = [
        SeatEntry(name, user_id if at == seat else None, "person" if at == seat else "name")
        for at, name in enumerate(told.players)
    ]
    return ledger.write_whole(
        told.rules.as_dict(),
        seats,
        told.hands,
        keeper_id=user_id,
        first_dealer=told.first_dealer,
        ended=told.ended,
        corrections=_signed(told),
        started_at=started,
        ended_at=ended,
        entry=entry,
    )


def _signed(told: Told) -> list[Line]:
    """The corrections, each with an author: the sheet asks for one."""
    return [
        Line(
            line.seat, line.kind, None, line.base,
            reason=line.reason, author=line.author or _("unknown"),
        )
        for line in told.corrections
    ]  # fmt: skip


def preview(told: Told) -> dict[str, Any]:
    """The sheet this game would be, laid out, without writing anything."""
    sheet = _unwritten(told)
    return paper.paper_of(sheet, paper.hand_rows(sheet))


def _unwritten(told: Told) -> SheetReading:
    rules, ended = told.rules.scoring, told.ended
    bonuses = () if ended is None else scoring.bonus_lines(rules, told.lines, ended)
    lines = (*told.lines, *_signed(told), *bonuses)
    started, last = _times(told)
    started = started or timezone.now()
    return SheetReading(
        id=0,
        rules=told.rules.as_dict(),
        seats=tuple(SeatReading(at, name, "name", None) for at, name in enumerate(told.players)),
        hands=tuple(HandReading(at, one, started) for at, one in enumerate(told.hands, 1)),
        lines=lines,
        standing=scoring.standing(rules, lines, ended),
        started_at=started,
        ended=ended,
        ended_at=None if ended is None else last or started,
        bonuses_written=ended is not None,
        replaces_id=None,
        replaced_by_id=None,
        original_id=0,
        source="imported",
        keeper_id=None,
        first_dealer=told.first_dealer,
    )
