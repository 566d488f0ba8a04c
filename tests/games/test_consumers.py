"""The live door: who may open it, what it answers, and what closes it."""

from __future__ import annotations

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.live import ring
from games import messages, rooms, sockets, table
from games.consumers import TableConsumer
from games.models import Game, Move
from ginrami.asgi import application

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

in_thread = sync_to_async(thread_sensitive=True)


PRESENCE = {"present", "spectators", "absence", "absence_at"}


class Socket:
    """A browser's socket, signed in as one person."""

    told = None

    def __init__(self, table_id, cookies, origin=b"http://localhost"):
        headers = [(b"host", b"localhost"), (b"cookie", cookies.encode())]
        if origin:
            headers.append((b"origin", origin))
        self.wire = WebsocketCommunicator(application, f"/ws/tables/{table_id}/", headers=headers)

    async def open(self):
        self.connected, self.code = await self.wire.connect(timeout=5)
        return self

    async def anything(self):
        return json.loads(await self.wire.receive_from(timeout=5))

    async def hear(self):
        """The next message that does not only tell who has come or gone meanwhile."""
        while True:
            message = await self.anything()
            if message["type"] != "table":
                return message
            before, self.told = self.told, {**message, "now": 0}
            changed = {key for key in self.told if before and before.get(key) != self.told[key]}
            if not changed or changed - PRESENCE:
                return message

    async def presence(self):
        """The next view, though nothing but who is here may have changed."""
        while True:
            message = await self.anything()
            if message["type"] == "table":
                return message

    async def view(self):
        """The next view of those that tell of the game."""
        message = await self.hear()
        assert message["type"] == "table", message
        return message

    async def say(self, message):
        text = message if isinstance(message, str) else json.dumps(message)
        await self.wire.send_to(text_data=text)

    async def ask(self, message):
        await self.say(message)
        return await self.hear()

    async def closed(self):
        """The code the server closed with."""
        while True:
            event = await self.wire.receive_output(timeout=5)
            if event["type"] == "websocket.close":
                return event.get("code")

    async def silent(self):
        return await self.wire.receive_nothing(timeout=0.2)

    async def leave(self):
        await self.wire.disconnect(timeout=5)


def cookies_of(client):
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


@pytest.fixture
def clients(alice, bob, charlie):
    signed_in = {}
    for person in (alice, bob, charlie):
        signed_in[person.pk] = Client()
        signed_in[person.pk].force_login(person)
    return signed_in


@pytest.fixture
def socket(clients):
    """Opens a socket for a person: ``await socket(table_id, alice)``."""

    async def opened(table_id, person, **how):
        return await Socket(table_id, cookies_of(clients[person.pk]), **how).open()

    return opened


async def test_both_see_the_table_and_a_move_reaches_both(table_id, alice, bob, socket):
    hers, his = await socket(table_id, alice), await socket(table_id, bob)
    view, other = await hers.view(), await his.view()
    assert view["seat"] == 0
    assert other["seat"] == 1
    mover = hers if view["hand"]["to_act"] == 0 else his
    await mover.say({"move": "pass", "at": view["at"]})
    after = [await hers.view(), await his.view()]
    assert [seen["at"] for seen in after] == [[1, 1], [1, 1]]
    assert after[0]["version"] == after[1]["version"] > view["version"]
    await hers.leave()
    await his.leave()


async def test_two_tabs_of_one_player_both_follow_and_the_stale_one_is_shown_the_table(
    table_id, alice, bob, socket
):
    view = await sync_to_async(table.look)(table_id, alice.pk)
    mover = alice if view["hand"]["to_act"] == view["seat"] else bob
    first, second = await socket(table_id, mover), await socket(table_id, mover)
    at = (await first.view())["at"]
    await second.view()
    await first.say({"move": "pass", "at": at})
    assert (await second.view())["at"] == [1, 1]
    await first.leave()
    answer = await second.ask({"move": "pass", "at": at})
    assert (answer["type"], answer["code"]) == ("refused", "stale")
    assert (await second.view())["at"] == [1, 1]
    assert await in_thread(Move.objects.count)() == 1
    await second.leave()


