"""What a room's own pages show: its tables, members, standings and rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import admission, presence, presets
from games.fair.aborted import aborted_in
from games.models import Room, Rotation
from games.reading import frames_of
from games.rooms.leaving import heir, why_not_gone
from games.rooms.rights import no_such_room, own_room, room_for
from games.rooms.rows import rows_of
from games.rooms.standings import results_of, standings
from games.stakes.offers import Offer
from games.stakes.pages import tabs_in_room
from scoring import statistics
from scoring.rules.stakes import Stakes

FINISHED_FIRST, FINISHED_AT_MOST = 5, 30
FINISHED_TABLES_AT_MOST = 3
ORDER = ("waiting", "playing", "between", "adjourned", "finished")


def room_page(room_id: int, user_id: int) -> dict[str, Any]:
    """Everything a room's page shows: to members, and of a public room to anyone, who can join.

    Others are told there is no room. Only members are told how to invite.
    """
    page = tables_of(room_id, user_id)
    room: Room = page["room"]
    member: bool = page["is_member"]
    members = list(room.members.select_related("user").order_by("joined_at", "pk"))
    people = {one.user_id: one.user.username for one in members}
    guests = {one.user_id for one in members if one.user.is_guest}
    pages_for = {one.user_id: one.user.pages_for for one in members}
    present, host = presence.room_present(room_id), page["host"]
    ranks, duels = standings(page["results"], people)
    tabs = tabs_in_room(room, people) if member else None
    return page | {
        "name": room.name,
        "is_host": host == user_id,
        "practice": room.practice,
        "invite": room.invitation if member else None,
        "code": room.code if member else None,
        "members": [
            {
                "id": person,
                "name": name,
                "host": person == host,
                "you": person == user_id,
                "guest": person in guests,
                "present": person in present,
            }
            for person, name in people.items()
        ],
        "guest_ids": guests,
        "pages": statistics.visible_among(user_id, pages_for),
        "standings": ranks,
        "tabs": tabs,
        "aborted": aborted_in(room_id),
        "duels": duels,
        "rules": presets.RuleSet.from_dict(room.rules),
        "stakes": Stakes.from_dict(room.stakes),
        "offer": Offer.of(room.rules, room.stakes),
        "rotations": Rotation.choices,
    }


def tables_of(room_id: int, user_id: int) -> dict[str, Any]:
    """The part of a room's page that changes while one looks: tables and finished games."""
    terms = admission.terms_of(room_id, user_id)
    room = Room.objects.filter(pk=room_id).annotate(host=admission.host()).first()
    if room is None or not terms.may_enter:
        raise no_such_room()
    rows = rows_of(frames_of(room_id=room_id), user_id, watched=terms.may_watch)
    rows.sort(key=lambda row: (ORDER.index(row["state"]), -row["id"]))
    results = results_of(room_id)
    over = [row for row in rows if row["state"] == "finished"]
    return {
        "id": room.pk,
        "room": room,
        "host": room.host,
        "is_member": terms.member,
        "public": room.is_public,
        "pace": room.pace,
        "spectators": room.spectators,
        "guests": room.guests,
        "tables": rows[: len(rows) - len(over)] + over[:FINISHED_TABLES_AT_MOST],
        "results": results,
        "finished": results[:FINISHED_FIRST],
        "earlier": results[FINISHED_FIRST:FINISHED_AT_MOST],
    }


def settings_page(room_id: int, user_id: int) -> dict[str, Any]:
    """What the room is now, as its form shows it to the host alone."""
    room = own_room(room_id, user_id, lock=False)
    return {
        "id": room.pk,
        "name": room.name,
        "public": "yes" if room.is_public else "no",
        "pace": room.pace,
        "spectators": "yes" if room.spectators else "no",
        "guests": "yes" if room.guests else "no",
        **_chosen(room.rules),
        "stakes": room.stakes,
    }


def _chosen(rules: Mapping[str, Any]) -> dict[str, Any]:
    """A rule set as the form knows it: the preset, and only what differs from it."""
    usual = presets.rule_set({"preset": rules["preset"]}).as_dict()
    return {
        name: value for name, value in rules.items() if name == "preset" or value != usual[name]
    }


def member_page(room_id: int, user_id: int, member_id: int) -> dict[str, Any]:
    """What a host may do with a member, or a member with their own membership."""
    room = room_for(room_id, user_id)
    names = room.members.filter(user_id=member_id).values_list("user__username", flat=True)
    you, is_host = member_id == user_id, admission.host_of(room_id) == user_id
    if not names or not (is_host or you):
        raise no_such_room()
    next_host = heir(room, user_id) if you else None
    return {
        "id": room.pk,
        "name": room.name,
        "member": {"id": member_id, "name": names[0]},
        "you": you,
        "is_host": is_host,
        "next_host": next_host.user.username if next_host else "",
        "why_not": why_not_gone(room_id, member_id),
    }
