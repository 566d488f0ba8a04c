"""Looking: what a person sees of a table now, from the first paint to a reconnect."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from django.utils import timezone, translation

from games.admission import Terms, terms_of
from games.beside import beside_of
from games.frames import Frame
from games.looking import View, draw_up
from games.presence import Here
from games.reading import frame_of
from games.rotation import line_view
from games.strangers import strangers
from games.table.absence import absence_of, here_at
from games.table.bots import is_late, may_bring, move_late
from games.table.chips import say_of_the_last, tell_of_chips
from games.table.hands import deal_overdue
from games.table.rights import Refused, not_found
from games.table.seeds import end_shuffle
from games.table.time import run_out
from games.timing import time_view


class Looker(NamedTuple):
    """Somebody who looks, and the language they read."""

    user_id: int | None
    language: str


def look(table_id: int, user_id: int | None) -> View:
    """What this person sees of the table now: their own seat's view, or what is public.

    Raises Refused: not_found, for anyone who neither plays here nor may watch (admission.py).
    """
    (seen,) = look_together(table_id, [Looker(user_id, translation.get_language())])
    if isinstance(seen, Refused):
        raise seen
    return seen


def look_together(
    table_id: int, lookers: Sequence[Looker], frame: Frame | None = None, here: Here | None = None
) -> list[View | Refused]:
    """What each of these sees of the table now, or why they do not. The table is read once.

    ``frame`` and ``here``: what lies there and who is there, where that was just asked.
    """
    frame = frame or frame_of(table_id)
    terms = [None if frame is None else _terms(frame, one.user_id) for one in lookers]
    if frame is None or not any(terms):
        return [not_found() for _ in lookers]
    frame = _up_to_date(frame)
    here, now = here or here_at(frame), int(time.time() * 1000)
    seen: list[View | Refused] = []
    for one, on_terms in zip(lookers, terms, strict=True):
        if on_terms is None:
            seen.append(not_found())
            continue
        with translation.override(one.language):
            seen.append(_view(frame, here, one.user_id, on_terms, now))
    return seen


def _up_to_date(frame: Frame) -> Frame:
    """Do what time has made due; the table as it lies then."""
    table_id = frame.table_id
    if _is_overdue(frame):
        deal_overdue(table_id)
        frame = frame_of(table_id) or frame
    if _shuffle_is_over(frame) and end_shuffle(table_id):
        frame = frame_of(table_id) or frame
    if _time_is_over(frame):
        run_out(table_id)
        frame = frame_of(table_id) or frame
    if is_late(frame) and move_late(table_id):
        frame = frame_of(table_id) or frame
    return frame


def _view(frame: Frame, here: Here | None, user_id: int | None, terms: Terms, now: int) -> View:
    seat = frame.seat_of(user_id)
    view = draw_up(frame, seat, now)
    view |= time_view(frame, here, *absence_of(frame, here, seat))
    view |= line_view(frame, beside_of(frame), user_id)
    view["computer"] = seat is not None and may_bring(frame, seat)
    if frame.ended and seat is not None:
        others = [chair.user_id for chair in frame.seats if chair.user_id is not None]
        view["befriend"] = sorted(strangers(user_id, others).values())
    if frame.stakes.played_for and frame.started:
        if frame.ended:
            tell_of_chips(view, frame, seat)
        else:
            say_of_the_last(frame)
    if not terms.member:
        view["room"] |= {"invite": None, "code": None}
    return view


def _is_overdue(frame: Frame) -> bool:
    """Whether the next hand should lie there already."""
    return frame.next_deal_at is not None and timezone.now() >= frame.next_deal_at


def _time_is_over(frame: Frame) -> bool:
    """Whether somebody let their time run out, and nobody has seen it yet."""
    return frame.deadline is not None and timezone.now() >= frame.deadline


def _shuffle_is_over(frame: Frame) -> bool:
    """Whether somebody was silent for too long while the cards were shuffled."""
    return frame.shuffle_until is not None and timezone.now() >= frame.shuffle_until


def _terms(frame: Frame, user_id: int | None) -> Terms | None:
    """On what terms this person may look, or None if they may not."""
    if frame.seat_of(user_id) is not None and not frame.ended:
        return Terms(member=True)  # nobody leaves a room in the middle of a game
    terms = terms_of(frame.room_id, user_id)
    return terms if terms.may_look(running=frame.started and not frame.ended) else None