async def test_reconnecting_shows_what_was_seen_before(table_id, alice, bob, socket):
    view = await sync_to_async(table.look)(table_id, alice.pk)
    first, second = (alice, bob) if view["hand"]["to_act"] == view["seat"] else (bob, alice)
    await in_thread(table.make_move)(table_id, first.pk, "pass", (1, 0))
    await in_thread(table.make_move)(table_id, second.pk, "draw discard", (1, 1))
    before = await socket(table_id, second)
    seen = await before.view()
    await before.leave()
    after = await socket(table_id, second)
    again = await after.view()
    assert again["hand"] == seen["hand"]
    assert again["hand"]["phase"] == "discard"
    assert len(again["hand"]["held"]) == 11
    assert again["hand"]["locked"] == [again["hand"]["upcard"]]
    answer = await after.ask({"move": "draw stock", "at": again["at"]})
    assert answer["type"] == "refused"
    await after.leave()


async def test_no_message_to_one_player_names_a_card_of_the_other(table_id, alice, bob, socket):
    hers, his = await socket(table_id, alice), await socket(table_id, bob)
    view, other = await hers.view(), await his.view()
    while view["state"] == "playing":
        held = set(other["hand"]["held"])
        seen = json.dumps(view)
        public = set(view["hand"]["pile"]) | {view["hand"]["upcard"]}
        public |= {entry["card"] for entry in view["hand"]["log"] if "card" in entry}
        public |= {entry["move"][-2:] for entry in view["hand"]["log"]}
        assert not [card for card in held - public if f'"{card}"' in seen]
        at = view["at"]
        mover, sees = (hers, view) if view["hand"]["to_act"] == 0 else (his, other)
        await mover.say({"move": sees["hand"]["legal"][-1], "at": at})
        view, other = await hers.view(), await his.view()
        if view["at"][1] > 30:
            break
    await hers.leave()
    await his.leave()


async def test_a_stranger_is_shown_out(table_id, charlie, socket):
    theirs = await socket(table_id, charlie)
    assert await theirs.closed() == sockets.NOT_HERE


async def test_a_visitor_who_has_not_signed_in_is_sent_to_sign_in(table_id):
    theirs = await Socket(table_id, "").open()
    assert await theirs.closed() == sockets.SIGNED_OUT


@pytest.mark.parametrize("number", ["987654", "9" * 30])
async def test_a_table_that_does_not_exist_closes_plainly(number, alice, socket):
    theirs = await socket(number, alice)
    assert await theirs.closed() == sockets.NOT_HERE


async def test_a_foreign_origin_gets_no_socket(table_id, alice, socket):
    theirs = await socket(table_id, alice, origin=b"https://elsewhere.example")
    assert theirs.connected is False


@pytest.mark.parametrize(
    "garbage",
    [" ", "{", "null", "[]", "0", '"move"', '{"move": 1, "at": [1, 0]}', '{"move": "pass"}',
     '{"move": "pass", "at": [1]}', '{"move": "pass", "at": [1, "0"]}',
     '{"move": "pass", "at": [-1, 0]}', '{"move": "pass", "at": [1, 0], "user": 1}',
     '{"move": "pass", "at": [1, 99999999999999999999]}', '{"verb": "deal"}', '{"verb": null}',
     '{"verb": "ready", "x": 1}', "[" * 900, '{"a":' * 180, "\x00", "x" * 5000,
     '{"move": "' + "a" * 65 + '", "at": [1, 0]}', '{"move": "\\ud800", "at": [1, 0]}'],
)  # fmt: skip
async def test_garbage_is_refused_and_changes_nothing(garbage, table_id, alice, socket):
    hers = await socket(table_id, alice)
    before = await hers.view()
    answer = await hers.ask(garbage)
    assert (answer["type"], answer["code"]) == ("refused", "malformed")
    after = await hers.ask({"verb": "look"})
    assert after["hand"] == before["hand"]
    await hers.leave()


