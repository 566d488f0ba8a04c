"""What the site knows of somebody, as files of the archive they take along: theirs alone."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from accounts import letters, people
from accounts.models import User
from games import friends
from games.models import Analysis, Member, Message, Move, Mute, Report, Room
from scoring import chips

AT_ONCE = 500  # movements read at a time
SETTINGS = ("deck4", "large", "french", "sounds", "animation")


def written(user_id: int) -> dict[str, str]:
    """The account, the rooms, what was said, the chips and what the coach weighed, each a JSON;
    times are the reader's."""
    return {
        "account.json": _json(_account(User.objects.get(pk=user_id))),
        "rooms.json": _json(_rooms(user_id)),
        "messages.json": _json(_messages(user_id)),
        "chips.json": _json(_chips(user_id)),
        "coach.json": _json(_coach(user_id)),
    }


def _account(user: User) -> dict[str, Any]:
    looks = people.table_settings_of(user.pk)
    circle = friends.circle_of(user.pk)
    hidden = Mute.objects.filter(user=user).order_by("pk")
    return {
        "name": user.username,
        "email": user.email,
        "language": user.language,
        "time_zone": user.time_zone,
        "page_for": user.pages_for,
        "joined": _at(user.date_joined),
        "last_sign_in": _at(user.last_login),
        "table": None if looks is None else {name: getattr(looks, name) for name in SETTINGS},
        "letters_about_turns": letters.wants(user.pk),
        "letters_about_invitations": letters.wants(user.pk, letters.Kind.ROOMS),
        "friends": [one.name for one in circle.friends],
        "blocks": [one.name for one in circle.blocked],
        "hides_messages_of": list(hidden.values_list("muted__username", flat=True)),
    }


def _rooms(user_id: int) -> list[dict[str, Any]]:
    mine = Member.objects.filter(user_id=user_id).select_related("room").order_by("pk")
    return [
        {"name": one.room.name, "joined": _at(one.joined_at), "host": one.room.owner_id == user_id}
        for one in mine
    ]


def _messages(user_id: int) -> dict[str, Any]:
    said = Message.objects.filter(user_id=user_id).select_related("room", "table").order_by("pk")
    told = Report.objects.filter(reporter_id=user_id).select_related("room").order_by("pk")
    return {
        "said": [
            {
                "at": _at(line.said_at),
                "room": line.room.name,
                "table": line.table.number if line.table else None,
                "text": line.text,
            }
            for line in said.iterator()
        ],
        "reported": [
            {"at": _at(each.reported_at), "room": each.room.name, "reason": each.reason}
            for each in told
        ],
    }


def _chips(user_id: int) -> dict[str, Any]:
    """Every movement of the wallet and of each tab, oldest first; amounts exact, as text."""
    rooms = dict(Room.objects.filter(pk__in=list(chips.tabs_of(user_id))).values_list("pk", "name"))
    rate = chips.wished(user_id)
    return {
        "shown_in": rate.unit if rate else None,
        "wallet": _movements(user_id, None),
        "tabs": [
            {"room": name, "movements": _movements(user_id, room_id)}
            for room_id, name in sorted(rooms.items())
        ],
    }


def _coach(user_id: int) -> list[dict[str, Any]]:
    """What the coach weighed of this person's own decisions, hand by hand: points and margins."""
    mine = Analysis.objects.filter(
        state=Analysis.State.READY,
        hand__game__seats__user_id=user_id,
        hand__game__seats__seat=F("seat"),
    )
    return [
        {
            "sheet": one.hand.game.sheet_id,
            "hand": one.hand.number,
            "asked": _at(one.asked_at),
            "playouts": one.playouts,
            "decisions": _weighed(one),
        }
        for one in mine.select_related("hand__game").order_by("pk").iterator()
    ]


def _weighed(analysis: Analysis) -> list[dict[str, Any]]:
    made = Move.objects.filter(hand_id=analysis.hand_id, seat=analysis.seat)
    texts = dict(made.values_list("ply", "text"))
    return [
        {
            "ply": ply,
            "made": texts.get(ply),
            "weighed": [
                {"move": move, "points": points, "margin": margin}
                for move, points, margin, *_more in moves
            ],
        }
        for ply, moves in analysis.weighings.values_list("ply", "moves")
    ]


def _movements(user_id: int, room_id: int | None) -> list[dict[str, Any]]:
    found: list[chips.Movement] = []
    page = chips.history(user_id, room_id, most=AT_ONCE)
    while page:
        found += page
        page = chips.history(user_id, room_id, before=page[-1].number, most=AT_ONCE)
    return [
        {
            "at": _at(row.at),
            "kind": row.kind,
            "sheet": row.sheet_id,
            "reason": row.reason,
            "amount": f"{row.amount:.4f}",
            "balance": f"{row.balance:.4f}",
        }
        for row in reversed(found)
    ]


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else timezone.localtime(moment).isoformat(timespec="seconds")


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1)
