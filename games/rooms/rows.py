"""One line of a list of tables, on a room's page, at home and in the lobby."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts import bots
from accounts.called import called
from games import presets, stakes
from games.frames import Frame
from games.models import Game, Rotation, Waiting
from games.stakes.offers import Offer

A_MOMENT = timedelta(minutes=1)  # "for 0 minutes" tells nothing


@dataclass(frozen=True, slots=True)
class More:
    """What a list says of a table beyond its cards and points."""

    since: datetime | None = None  # when this game's table was laid
    rotation: str = Rotation.NONE
    line: dict[int, str] = field(default_factory=dict)  # who waits for the next game


def rows_of(
    frames: Sequence[Frame], user_id: int, watched: bool = True, lines: bool = True
) -> list[dict[str, Any]]:
    """A row for each table, in two statements; one without ``lines``, who waits for the next game.

    ``watched``: those who do not play may look.
    """
    more = _more(frames, lines)
    return [_row(frame, more[frame.table_id], user_id, watched) for frame in frames]


def _row(frame: Frame, more: More, user_id: int, watched: bool) -> dict[str, Any]:
    mine = frame.seat_of(user_id)
    names = [shown(seat.name, seat.guest, seat.bot) for seat in frame.seats]
    return {
        "id": frame.table_id,
        "number": frame.table_number,
        "room": frame.room_name,
        "room_id": frame.room_id,
        "rules": presets.preset_name(frame.rules.preset),
        "target": frame.rules.scoring.target,
        "staked": frame.stakes.played_for,
        "stakes": stakes.in_brief(frame.stakes, frame.rules.scoring),
        "offer": Offer(frame.rules, frame.stakes),
        "state": "adjourned" if frame.adjourned and not frame.ended else frame.state,
        "names": names,
        "others": [name for seat, name in enumerate(names) if seat != mine],
        "points": list(frame.points),
        "score": _own_first(frame.points, mine),
        "hand_number": frame.hand_number,
        "sheet_id": frame.sheet_id,
        "mine": mine is not None,
        "my_turn": mine is not None and frame.waits_for(mine),
        "watched": watched,
        "pace": frame.pace,
        "since": more.since if more.since and timezone.now() - more.since > A_MOMENT else None,
        "rotation": more.rotation != Rotation.NONE,
        "rotation_words": Rotation(more.rotation).label,
        "line": list(more.line.values()),
        "in_line": user_id in more.line,
    }


def shown(name: str, guest: bool, bot: str = "") -> str:
    """A name as lists show it: a guest and the computer are told from others."""
    if bot:
        return called(bots.NAMES[bot], "bot")
    return called(name, "guest" if guest else "")


def _own_first(points: Sequence[int], mine: int | None) -> list[int]:
    if mine is None or len(points) != 2:
        return list(points) if len(points) == 2 else []
    return [points[mine], points[1 - mine]]


def _more(frames: Sequence[Frame], read_lines: bool) -> dict[int, More]:
    """What lies beside these tables, by table."""
    lines: dict[int, dict[int, str]] = {frame.table_id: {} for frame in frames}
    waiting = Waiting.objects.filter(table_id__in=list(lines) if read_lines else []).order_by("pk")
    columns = ("table_id", "user_id", "user__username", "user__is_guest")
    for table_id, person, name, guest in waiting.values_list(*columns):
        lines[table_id][person] = shown(name, guest)
    games = Game.objects.filter(pk__in=[frame.game_id for frame in frames])
    more = {
        table_id: More(opened, rotation, lines[table_id])
        for table_id, rotation, opened in games.values_list(
            "table_id", "table__rotation", "opened_at"
        )
    }
    return {table_id: more.get(table_id, More()) for table_id in lines}
