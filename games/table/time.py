"""Time and absence: who may claim, adjourn, wait or resume, and what the clock does by itself."""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_
from games import clocks, facts, live, positions, presence
from games.clocks import Absence
from games.engine.timeout import house_move
from games.frames import Frame
from games.models import Clock, Game
from games.reading import frame_of
from games.table import clock
from games.table.absence import absence_of, here_at, is_gone, seen_since_resumed
from games.table.bots import move_late
from games.table.heartbeat import beat, may_judge
from games.table.playing import carry_on, end_early, write_move
from games.table.rights import Refused, count_change, lock_latest, not_found, own_seat, tell_room
from games.table.summons import bots_of, summon

logger = logging.getLogger(__name__)

NOBODY = 0  # no user has this number


# --- what players may do about it


def claim(table_id: int, user_id: int, game_id: int | None = None) -> None:
    """Win a game the other player has left; as if they had resigned (rules, section 12).

    Raises Refused: no_game, adjourned, and whatever speaks against it (``_offered``).
    """
    beat()
    with transaction.atomic():
        game, absence = _offered(table_id, user_id, game_id, "claim")
        if game.sheet_id is None:
            raise _no_game()
        live.ring_after_commit(table_id)
        end_early(game, game.sheet_id, how=absence.how, by=absence.seat)


def adjourn(table_id: int, user_id: int, game_id: int | None = None) -> None:
    """Put aside a game the other player has left, to be taken up any day."""
    beat()
    with transaction.atomic():
        game, _absence = _offered(table_id, user_id, game_id, "adjourn")
        clock.put_aside(game.pk)
        live.ring_after_commit(table_id)
        tell_room(game.pk)


def wait(table_id: int, user_id: int, game_id: int | None = None) -> None:
    """Decline what absence offers; it is offered again after as long a time."""
    beat()
    with transaction.atomic():
        _offered(table_id, user_id, game_id, "wait")
        presence.wait(table_id)
        live.ring_after_commit(table_id)


def resume(table_id: int, user_id: int, game_id: int | None = None) -> None:
    """Take an adjourned game up again: the turn that was broken off begins anew."""
    with transaction.atomic():
        game = lock_latest(table_id, user_id, game_id)
        own_seat(game, user_id)
        frame = _running(table_id)
        if not frame.adjourned:
            raise Refused("not_adjourned", N_("This game is not adjourned: play on."))
        live.ring_after_commit(table_id)  # first: it need not wait for the broker
        playing = frame.state == "playing" and frame.position is not None
        clock.take_up(game.pk, frame.position.to_act if playing and frame.position else None)
        if bots_of(game.pk):
            summon(table_id)
        tell_room(game.pk)


def _offered(
    table_id: int, user_id: int, game_id: int | None, choice: str
) -> tuple[Game, Absence]:
    """The game, locked, and the absence that offers this choice now; else says why it does not."""
    game = lock_latest(table_id, user_id, game_id)
    seat = own_seat(game, user_id).seat
    frame = _running(table_id)
    if frame.adjourned:
        raise clock.adjourned()
    here = here_at(frame)
    if here is None:
        raise Refused("unknown", N_("It cannot be told at the moment who is here. Try again."))
    absence, _due = absence_of(frame, here, seat)
    if absence is not None and choice in absence.choices:
        return game, absence
    raise _why_not(frame, here, seat, absence)


def _why_not(
    frame: Frame, here: presence.Here, seat: int, absence: Absence | None
) -> Refused:
    others = [other for other in range(len(frame.seats)) if other != seat]
    if absence is not None:
        return Refused(
            "not_seen", N_("The other player cannot know yet that the game was taken up again.")
        )
    if any(is_gone(frame, here, other) for other in others):
        return Refused("too_early", N_("The other player has not been away for long enough."))
    if clocks.runs(frame.pace):
        if not may_judge():
            return Refused("just_started", N_("The site has just started. Try again in a minute."))
        return Refused("clock_runs", N_("The clock decides: three turns in a row must run out."))
    if frame.position is not None and frame.position.to_act == seat:
        return Refused("your_turn", N_("It is your turn: nobody keeps you waiting."))
    return Refused("still_here", N_("The other player is here. Leave them time to think."))


def _running(table_id: int) -> Frame:
    frame = frame_of(table_id)
    if frame is None:
        raise not_found()
    if not frame.started or frame.ended:
        raise _no_game()
    return frame


def _no_game() -> Refused:
    return Refused("no_game", N_("No game is being played at this table."))


# --- what the clock does


def run_out(table_id: int) -> bool:
    """Play for whoever let their time run out at this table; whether anything was done.

    Not while the site or the store of presence has only just come back. Where nobody is there, or
    all have let three turns in a row run out, the game is put aside instead, and so it is where
    the one to act cannot know that it was taken up again.
    """
    beat()
    frame = frame_of(table_id)
    here = None if frame is None else here_at(frame)
    if frame is None or here is None or not may_judge():
        return False
    if frame.bot_to_act is not None:
        return move_late(table_id)  # it never loses by time
    people = [chair.seat for chair in frame.seats if not chair.bot]
    present = [here.present[seat] for seat in people]
    with transaction.atomic():
        place = facts.lock_place(table_id, NOBODY)
        if place is None or place.hand_id is None or not clock.is_over(place):
            return False
        position = positions.position_of(place.game_id, place.hand_id, place.ply)
        seat, pace = position.to_act, place.pace or ""
        if seat is None:
            return False
        live.ring_after_commit(table_id)
        away = not seen_since_resumed(frame, here, seat)
        if away or clocks.is_put_aside(pace, (), present):
            _put_aside(table_id, place.game_id)
            return True
        while position.to_act == seat:
            position = write_move(place.hand_id, position, house_move(position))
        carry_on(place, place.hand_id, seat, position, timed_out=True)
        rows = clock.timeouts(place.game_id)
        if clocks.is_put_aside(pace, [rows[seat] for seat in people], present):
            _put_aside(table_id, place.game_id)
    return True


def _put_aside(table_id: int, game_id: int) -> None:
    count_change(table_id)
    clock.put_aside(game_id)
    tell_room(game_id)


def keep_time(start: bool = False) -> None:
    """Beat, and run out every clock that is over: a table that fails does not keep the others."""
    presence.mark([])  # the store lives
    beat(start)
    over = Clock.objects.filter(deadline__lte=timezone.now(), game__ended_at=None)
    for table_id in list(over.values_list("game__table_id", flat=True)):
        try:
            run_out(table_id)
        except Exception as error:
            # Without its words: they may quote a row, and with it a deck.
            logger.error("The clock of table %s failed: %s", table_id, type(error).__name__)
