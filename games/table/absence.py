"""Who has left the others waiting, by the clock or without one, and what that offers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from games import clocks, presence
from games.clocks import Absence
from games.frames import Frame
from games.presence import Here
from games.table.heartbeat import alive_since, may_judge

ALL = ("wait", "adjourn", "claim")


def here_at(frame: Frame) -> Here | None:
    """Who is at this table, or None where nobody can say. The computer always is."""
    return here_at_each([frame]).get(frame.table_id)


def here_at_each(frames: Sequence[Frame]) -> dict[int, Here]:
    """The same of many tables by number, asked at once; of none where nobody can say."""
    people = {frame.table_id: [chair.user_id for chair in frame.seats] for frame in frames}
    try:
        found = presence.at_each(people)
    except presence.Unreachable:
        return {}
    return {frame.table_id: _with_bots(frame, found[frame.table_id]) for frame in frames}


def _with_bots(frame: Frame, here: Here) -> Here:
    if not any(chair.bot for chair in frame.seats):
        return here
    there = zip(here.present, frame.seats, strict=True)
    return replace(here, present=tuple(known or bool(chair.bot) for known, chair in there))


def absence_of(
    frame: Frame, here: Here | None, seat: int | None
) -> tuple[Absence | None, datetime | None]:
    """What the absence of another offers to ``seat`` now; if nothing yet, when it may at the
    earliest. Whoever cannot be judged is not absent.
    """
    running = frame.started and not frame.ended and not frame.adjourned
    if seat is None or here is None or not running:
        return None, None
    for other in range(len(frame.seats)):
        if other != seat:
            found = _by_the_clock(frame, here, other) or _gone(frame, here, other)
            if found is not None:
                return found
    return None, None


def is_gone(frame: Frame, here: Here, seat: int) -> bool:
    """Whether a seat is away on its own turn in a game without a clock, for however long."""
    if here.present[seat] or frame.state != "playing" or frame.position is None:
        return False
    return frame.position.to_act == seat and not clocks.runs(frame.pace)


def seen_since_resumed(frame: Frame, here: Here, seat: int) -> bool:
    """Whether they can know that the game goes on, if it was put aside before."""
    resumed, seen = frame.resumed_at, here.seen[seat]
    return resumed is None or here.present[seat] or (seen is not None and seen > resumed)


def _by_the_clock(
    frame: Frame, here: Here, seat: int
) -> tuple[Absence | None, datetime | None] | None:
    if frame.time is None or frame.time.timeouts[seat : seat + 1] < (clocks.IN_A_ROW,):
        return None
    now = timezone.now()
    if here.waited is not None and now < here.waited + clocks.GONE_AFTER:
        return None, here.waited + clocks.GONE_AFTER
    if not may_judge():
        return None, None
    return Absence(seat, frame.moved_at or now, "time", ALL), None


def _gone(frame: Frame, here: Here, seat: int) -> tuple[Absence | None, datetime | None] | None:
    if not is_gone(frame, here, seat):
        return None
    now = timezone.now()
    known = [here.seen[seat], here.since, frame.moved_at, frame.resumed_at]
    since = max(moment for moment in known if moment is not None)
    due = max(since, here.waited or since) + clocks.GONE_AFTER
    if now < due:
        return None, due
    alive = alive_since()  # read only here: a look usually asks for nothing more
    if alive is None or now < alive + clocks.GONE_AFTER:
        return None, (alive or now) + clocks.GONE_AFTER
    choices = ALL if seen_since_resumed(frame, here, seat) else ALL[:2]
    return Absence(seat, max(since, alive), "gone", choices), None
