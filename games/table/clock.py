"""The clock of a game: wound up at its start, running for whoever must act, stopped at its end.

A game without a clock has no row here and pays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from accounts.refusal import N_
from games import clocks, facts, notices
from games.engine.seats import next_seat
from games.models import Clock, Pace, SeatTime, Table
from games.table.rights import Refused

STOPPED = {"seat": None, "turn_from": None, "deadline": None}


def wind_up(game_id: int, table_id: int, seats: int) -> None:
    """Give a game that starts the pace of its room, for good."""
    pace = Table.objects.values_list("room__pace", flat=True).get(pk=table_id)
    if clocks.runs(pace):
        clock = Clock.objects.create(game_id=game_id, pace=pace)
        reserve = clocks.in_whole_ms(clocks.PACES[pace].reserve)
        SeatTime.objects.bulk_create(
            SeatTime(clock=clock, seat=seat, reserve_ms=reserve) for seat in range(seats)
        )


def start_turn(game_id: int, seat: int) -> None:
    """Let the clock run for this seat from now on, if there is one that may run."""
    clock = Clock.objects.filter(game_id=game_id, adjourned_at=None).first()
    if clock is not None and clocks.runs(clock.pace):
        reserves = dict(clock.seats.values_list("seat", "reserve_ms"))
        _run(clock.pk, clock.pace, seat, timezone.now(), reserves)


def start_hand(game_id: int, dealer: int, seats: int) -> None:
    """The player after the dealer is the first to act (rules, section 3)."""
    start_turn(game_id, next_seat(dealer, seats))


def end_turn(place: facts.Place, seat: int, following: int | None, timed_out: bool = False) -> None:
    """A seat's turn is over: its reserve pays for it, and the clock runs for the next, if any."""
    if place.clock_id is None or place.pace is None or not clocks.runs(place.pace):
        return
    now = timezone.now()
    rows = {row.seat: row for row in SeatTime.objects.filter(clock_id=place.clock_id)}
    own, begun = rows[seat], clocks.moment(place.turn_from)
    before = (own.reserve_ms, own.timeouts)
    if begun is not None:
        own.reserve_ms = clocks.reserve_left(place.pace, own.reserve_ms, begun, now)
    own.timeouts = own.timeouts + 1 if timed_out else 0
    if (own.reserve_ms, own.timeouts) != before:
        own.save(update_fields=["reserve_ms", "timeouts"])
    if following is None:
        Clock.objects.filter(pk=place.clock_id).update(**STOPPED)
    else:
        reserves = {number: row.reserve_ms for number, row in rows.items()}
        _run(place.clock_id, place.pace, following, now, reserves)


def is_over(place: facts.Place) -> bool:
    """Whether the time of the turn, reserve included, is over."""
    deadline = clocks.moment(place.deadline)
    return deadline is not None and timezone.now() >= deadline


def timeouts(game_id: int) -> list[int]:
    """How many turns in a row each seat has left to the clock."""
    rows = SeatTime.objects.filter(clock__game_id=game_id, clock__game__ended_at=None)
    return list(rows.order_by("seat").values_list("timeouts", flat=True))


def between_hands(game_id: int) -> tuple[str | None, bool]:
    """The pace of a game, if it has one, and whether it is put aside."""
    row = Clock.objects.filter(game_id=game_id).values_list("pace", "adjourned_at").first()
    return (None, False) if row is None else (row[0], row[1] is not None)


def adjourned() -> Refused:
    return Refused("adjourned", N_("This game is adjourned. Resume it to play on."))


def stop(game_id: int) -> None:
    """The game is over: no clock runs, and nothing is put aside."""
    Clock.objects.filter(game_id=game_id).update(**STOPPED, adjourned_at=None)


def put_aside(game_id: int) -> None:
    """Adjourn a locked game. A turn that had begun is begun anew later; its reserve stays eaten."""
    now = timezone.now()
    clock, _ = Clock.objects.get_or_create(game_id=game_id, defaults={"pace": Pace.NONE})
    if clock.seat is not None and clock.turn_from is not None:
        for row in clock.seats.filter(seat=clock.seat):
            row.reserve_ms = clocks.reserve_left(
                clock.pace, row.reserve_ms, clock.turn_from, now
            )
            row.save(update_fields=["reserve_ms"])
    Clock.objects.filter(pk=clock.pk).update(**STOPPED, adjourned_at=now)


def take_up(game_id: int, seat: int | None) -> None:
    """Resume an adjourned game that is locked: the clock, if any, runs for ``seat``."""
    clock = Clock.objects.filter(game_id=game_id).first()
    if clock is None:
        return
    Clock.objects.filter(pk=clock.pk).update(adjourned_at=None, resumed_at=timezone.now())
    clock.seats.update(timeouts=0)
    if seat is not None:
        start_turn(game_id, seat)


def _run(
    clock_id: int, pace: str, seat: int, now: datetime, reserves: Mapping[int, int]
) -> None:
    Clock.objects.filter(pk=clock_id).update(
        seat=seat, turn_from=now, deadline=clocks.deadline(pace, now, reserves[seat])
    )
    if pace == Pace.DAY:
        notices.ring_turn(clock_id)
