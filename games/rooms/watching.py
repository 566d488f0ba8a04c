"""What a page's socket asks of the lists it follows: did they change, and what may still change.

A bell may be lost, so every pong carries a stamp of the lists: a figure made of what grows with
them, which tells nothing to anybody. One that differs from the page's own means: fetch again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.db.models import Count, Max, QuerySet, Sum, Value

from games import facts, positions, presence
from games.facts import Facts
from games.models import Friendship, Game, Member, RoomInvitation, Table
from games.rooms.rights import no_such_room


@dataclass(frozen=True, slots=True)
class Watched:
    """``stamp`` differs when the lists do. They may change by the bells of these tables, and of
    these sheets, which are over without their bonuses."""

    stamp: str
    sheets: frozenset[int]
    tables: frozenset[int] = frozenset()


def watch_room(room_id: int, user_id: int) -> Watched:
    """The lists of a room's page, for a member. Raises Refusal: not_found, for anybody else."""
    members = list(
        Member.objects.filter(room_id=room_id).order_by("pk").values_list("user_id", "room__owner")
    )
    if user_id not in dict(members):
        raise no_such_room()
    tables = Table.objects.filter(room_id=room_id).aggregate(Count("pk"), Sum("changes"))
    games = Game.objects.filter(table__room_id=room_id)
    present = sorted(presence.room_present(room_id))
    awaited = sorted(_over(games).values_list("sheet_id", flat=True))
    stamp = _stamp(members, present, tables, _open(games), awaited)
    return Watched(stamp, frozenset(awaited))


def watch_home(_place: int, user_id: int) -> Watched:
    """The lists of this person's home page. A move changes them when it ends a turn of theirs."""
    rows = facts.select(facts.TABLES_OF_PLAYER, user_id)
    public = _open(Game.objects.filter(table__room__is_public=True))
    mine = Member.objects.filter(user_id=user_id)
    rooms = mine.values_list(Value("room"), "room_id", "room__name")
    sheets = _over(Game.objects.filter(seats__user_id=user_id))
    invited = RoomInvitation.objects.filter(user_id=user_id)
    asking = Friendship.objects.filter(asked_id=user_id, accepted_at=None)
    beside = sorted(
        rooms.union(
            sheets.values_list(Value("sheet"), "sheet_id", Value("")),
            invited.values_list(Value("invited"), "room_id", Value("")),
            asking.values_list(Value("friend"), "asker_id", Value("")),
        )
    )
    return Watched(
        _stamp(_turns(rows), public, beside),
        frozenset(number for kind, number, _name in beside if kind == "sheet"),
        frozenset(row.table_id for row in rows),
    )


def _turns(rows: list[Facts]) -> list[tuple[Any, ...]]:
    """What is listed of one's own tables: who sits there, and for whom each waits."""
    rules = positions.rules_of_games({row.game_id for row in rows if row.hand_id is not None})
    known = positions.load_positions(
        {row.hand_id: (row.ply, rules[row.game_id]) for row in rows if row.hand_id is not None}
    )
    return [
        (
            row.table_id, row.game_id, row.hand_number, row.lines, row.name, row.ready_after,
            row.adjourned is not None, row.hand_id and known[row.hand_id].to_act,
        )
        for row in rows
    ]  # fmt: skip


def _open(games: QuerySet[Game]) -> dict[str, Any]:
    """What grows with the open games among these. No true sums: the hands multiply the rows."""
    seen = games.filter(ended_at=None)
    return seen.aggregate(Count("pk"), Max("pk"), Sum("table__changes"), Count("hands__ended_at"))


def _over(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those that have ended, their bonuses still to be written."""
    return games.filter(ended_at__isnull=False, sheet__isnull=False, sheet__bonuses_at=None)


def _stamp(*seen: object) -> str:
    return f"{crc32(repr(seen).encode()):x}"
