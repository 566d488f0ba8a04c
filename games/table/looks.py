"""Looking: what a person sees of a table now, from the first paint to a reconnect."""

from __future__ import annotations

import time

from django.utils import timezone

from games.admission import Terms, terms_of
from games.beside import beside_of
from games.looking import NEXT_DEAL_AFTER, View, draw_up
from games.reading import Frame, frame_of
from games.rotation import line_view
from games.table.hands import deal_overdue
from games.table.rights import not_found


def look(table_id: int, user_id: int | None) -> View:
    """What this person sees of the table now: their own seat's view, or what is public.

    Raises Refused: not_found, for anyone who neither plays here nor may watch (admission.py).
    """
    frame = frame_of(table_id)
    terms = None if frame is None else _terms(frame, user_id)
    if frame is None or terms is None:
        raise not_found()
    if _is_overdue(frame):
        deal_overdue(table_id)
        frame = frame_of(table_id) or frame
    view = draw_up(frame, frame.seat_of(user_id), int(time.time() * 1000))
    view |= line_view(frame, beside_of(frame), user_id)
    if not terms.member:
        view["room"] |= {"invite": None, "code": None}
    return view


def _is_overdue(frame: Frame) -> bool:
    """Whether the next hand should lie there already."""
    if frame.hand_ended_at is None or frame.ended:
        return False
    return timezone.now() >= frame.hand_ended_at + NEXT_DEAL_AFTER


def _terms(frame: Frame, user_id: int | None) -> Terms | None:
    """On what terms this person may look, or None if they may not."""
    if frame.seat_of(user_id) is not None and not frame.ended:
        return Terms(member=True)  # nobody leaves a room in the middle of a game
    terms = terms_of(frame.room_id, user_id)
    return terms if terms.may_look(running=frame.started and not frame.ended) else None
