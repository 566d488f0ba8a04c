"""Opening a room and its tables, and changing what a room is. Its host's work."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts import guests as guests_at
from accounts import names
from accounts.models import User
from accounts.refusal import N_, Refusal
from games import live, presets, table
from games.models import Game, Member, Pace, Room, Rotation, Table
from games.rooms.rights import own_room, room_for
from scoring.rules.stakes import Stakes

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no look-alikes: 0 O, 1 I L
CODE_LENGTH = 8
TABLES_AT_MOST = 200
PUBLIC_AT_MOST = 5  # rooms of one person in the lobby
OPENED_A_DAY, A_DAY = 30, timedelta(days=1)


def open_room(
    user_id: int,
    name: str,
    options: Mapping[str, Any],
    public: bool = False,
    pace: str = Pace.NONE,
    spectators: bool = True,
    guests: bool = True,
    practice: bool = False,
    stakes: Mapping[str, Any] | None = None,
) -> int:
    """Open a room with its rules and a first table at which its owner sits; returns its id.

    ``practice``: nobody else ever comes in (practice.py). ``stakes``: what is played for there.

    Raises BadRules for an option set the rules do not know, BadStakes, Refusal for a name that is
    none, and guests_stay_private, too_many_public, too_many_rooms; too_few_chips, where its owner
    could not sit down there.
    """
    rules = presets.rule_set(options)
    played_for = _stakes(stakes, rules)
    with transaction.atomic():
        if public:
            _require_account(user_id)
        _require_few(user_id, public)
        room = Room(
            name=_tidy(name),
            owner_id=user_id,
            rules=rules.as_dict(),
            stakes=played_for,
            code=_new_code(),
            invitation=_new_invitation(),
            is_public=public,
            pace=_known(pace, Pace.values),
            spectators=spectators,
            guests=guests,
            practice=practice,
        )
        room.save(force_insert=True)
        Member.objects.create(room=room, user_id=user_id)
        open_table(room.pk, user_id)
    return room.pk


def change_room(
    room_id: int,
    user_id: int,
    name: str,
    options: Mapping[str, Any],
    public: bool,
    pace: str,
    spectators: bool,
    guests: bool | None = None,
    stakes: Mapping[str, Any] | None = None,
) -> None:
    """Change what a room is. Its host's right alone.

    ``guests`` and ``stakes`` left out stay as they are; guests who are members already stay, too.
    Rules, stakes and pace are for games to come: one that has started keeps its own copy, and a
    waiting table takes the new ones. Where chips are now played for otherwise, who waits there
    gets up, and their host too without the chips; who asked for a next game that follows the room
    asks again. Whoever may no longer watch is shown out.
    """
    rules = presets.rule_set(options)
    with transaction.atomic():
        room = own_room(room_id, user_id)
        if public and room.practice:
            raise Refusal("practice_is_private", N_("A practice room is for you alone."))
        if public and not room.is_public:
            _require_account(user_id)
            _require_few_public(user_id)
        played_for = _stakes(room.stakes if stakes is None else stakes, rules)
        if played_for and room.practice:
            raise Refusal("practice_for_nothing", N_("A practice room is played for nothing."))
        if played_for and played_for != room.stakes:
            _require_account_for_stakes(user_id)
        changed = played_for != room.stakes or rules.as_dict() != room.rules
        stay = user_id if played_for and changed else None
        room.name, room.rules, room.stakes = _tidy(name), rules.as_dict(), played_for
        room.is_public, room.spectators = public, spectators
        room.guests = room.guests if guests is None else guests
        room.pace = _known(pace, Pace.values)
        room.save(
            update_fields=["name", "rules", "stakes", "is_public", "spectators", "guests", "pace"]
        )
        table.follow(room, changed, stay)
        table.tell_tables(room_id)
        live.ring_room(room_id)


def pass_to(room: Room, user_id: int | None) -> None:
    """Give a locked room another host. A purse goes with whoever promised it."""
    room.owner_id = user_id
    taken_back = Stakes.from_dict(room.stakes).purse_from == "owner"
    if taken_back:
        room.stakes = {}
    room.save(update_fields=["owner", "stakes"])
    if taken_back:
        table.follow(room, anew=True)
        table.tell_tables(room.pk)


def renew_invitation(room_id: int, user_id: int) -> None:
    """Revoke the link and the code of a room and make new ones. Its host's right alone.

    Whoever waits at a table is shown the new ones there.
    """
    with transaction.atomic():
        change_links(own_room(room_id, user_id))


def change_links(room: Room) -> None:
    """New link and code for a room that is locked."""
    room.invitation, room.code = _new_invitation(), _new_code()
    room.save(update_fields=["invitation", "code"])
    for game in waiting_games(room.pk):
        live.ring_after_commit(game.table_id)
    live.ring_room(room.pk)


def waiting_games(room_id: int) -> QuerySet[Game]:
    """The games of this room that have not started."""
    return Game.objects.filter(table__room_id=room_id, started_at=None)


def open_table(
    room_id: int, user_id: int, rotation: str = Rotation.NONE, seen: str | None = None
) -> int:
    """Open one more table in a room and sit down at it; returns the table's id.

    A member who already waits alone at a table of this room is taken back there instead: a
    double click must not leave empty tables behind. ``rotation``: who makes room for the next in
    line, where three or four share the table. ``seen``: as when sitting down.
    """
    with transaction.atomic():
        room = room_for(room_id, user_id, lock=True)
        waiting = table.waiting_table_of(room_id, user_id)
        if waiting is not None:
            return waiting
        last = room.tables.aggregate(last=Max("number"))["last"] or 0
        if last >= TABLES_AT_MOST:
            raise Refusal("too_many_tables", N_("This room has too many tables. Open a new room."))
        opened = Table.objects.create(
            room=room, number=last + 1, rotation=_known(rotation, Rotation.values)
        )
        table.lay(opened.pk)
        table.sit_down(opened.pk, user_id, seen)
        return opened.pk


def _stakes(wanted: Mapping[str, Any] | None, rules: presets.RuleSet) -> dict[str, str]:
    """Stakes as they are kept, if these rules can settle them; nothing where nothing is staked."""
    stakes = Stakes.from_dict(wanted)
    stakes.require_rules(rules.scoring)
    return stakes.to_dict() if stakes.played_for else {}


def _require_account(user_id: int) -> None:
    """A room everybody sees is opened by somebody who can be found again."""
    if guests_at.is_guest(user_id):
        raise Refusal(
            "guests_stay_private",
            N_("Only people with an account open public rooms: choose a password first."),
        )


def _require_account_for_stakes(user_id: int) -> None:
    if guests_at.is_guest(user_id):
        raise Refusal(
            "no_stakes_for_guests",
            N_("Only people with an account play for chips: choose a password first."),
        )


def _require_few(user_id: int, public: bool) -> None:
    """Nobody fills the site with rooms. The person is locked: clicks in several windows count."""
    User.objects.select_for_update(no_key=True).get(pk=user_id)
    if public:
        _require_few_public(user_id)
    today = Room.objects.filter(owner_id=user_id, opened_at__gt=timezone.now() - A_DAY)
    if today.count() >= OPENED_A_DAY:
        raise Refusal(
            "too_many_rooms", N_("You have opened many rooms today. Wait until tomorrow.")
        )


def _require_few_public(user_id: int) -> None:
    """Nobody fills the lobby with rooms."""
    User.objects.select_for_update(no_key=True).get(pk=user_id)
    if Room.objects.filter(owner_id=user_id, is_public=True).count() >= PUBLIC_AT_MOST:
        raise Refusal(
            "too_many_public",
            N_("You have %(most)d public rooms already. Make one of them private first."),
            most=PUBLIC_AT_MOST,
        )


def _tidy(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > 60 or not names.shows_itself(name):
        raise Refusal("room_name", N_("Give the room a name of 1 to 60 characters."))
    return name


def _known(value: str, known: list[str]) -> str:
    if value not in known:
        raise Refusal("unknown_choice", N_("The site does not know this choice."))
    return value


def _new_invitation() -> str:
    return secrets.token_urlsafe(16)  # 128 bits


def _new_code() -> str:
    """A code no room has yet. The unique constraint has the last word."""
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not Room.objects.filter(code=code).exists():
            return code
