"""Rooms and tables opened on another day, as a demonstration site needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from games.models import Member, Pace, Room, Table
from games.rooms.opening import open_room


def open_past_room(
    members: Sequence[int],
    name: str,
    options: Mapping[str, Any],
    opened_at: datetime,
    public: bool = False,
    pace: str = Pace.NONE,
    stakes: Mapping[str, Any] | None = None,
    practice: bool = False,
) -> int:
    """A room of that day, run by the first of its members; returns its id.

    Its first member waits at its first table until games are written there.
    """
    with transaction.atomic():
        room_id = open_room(
            members[0], name, options, public, pace, not practice, practice=practice, stakes=stakes
        )
        Member.objects.bulk_create(Member(room_id=room_id, user_id=one) for one in members[1:])
        Room.objects.filter(pk=room_id).update(opened_at=opened_at)
        Member.objects.filter(room_id=room_id).update(joined_at=opened_at)
        Table.objects.filter(room_id=room_id).update(opened_at=opened_at)
    return room_id


def open_past_table(room_id: int, opened_at: datetime) -> int:
    """One more table of that day, with nobody at it; the first if nobody has played there yet."""
    tables = Table.objects.filter(room_id=room_id)
    table = tables.filter(number=1).exclude(games__started_at__isnull=False).first()
    if table is None:
        last = tables.aggregate(last=Max("number"))["last"] or 0
        table = Table.objects.create(room_id=room_id, number=last + 1)
    Table.objects.filter(pk=table.pk).update(opened_at=opened_at)
    return table.pk
