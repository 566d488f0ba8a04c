"""The tables of script/soak, laid by a quick door: nobody signs up, nobody waits for a bell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from channels.layers import channel_layers
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.db import transaction

from accounts import bots
from accounts.models import User
from accounts.sessions import SessionStore
from games import rooms, table
from games.models import Game, Pace, Room, SeatTime, Table
from games.table import clock
from ginrami.layers import NearLayer

AT_ONCE = 20  # tables in one transaction: waiting for the disk is what takes longest
STAKES = {"mode": "match", "amount": "5", "commission": "house"}
# Short games of several kinds, so that many end while one watches.
RULES: tuple[dict[str, Any], ...] = (
    {"preset": "first_to_knock"}, {"preset": "complete", "target": 50},
    {"preset": "points_only", "target": 50}, {"preset": "money_play", "target": 50},
)  # fmt: skip


def kind_of(number: int, varied: bool = True) -> dict[str, Any]:
    """What kind of table this is: among a dozen each kind is there."""
    stakes = number % 5 == 0
    clocked = varied and number % 6 == 1
    return {
        "rules": RULES[number % len(RULES)] if varied else {"preset": "complete"},
        "stakes": stakes,
        "bot": varied and not stakes and not clocked and number % 5 == 3,
        "clock": clocked,
        "adjourned": varied and number % 6 == 2,
        "quick": varied and number % 8 in (0, 3),
    }


def lay(
    tables: int, folder: str, first: int = 0, varied: bool = False, file: str = "places.json"
) -> None:
    """Two people at each table, who have sat down; says after each lot how many tables there are.

    ``varied``: some against the computer, who has no cookie, some by the clock, some adjourned.
    """
    channel_layers.set("default", NearLayer())
    bots.account_of(bots.USUAL)
    places, kinds = [], []
    for begun in range(first, first + tables, AT_ONCE):
        with transaction.atomic():
            for number in range(begun, min(begun + AT_ONCE, first + tables)):
                kind = kind_of(number, varied)
                places.append(_lay(number, kind))
                kinds.append(kind)
        print(len(places), flush=True)
    (Path(folder) / file).write_text(json.dumps(places))
    (Path(folder) / file.replace("places", "kinds")).write_text(json.dumps(kinds))


def _lay(number: int, kind: dict[str, Any]) -> list[Any]:
    owner = _person(f"a {number}")
    pace = Pace.HALF if kind["clock"] else Pace.NONE
    stakes = STAKES if kind["stakes"] else None
    room_id = rooms.open_room(owner.pk, "Salle", kind["rules"], pace=pace, stakes=stakes)
    place: int = Table.objects.get(room_id=room_id).pk
    if kind["bot"]:
        table.seat_bot(place, owner.pk, bots.USUAL)
        return [place, _cookie(owner)]
    other = _person(f"b {number}")
    rooms.join_room(Room.objects.values_list("invitation", flat=True).get(pk=room_id), other.pk)
    table.sit_down(place, other.pk)
    game = Game.objects.get(table_id=place)
    if kind["clock"]:  # without a reserve, a turn is over while one watches
        SeatTime.objects.filter(clock__game=game).update(reserve_ms=0)
    if kind["adjourned"]:
        clock.put_aside(game.pk)
    return [place, _cookie(owner), _cookie(other)]


def _person(name: str) -> User:
    return get_user_model().objects.create(username=name, name_key=name.replace(" ", ""))


def _cookie(person: User) -> str:
    """A session as signing in leaves it, without what else happens then."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