async def test_bytes_are_no_message(table_id, alice, socket):
    hers = await socket(table_id, alice)
    await hers.view()
    await hers.wire.send_to(bytes_data=b"\xff\xfe")
    assert (await hers.hear())["code"] == "malformed"
    await hers.leave()


async def test_views_and_refusals_speak_the_readers_language(table_id, alice, clients):
    sentences, rules = {}, {}
    for language in ("fr", "en"):
        cookies = f"{cookies_of(clients[alice.pk])}; {settings.LANGUAGE_COOKIE_NAME}={language}"
        hers = await Socket(table_id, cookies).open()
        rules[language] = (await hers.view())["game"]["rules"]
        sentences[language] = (await hers.ask("{"))["sentence"]
        await hers.leave()
    assert sentences["en"] == "The site did not understand this message."
    assert sentences["fr"] != sentences["en"]
    assert rules == {"fr": "Gin complet", "en": "Complete gin"}


async def test_a_flood_closes_only_the_socket_it_comes_from(table_id, alice, bob, socket):
    hers, his = await socket(table_id, alice), await socket(table_id, bob)
    await hers.view()
    await his.view()
    for _ in range(int(messages.AT_ONCE + messages.PATIENCE) + 5):
        await hers.say("{")
    assert await hers.closed() == sockets.FLOOD
    assert (await his.ask({"verb": "ping"}))["type"] == "pong"
    await his.leave()


async def test_a_pong_says_where_the_table_stands(table_id, alice, socket):
    hers = await socket(table_id, alice)
    view = await hers.view()
    pong = await hers.ask({"verb": "ping"})
    known = {"at": view["at"], "version": view["version"], "present": [True, False]}
    assert pong == {"type": "pong", **known}
    await hers.leave()


async def test_signing_out_ends_the_socket_at_the_bell(table_id, alice, socket, clients):
    hers = await socket(table_id, alice)
    await hers.view()
    await in_thread(Session.objects.all().delete)()
    await in_thread(ring)(f"user.{alice.pk}")
    assert await hers.closed() == sockets.SIGNED_OUT


@pytest.mark.parametrize("change", ["signed out", "suspended", "new password"])
async def test_the_socket_acts_for_the_user_of_the_session_at_that_moment(
    change, table_id, alice, bob, socket
):
    view = await sync_to_async(table.look)(table_id, alice.pk)
    mover = alice if view["hand"]["to_act"] == view["seat"] else bob
    theirs = await socket(table_id, mover)
    await theirs.view()

    def happen():
        if change == "signed out":
            for session in Session.objects.all():
                if session.get_decoded()[SESSION_KEY] == str(mover.pk):
                    session.delete()
        elif change == "suspended":
            mover.is_active = False
            mover.save()
        else:
            mover.set_password("another long enough one")
            mover.save()

    await in_thread(happen)()
    await theirs.say({"move": "pass", "at": [1, 0]})
    assert await theirs.closed() == sockets.SIGNED_OUT
    assert await in_thread(Move.objects.count)() == 0


async def test_a_broken_verb_tells_the_player_nothing_of_its_inside(
    table_id, alice, socket, monkeypatch, caplog
):
    def broken(*_):
        raise RuntimeError("the deck is 9s3s2s")

    hers = await socket(table_id, alice)
    await hers.view()
    monkeypatch.setattr(table, "ready", broken)
    answer = await hers.ask({"verb": "ready"})
    assert answer["code"] == "broken"
    assert "deck" not in answer["sentence"]
    assert (await hers.ask({"verb": "ping"}))["type"] == "pong"
    await hers.leave()


async def test_a_newcomer_sitting_down_is_seen_by_who_waits(waiting, alice, bob, socket):
    hers = await socket(waiting, alice)
    assert (await hers.view())["state"] == "waiting"
    await in_thread(table.sit_down)(waiting, bob.pk)
    assert (await hers.view())["state"] == "playing"
    await hers.leave()


async def test_the_bonuses_ring_the_bell_of_who_is_still_there(table_id, alice, bob, socket):
    hers = await socket(table_id, alice)
    await hers.view()
    await in_thread(table.resign)(table_id, bob.pk)
    seen = await hers.view()
    while not (seen["end"] and seen["end"]["bonuses_written"]):
        seen = await hers.view()
    assert seen["end"]["winner"] == 0
    await hers.leave()


