"""Every verb of a table's socket, said by everyone: the answer, and that nothing moves."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth import get_user_model
from django.test import Client

from games import rooms, sockets, table
from games.models import Game, Hand, Move, Room
from ginrami.asgi import application

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

in_thread = sync_to_async(thread_sensitive=True)

PASS = {"move": "pass", "at": [1, 0]}
VERBS = {
    "move": PASS,
    "move of this game": {**PASS, "game": "own"},
    "move of another game": {**PASS, "game": 2**31 - 1},
    "move long ago": {"move": "pass", "at": [0, 0]},
    "move to come": {"move": "pass", "at": [1, 1]},
    "move unknown": {"move": "peek", "at": [1, 0]},
    "move of the other's card": {"move": "discard Kd", "at": [1, 0]},
    "ready": {"verb": "ready"},
    "resign": {"verb": "resign"},
    "rematch": {"verb": "rematch"},
    "look": {"verb": "look"},
    "ping": {"verb": "ping"},
    "unknown": {"verb": "deal"},
}
# What those are answered who may not do it, all in the order of VERBS.
ANSWERS = {
    "member": ["not_a_player"] * 7 + ["not_a_player"] * 3 + ["table", "pong", "malformed"],
    "not their turn": ["not_your_turn"] * 2 + ["stale"] * 3 + ["not_your_turn"] * 2
    + ["-", "-", "not_over", "table", "pong", "malformed"],
}  # fmt: skip


async def opened(person, table_id):
    def cookie():
        client = Client()
        client.force_login(person)
        return f"sessionid={client.cookies['sessionid'].value}".encode()

    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    if person is not None:
        headers.append((b"cookie", await in_thread(cookie)()))
    wire = WebsocketCommunicator(application, f"/ws/tables/{table_id}/", headers=headers)
    await wire.connect(timeout=5)
    return wire


async def hear(wire):
    message = json.loads(await wire.receive_from(timeout=5))
    return message["code"] if message["type"] == "refused" else message["type"]


async def closed(wire):
    while True:
        event = await wire.receive_output(timeout=5)
        if event["type"] == "websocket.close":
            return event["code"]
        assert event["type"] != "websocket.send"


def stored():
    return (
        list(Game.objects.values_list("pk", "ended_at")),
        list(Hand.objects.values_list("pk", "ended_at")),
        list(Move.objects.values_list("pk", "text")),
    )


@pytest.mark.parametrize("who", ANSWERS)
async def test_those_who_may_not_are_refused_and_nothing_moves(who, table_id, alice, bob, charlie):
    def prepare():
        rooms.join_room(Room.objects.get().invitation, charlie.pk)
        view = table.look(table_id, alice.pk)
        waits = bob if view["hand"]["to_act"] == view["seat"] else alice
        return charlie if who == "member" else waits, view["game"]["id"]

    person, game = await in_thread(prepare)()
    before = await in_thread(stored)()
    wire = await opened(person, table_id)
    assert await hear(wire) == "table"
    for (name, message), expected in zip(VERBS.items(), ANSWERS[who], strict=True):
        if expected == "-":
            continue  # theirs to do
        said = {**message, "game": game} if message.get("game") == "own" else message
        await wire.send_to(text_data=json.dumps(said))
        assert await hear(wire) == expected, name
        if expected == "stale":
            assert await hear(wire) == "table"
    assert await in_thread(stored)() == before
    await wire.disconnect(timeout=5)


@pytest.mark.parametrize("who", ["anonymous", "stranger", "staff", "superuser"])
async def test_strangers_hear_nothing_whatever_they_say(who, table_id, charlie):
    users = get_user_model().objects
    person = {
        "anonymous": lambda: None,
        "stranger": lambda: charlie,
        "staff": lambda: users.create_user("staff", is_staff=True),
        "superuser": lambda: users.create_superuser("host"),
    }[who]
    before = await in_thread(stored)()
    wire = await opened(await in_thread(person)(), table_id)
    for message in VERBS.values():
        await wire.send_to(text_data=json.dumps(message))
    expected = sockets.SIGNED_OUT if who == "anonymous" else sockets.NOT_HERE
    assert await closed(wire) == expected
    assert await in_thread(stored)() == before


async def test_one_person_holds_only_so_many_sockets(table_id, alice, bob, monkeypatch):
    monkeypatch.setattr(sockets, "SOCKETS_A_PERSON", 2)
    first, second = await opened(alice, table_id), await opened(alice, table_id)
    assert [await hear(first), await hear(second)] == ["table", "table"]
    assert await closed(await opened(alice, table_id)) == sockets.FLOOD
    his = await opened(bob, table_id)
    assert await hear(his) == "table"
    await first.disconnect(timeout=5)
    again = await opened(alice, table_id)
    assert await hear(again) == "table"
    for wire in (second, again, his):
        await wire.disconnect(timeout=5)
    assert not sockets._open[alice.pk]
