"""Looking: what a person sees of a table now, from the first paint to a reconnect."""

from __future__ import annotations

import time

from django.utils import timezone

from games.looking import NEXT_DEAL_AFTER, View, draw_up
from games.models import Member
from games.reading import Frame, frame_of
from games.table.hands import deal_overdue
from games.table.rights import not_found


def look(table_id: int, user_id: int | None) -> View:
    """What this person sees of the table now: their own seat's view, or what is public.

    Raises Refused: not_found, for anyone who neither plays here nor is a member of the room.
    """
    frame = frame_of(table_id)
    if frame is None or not _may_look(frame, user_id):
        raise not_found()
    if _is_overdue(frame):
        deal_overdue(table_id)
        frame = frame_of(table_id) or frame
    return draw_up(frame, frame.seat_of(user_id), int(time.time() * 1000))


def _is_overdue(frame: Frame) -> bool:
    """Whether the next hand should lie there already."""
    if frame.hand_ended_at is None or frame.ended:
        return False
    return timezone.now() >= frame.hand_ended_at + NEXT_DEAL_AFTER


def _may_look(frame: Frame, user_id: int | None) -> bool:
    if user_id is None:
        return False
    if frame.seat_of(user_id) is not None:
        return True
    return Member.objects.filter(room_id=frame.room_id, user_id=user_id).exists()