async def test_a_removed_member_no_longer_sees_the_table(waiting, room_id, alice, charlie, socket):
    invite = (await in_thread(rooms.room_page)(room_id, alice.pk))["invite"]
    await in_thread(rooms.join_room)(invite, charlie.pk)
    theirs = await socket(waiting, charlie)
    await theirs.view()
    await in_thread(charlie.memberships.all().delete)()
    await in_thread(ring)(f"table.{waiting}")
    assert await theirs.closed() == sockets.NOT_HERE


@pytest.mark.parametrize("layer_is", ["dead", "silent"])
async def test_a_socket_opens_though_no_bell_is_in_reach_and_hears_it_once_it_is(
    layer_is, table_id, alice, bob, socket, monkeypatch
):
    layer, reachable = get_channel_layer(), asyncio.Event()
    join = layer.join

    async def patchy(groups, channel):
        if not reachable.is_set():
            if layer_is == "dead":
                raise ConnectionError
            await asyncio.sleep(60)
        await join(groups, channel)

    monkeypatch.setattr(sockets, "HEARD_WITHIN", 0.02)
    monkeypatch.setattr(layer, "join", patchy)
    hers = await socket(table_id, alice)
    assert (await hers.view())["at"] == [1, 0]
    assert (await hers.ask({"verb": "ping"}))["type"] == "pong"
    await in_thread(table.resign)(table_id, bob.pk)
    assert await hers.silent()
    reachable.set()
    assert (await hers.ask({"verb": "ping"}))["type"] == "pong"
    await in_thread(ring)(f"table.{table_id}")
    assert (await hers.view())["state"] == "finished"
    await hers.leave()


async def test_leaving_a_dead_layer_ends_the_socket_without_a_fault(
    table_id, alice, socket, monkeypatch
):
    async def dead(group, channel):
        raise ConnectionError

    hers = await socket(table_id, alice)
    await hers.view()
    monkeypatch.setattr(get_channel_layer(), "group_discard", dead)
    await hers.leave()  # an exception of the consumer would come up here


async def test_a_rematch_is_followed_to_its_own_sheet_and_the_old_one_left(
    table_id, alice, bob, socket
):
    hers = await socket(table_id, alice)
    first = (await hers.view())["sheet_id"]
    await in_thread(table.resign)(table_id, bob.pk)
    for person in (alice, bob):
        await in_thread(table.rematch)(table_id, person.pk)
    seen = await hers.view()
    while seen["game"]["number"] == 1:
        seen = await hers.view()
    heard = {group.rpartition("sheet.")[2] for group in get_channel_layer().groups}
    assert str(seen["sheet_id"]) in heard
    assert str(first) not in heard
    await hers.leave()


async def test_nothing_is_done_for_a_socket_that_was_shown_out(table_id, alice, bob, socket):
    game = await in_thread(Game.objects.get)()
    hers = await socket(table_id, alice)
    await hers.view()
    for _ in range(int(messages.AT_ONCE + messages.PATIENCE) + 5):
        await hers.say("{")
    await hers.say({"verb": "resign"})
    assert await hers.closed() == sockets.FLOOD
    assert await hers.silent()
    await in_thread(game.refresh_from_db)()
    assert game.ended_at is None


async def test_what_was_shown_already_is_not_shown_again_by_the_move_itself(table_id, alice):
    """A look for somebody's coming may read a move just stored before its own views are there."""
    said = []

    class Silent(TableConsumer):
        held = object()

        async def send(self, text_data):
            said.append(json.loads(text_data)["version"])

    view = await sync_to_async(table.look)(table_id, alice.pk)
    one = Silent()
    for seen in (view, {**view, "now": view["now"] + 1}, {**view, "version": view["version"] + 1}):
        await one.take(seen)
    if one.alarm is not None:
        one.alarm.cancel()
    assert said == [view["version"], view["version"] + 1]
