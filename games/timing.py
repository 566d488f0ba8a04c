"""What a view says of time and of who is here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games import clocks
from games.clocks import Absence, in_ms, in_whole_ms
from games.frames import Frame
from games.presence import Here


def time_view(
    frame: Frame, here: Here | None, absence: Absence | None, due: datetime | None
) -> dict[str, Any]:
    """The clock, who is at the table, and what somebody's absence offers to the viewer.

    ``absence_at``: when it may offer something at the earliest. Nobody is shown absent while it
    cannot be told who is here.
    """
    everyone = [True for _ in frame.seats]
    return {
        "pace": frame.time.pace if frame.time else "none",
        "clock": _clock(frame.time),
        "timeouts": list(frame.time.timeouts) if frame.time else [0 for _ in frame.seats],
        "adjourned": frame.adjourned,
        "turn_since": in_ms(frame.moved_at),
        "present": list(here.present) if here else everyone,
        "spectators": here.spectators if here else 0,
        "absence": _absence(absence),
        "absence_at": in_ms(due),
    }


def _clock(time: clocks.Time | None) -> dict[str, Any] | None:
    if time is None or not clocks.runs(time.pace):
        return None
    return {
        "seat": time.seat,
        "turn_from": in_ms(time.turn_from),
        "turn_ms": in_whole_ms(clocks.PACES[time.pace].turn),
        "reserve_ms": list(time.reserve_ms),
        "deadline": in_ms(time.deadline),
    }


def _absence(absence: Absence | None) -> dict[str, Any] | None:
    if absence is None:
        return None
    return {
        "seat": absence.seat,
        "since": in_ms(absence.since),
        "why": absence.why,
        "choices": list(absence.choices),
    }
