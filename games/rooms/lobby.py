"""What the home page lists: one's own games, sheets and rooms, and what is open to everyone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts import guests
from accounts.called import called
from games import admission, presence, presets
from games.models import Game, GameSeat, Hand, Move, Room
from games.reading import frames_of
from games.rooms.rows import rows_of
from games.rooms.watching import watch_home
from scoring import ledger

SHEETS_AT_MOST = 5
LOBBY_AT_MOST = 20  # tables in each list
LOOKED_AT_MOST = 200  # open games of public rooms, the newest
QUIET_AT_MOST = 50  # rooms asked whether somebody is there
STALE_AFTER = timedelta(minutes=30)


def my_rooms(user_id: int) -> list[dict[str, Any]]:
    """The rooms this person is a member of, newest first; not where they practise alone."""
    mine = Room.objects.filter(members__user_id=user_id, practice=False)
    mine = mine.annotate(host=admission.host())
    return [
        {
            "id": room.pk,
            "name": room.name,
            "host": room.host == user_id,
            "rules": presets.RuleSet.from_dict(room.rules),
        }
        for room in mine.order_by("-members__joined_at", "-pk")
    ]


def last_sheets(user_id: int) -> list[dict[str, Any]]:
    """The last games this person finished, newest first, from their side of the table."""
    games = Game.objects.filter(seats__user_id=user_id, ended_at__isnull=False)
    recent = games.order_by("-ended_at", "-pk").values_list("sheet_id", flat=True)
    latest = ledger.read_latest([number for number in recent[:SHEETS_AT_MOST] if number])
    over = [sheet for sheet in latest.values() if sheet.ended_at]  # a correction may reopen one
    were = {one.user_id for sheet in over for one in sheet.seats if one.kind == "guest"}
    now_guests = guests.among([one for one in were if one]) if were else set()
    found = []
    for sheet in sorted(over, key=lambda one: (one.ended_at, one.id), reverse=True):
        own = next((seat.seat for seat in sheet.seats if seat.user_id == user_id), 0)
        other = next(seat for seat in sheet.seats if seat.seat != own)
        kind = "guest" if other.user_id in now_guests else "bot" if other.kind == "bot" else ""
        winner, totals = sheet.standing.winner, sheet.standing.totals
        found.append(
            {
                "id": sheet.id,
                "verdict": "none" if winner is None else "won" if winner == own else "lost",
                "opponent": called(other.name, kind),
                "ended_at": sheet.ended_at,
                "rules": presets.preset_name(str(sheet.rules["preset"])),
                "score": [totals[own], *(n for seat, n in enumerate(totals) if seat != own)],
            }
        )
    return found


def at_home(
    user_id: int, own: Collection[int] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """The lists of the home page that change while one looks.

    ``games``: where this person waits or plays, those first that wait for them. ``open``: tables
    of public rooms where they could sit down. ``watch``: games there they could look at.
    ``own``: the tables where they wait or play, if that is known.
    """
    spectators = _live_tables()
    if own is None:
        own = watch_home(0, user_id).tables
    tables = {*spectators, *own}
    rows = rows_of(frames_of(table_ids=sorted(tables)), user_id, lines=False)
    rows.sort(key=lambda row: (not row["my_turn"], -row["id"]))
    others = [row for row in rows if not row["mine"] and row["names"]]
    running = [row for row in others if row["state"] in ("playing", "between")]
    return {
        "games": [row for row in rows if row["mine"]],
        "open": [row for row in others if row["state"] == "waiting"][:LOBBY_AT_MOST],
        "watch": [row for row in running if spectators[row["id"]]][:LOBBY_AT_MOST],
    }


def _live_tables() -> dict[int, bool]:
    """Open tables of public rooms in which something moves or somebody is, with spectators or not.

    A room in which nobody is and nothing has moved for half an hour is left out until somebody
    comes back. Nothing of this is stored.
    """
    hands = Hand.objects.filter(game=OuterRef("pk")).order_by("-number")
    moves = Move.objects.filter(hand__game=OuterRef("pk")).order_by("-made_at")
    games = (
        Game.objects.filter(ended_at=None, table__room__is_public=True)
        .annotate(
            dealt_at=Subquery(hands.values("dealt_at")[:1]),
            hand_ended_at=Subquery(hands.values("ended_at")[:1]),
            moved_at=Subquery(moves.values("made_at")[:1]),
        )
        .order_by("-pk")
        .values("table_id", "table__room_id", "table__room__spectators", "opened_at",
                "dealt_at", "hand_ended_at", "moved_at")[:LOOKED_AT_MOST]
    )  # fmt: skip
    lately = timezone.now() - STALE_AFTER
    by_room: dict[int, list[dict[str, Any]]] = {}
    for game in games:
        by_room.setdefault(game["table__room_id"], []).append(dict(game))
    ended = Game.objects.filter(table__room_id__in=list(by_room), ended_at__gt=lately)
    moving = set(ended.values_list("table__room_id", flat=True))
    for room_id, found in by_room.items():
        times = [
            game[what]
            for game in found
            for what in ("opened_at", "dealt_at", "hand_ended_at", "moved_at")
        ]
        if any(moment is not None and moment > lately for moment in times):
            moving.add(room_id)
    quiet = [room_id for room_id in by_room if room_id not in moving][:QUIET_AT_MOST]
    moving |= _where_somebody_is(quiet)
    return {
        game["table_id"]: game["table__room__spectators"]
        for room_id in moving & set(by_room)
        for game in by_room[room_id]
    }


def _where_somebody_is(room_ids: list[int]) -> set[int]:
    """Those of these rooms on whose page, or at one of whose open tables, somebody is now."""
    seats = GameSeat.objects.filter(
        game__table__room_id__in=room_ids, game__ended_at=None, user__isnull=False
    )
    tables: dict[tuple[int, int], list[int | None]] = {}
    for room_id, table_id, user_id in seats.values_list(
        "game__table__room_id", "game__table_id", "user_id"
    ):
        tables.setdefault((room_id, table_id), []).append(user_id)
    found = {room_id for room_id in room_ids if presence.room_present(room_id)}
    for (room_id, table_id), people in tables.items():
        if room_id not in found and any(presence.present(table_id, people)):
            found.add(room_id)
    return found
