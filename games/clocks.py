"""How long a turn may take at each pace, and what the clock makes of it. Values in, values out.

A turn is the draw and the discard together. What it takes beyond its own time is eaten from the
seat's reserve of the whole game; when that is gone too, the time is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts import hot
from games.models import Pace

moment = hot.moment

IN_A_ROW = 3  # turns played by the clock, after which the game may be claimed
GONE_AFTER = timedelta(minutes=5)  # where no clock runs


@dataclass(frozen=True, slots=True)
class Figures:
    """The time of one turn, and what each seat has for the whole game beside it."""

    turn: timedelta
    reserve: timedelta


PACES = {
    Pace.DAY.value: Figures(timedelta(days=1), timedelta()),
    Pace.RELAXED.value: Figures(timedelta(minutes=3), timedelta(minutes=10)),
    Pace.MINUTE.value: Figures(timedelta(seconds=60), timedelta(minutes=4)),
    Pace.HALF.value: Figures(timedelta(seconds=30), timedelta(minutes=2)),
}


@dataclass(frozen=True, slots=True)
class Time:
    """A game's clock, as stored. Reserves and time-outs by seat; ``resumed_at``: after a pause."""

    pace: str
    seat: int | None
    turn_from: datetime | None
    deadline: datetime | None
    adjourned: bool
    resumed_at: datetime | None
    reserve_ms: tuple[int, ...]
    timeouts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """What the others of a seat may do about it: since when, by the clock or not, and what."""

    seat: int
    since: datetime
    why: str  # "time": three turns in a row played by the clock; "gone": away on their own turn
    choices: tuple[str, ...]

    @property
    def how(self) -> str:
        """How a game claimed for this ends, in the words of the sheet."""
        return "time" if self.why == "time" else "claimed"


def runs(pace: str | None) -> bool:
    """Whether a clock runs at this pace at all."""
    return pace in PACES


def deadline(pace: str, turn_from: datetime, reserve_ms: int) -> datetime:
    """When a turn that began then is over, reserve included."""
    return turn_from + PACES[pace].turn + timedelta(milliseconds=reserve_ms)


def reserve_left(pace: str, reserve_ms: int, turn_from: datetime, now: datetime) -> int:
    """What a turn from then to now leaves of a reserve, in ms."""
    beyond = max(timedelta(), now - turn_from - PACES[pace].turn)
    return max(0, reserve_ms - in_whole_ms(beyond))


def moved(start: datetime, gap_from: datetime, now: datetime) -> timedelta:
    """By how much a turn moves over a gap in which the site stood still: not by time before it."""
    return max(timedelta(), now - max(start, gap_from))


def next_deal_after(pace: str | None) -> timedelta:
    """How long the next hand waits for those who have not left the showdown."""
    return timedelta(days=1) if pace == Pace.DAY else timedelta(seconds=20)


def is_put_aside(pace: str, timeouts: Sequence[int], present: Sequence[bool]) -> bool:
    """Whether a time-out adjourns the game: all have three in a row, or nobody is there.

    Whoever plays one move a day need not be there when the time is over.
    """
    if timeouts and min(timeouts) >= IN_A_ROW:
        return True
    return pace != Pace.DAY and not any(present)


def in_whole_ms(span: timedelta) -> int:
    """A span of time in milliseconds."""
    return span // timedelta(milliseconds=1)


def in_ms(moment: datetime | None) -> int | None:
    """Epoch milliseconds, as browsers count."""
    return None if moment is None else int(moment.timestamp() * 1000)
