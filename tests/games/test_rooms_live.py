"""The sockets of rooms and of the lobby, and talk on those of rooms and tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client

from accounts.live import ring
from games import live, messages, rooms, sockets, table, talk
from games.models import Game, Member, Message, Mute, Report, Room
from ginrami.asgi import application
from scoring import ledger

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

in_thread = sync_to_async(thread_sensitive=True)


class Window:
    """One open socket of somebody."""

    def __init__(self, address, person):
        self.address, self.person = address, person

    async def open(self):
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if self.person is not None:
            headers.append((b"cookie", await in_thread(self._cookie)()))
        self.wire = WebsocketCommunicator(application, f"/ws/{self.address}/", headers=headers)
        await self.wire.connect(timeout=5)
        return self

    def _cookie(self):
        client = Client()
        client.force_login(self.person)
        return f"sessionid={client.cookies['sessionid'].value}".encode()

    async def hear(self, kind):
        """The next message, which is of this kind; but people come and go at any moment."""
        while True:
            message = json.loads(await self.wire.receive_from(timeout=5))
            if message["type"] == kind:
                return message
            assert message["type"] in ("changed", "table"), message

    async def texts(self):
        return [line["text"] for line in (await self.hear("chat"))["messages"]]

    async def say(self, **message):
        await self.wire.send_to(text_data=json.dumps(message))

    async def chat(self, text):
        await self.say(verb="chat", text=text)

    async def refusal(self):
        return (await self.hear("refused"))["code"]

    async def settled(self):
        """Nothing more is on its way: all that a ping brings is over, and brought no talk."""
        await self.say(verb="ping")
        await self.hear("pong")
        await self.say(verb="nothing")
        assert await self.refusal() == "malformed"

    async def closed(self):
        while True:
            event = await self.wire.receive_output(timeout=5)
            if event["type"] == "websocket.close":
                return event.get("code")

    async def leave(self):
        # One cut off by a test that failed is gone already; its end must not spoil the next test.
        with contextlib.suppress(asyncio.CancelledError):
            await self.wire.disconnect(timeout=5)


@pytest.fixture
async def window():
    """Opens a window; those still open at the end are left."""
    every = []

    async def opened(address, person):
        every.append(await Window(address, person).open())
        return every[-1]

    yield opened
    for each in every:
        await each.leave()


@pytest.fixture
def places(room_id, table_id):
    return {"room": f"rooms/{room_id}", "table": f"tables/{table_id}"}


@pytest.fixture
def both(window, places, alice, bob):
    """Alice's window and Bob's at one place, each having seen what is shown first."""

    async def opened(at):
        hers, his = await window(places[at], alice), await window(places[at], bob)
        if at == "table":
            for each in (hers, his):
                await each.hear("table")
        await hers.settled()
        await his.settled()
        return hers, his

    return opened


PLACES = ("room", "table")


@pytest.mark.parametrize("at", PLACES)
async def test_what_one_says_both_read_once(at, both, alice):
    hers, his = await both(at)
    await hers.chat("Bonsoir <b>")
    for window, own in ((hers, True), (his, False)):
        (line,) = (await window.hear("chat"))["messages"]
        assert (line["text"], line["name"], line["you"]) == ("Bonsoir <b>", "alice", own)
        assert line["user"] == alice.pk
        await window.settled()
    await his.chat("Bonsoir")
    assert await hers.texts() == ["Bonsoir"]


@pytest.mark.parametrize("at", PLACES)
async def test_whoever_comes_later_reads_what_was_said(at, both, window, places, bob):
    hers, his = await both(at)
    await hers.chat("one")
    await hers.chat("two")
    told = await his.texts()
    while len(told) < 2:  # in one message or in two
        told += await his.texts()
    assert told == ["one", "two"]
    again = await window(places[at], bob)
    if at == "table":
        await again.hear("table")
    assert await again.texts() == ["one", "two"]


@pytest.mark.parametrize("at", PLACES)
async def test_a_line_whose_bell_was_lost_comes_with_the_next_pong(at, both, monkeypatch):
    hers, his = await both(at)
    with monkeypatch.context() as patched:
        patched.setattr(live, "ring_talk", lambda *_: None)
        await hers.chat("Vous m’entendez ?")
        assert await hers.texts() == ["Vous m’entendez ?"]  # one's own needs no bell
    await his.say(verb="ping")
    await his.hear("pong")
    assert await his.texts() == ["Vous m’entendez ?"]
    await his.settled()


async def test_a_line_that_could_not_be_read_comes_with_the_pong_after(both, monkeypatch):
    hers, his = await both("room")

    def away(*_asked):
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(live, "ring_talk", lambda *_: None)
        await hers.chat("Vous m’entendez ?")
        assert await hers.texts() == ["Vous m’entendez ?"]
        patched.setattr(talk, "recent", away)
        await his.say(verb="ping")
        await his.hear("pong")
        assert await his.refusal() == "unavailable"
    await his.say(verb="ping")
    await his.hear("pong")
    assert await his.texts() == ["Vous m’entendez ?"]


async def test_a_line_stored_late_under_a_lower_number_is_not_missed(
    both, room_id, table_id, alice, bob
):
    _hers, his = await both("room")

    def store(number):
        Message.objects.create(
            pk=number, room_id=room_id, user=alice, name="alice", text=str(number)
        )
        ring(f"talk.room.{room_id}", "talked")

    await in_thread(store)(1000)
    assert await his.texts() == ["1000"]
    await in_thread(store)(999)
    assert await his.texts() == ["999"]
    await his.settled()


async def test_what_is_said_at_a_table_is_not_heard_in_the_room(both, window, places, bob):
    hers, _his = await both("table")
    aside = await window(places["room"], bob)
    await hers.chat("at the table")
    await hers.texts()
    await aside.settled()


@pytest.mark.parametrize("at", PLACES)
async def test_muting_holds_for_one_person_in_all_windows_and_after_a_reload(
    at, both, window, places, alice, bob
):
    hers, his = await both(at)
    tab = await window(places["room"], alice)
    await his.chat("before")
    for each in (hers, his):
        await each.texts()
    await hers.say(verb="mute", user=bob.pk, on=True)
    whole = await hers.hear("chat")
    assert (whole["messages"], whole["whole"]) == ([], True)
    assert whole["muted"] == [{"user": bob.pk, "name": "bob"}]
    while (heard := await tab.hear("chat")).get("muted") != whole["muted"]:
        pass
    await his.chat("after")
    assert await his.texts() == ["after"]
    again = await window(places[at], alice)
    if at == "table":
        await again.hear("table")
    assert (await again.hear("chat"))["muted"] == whole["muted"]
    await again.settled()
    assert heard["messages"] == []
    await again.say(verb="mute", user=bob.pk, on=False)
    assert await again.texts() == ["before", "after"]


async def test_a_report_is_confirmed_and_a_second_one_refused(both, bob):
    hers, his = await both("table")
    await his.chat("Tricheuse !")
    (line,) = (await hers.hear("chat"))["messages"]
    await hers.say(verb="report", message=line["id"], reason="Insulte")
    assert (await hers.hear("reported"))["message"] == line["id"]
    await hers.say(verb="report", message=line["id"])
    assert await hers.refusal() == "reported"
    assert await in_thread(Report.objects.count)() == 1


@pytest.mark.parametrize("at", PLACES)
async def test_who_writes_too_fast_is_refused_and_stays(at, both):
    hers, his = await both(at)
    for number in range(talk.SAYS_AT_MOST):
        await hers.chat(str(number))
        assert await hers.texts() == [str(number)]
    await hers.chat("more")
    assert await hers.refusal() == "too_fast"
    await hers.settled()
    assert await in_thread(Message.objects.count)() == talk.SAYS_AT_MOST
    await his.say(verb="ping")


async def test_a_flood_of_talk_closes_only_the_socket_it_comes_from(both, monkeypatch):
    hers, his = await both("room")
    monkeypatch.setattr(messages, "A_SECOND", 0)  # however slowly this machine answers
    for _ in range(int(messages.AT_ONCE + messages.PATIENCE) + 5):
        await hers.chat("x")
    assert await hers.closed() == sockets.FLOOD
    assert await in_thread(Message.objects.count)() <= talk.SAYS_AT_MOST
    await his.chat("Du calme.")
    while (await his.texts()) != ["Du calme."]:
        pass


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(
    "message",
    [{"verb": "chat"}, {"verb": "chat", "text": ""}, {"verb": "chat", "text": 7},
     {"verb": "chat", "text": "x" * 501}, {"verb": "chat", "text": "x" * 100_000},
     {"verb": "chat", "text": "x", "room": 1}, {"verb": "mute", "user": -1, "on": True},
     {"verb": "mute", "user": 1}, {"verb": "mute", "user": "1", "on": True},
     {"verb": "report", "message": None}, {"verb": "report", "message": 1, "reason": "x" * 301}],
    ids=lambda message: ascii(message)[:40],
)  # fmt: skip
async def test_garbage_is_refused_and_nothing_is_kept(message, at, both):
    hers, _his = await both(at)
    await hers.say(**message)
    assert await hers.refusal() == "malformed"
    await hers.settled()

    def nothing():
        return [model.objects.exists() for model in (Message, Mute, Report)]

    assert await in_thread(nothing)() == [False] * 3


@pytest.mark.parametrize(
    ("message", "code"),
    [({"verb": "chat", "text": "\u202e\u200b"}, "says_nothing"),
     ({"verb": "report", "message": 2**31}, "no_such_message"),
     ({"verb": "mute", "user": "own", "on": True}, "yourself")],
)  # fmt: skip
async def test_a_refusal_keeps_the_window_open(message, code, both, alice):
    hers, _his = await both("room")
    await hers.say(**{**message, "user": alice.pk} if "user" in message else message)
    assert await hers.refusal() == code
    await hers.settled()


# --- who is let in


@pytest.mark.parametrize("at", PLACES)
async def test_a_stranger_hears_nothing(at, both, window, places, charlie):
    hers, _his = await both(at)
    theirs = await window(places[at], charlie)
    await theirs.chat("x")
    assert await theirs.closed() == sockets.NOT_HERE
    await hers.settled()
    assert not await in_thread(Message.objects.exists)()


@pytest.mark.parametrize("address", ["rooms/1", "lobby"])
async def test_a_visitor_is_sent_to_sign_in(address, window):
    assert await (await window(address, None)).closed() == sockets.SIGNED_OUT


@pytest.mark.parametrize("number", ["987654", "9" * 30])
async def test_a_room_that_does_not_exist_closes_plainly(number, window, alice):
    assert await (await window(f"rooms/{number}", alice)).closed() == sockets.NOT_HERE


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("bell", ["of the person", "of the talk", "a pong"])
async def test_a_removed_member_is_shown_out(
    at, bell, both, window, places, room_id, table_id, charlie
):
    def join():
        rooms.join_room(Room.objects.get(pk=room_id).invitation, charlie.pk)

    def leave():
        Member.objects.filter(user=charlie).delete()
        if bell == "of the person":
            ring(f"user.{charlie.pk}")
        elif bell == "of the talk":
            number = room_id if at == "room" else table_id
            ring(f"talk.{at}.{number}", "talked")

    await in_thread(join)()
    theirs = await window(places[at], charlie)
    if at == "table":
        await theirs.hear("table")
    await theirs.settled()
    await in_thread(leave)()
    await theirs.say(verb="ping")
    assert await theirs.closed() == sockets.NOT_HERE


async def test_who_watches_a_public_table_hears_no_talk_and_is_not_shown_out(
    both, window, places, room_id, charlie
):
    hers, _his = await both("table")
    await in_thread(Room.objects.filter(pk=room_id).update)(is_public=True)
    theirs = await window(places["table"], charlie)
    await theirs.hear("table")
    await hers.chat("entre nous")
    assert "entre nous" in await hers.texts()
    await theirs.settled()
    await theirs.chat("Bonsoir")
    assert await theirs.refusal() == "members_only"
    await theirs.settled()


# --- pages that follow


async def test_the_page_of_a_room_hears_that_something_changed(both, room_id, bob):
    hers, his = await both("room")
    await his.settled()
    await in_thread(live.ring_room)(room_id)
    await hers.hear("changed")
    await his.hear("changed")
    await his.say(verb="resign")
    assert await his.refusal() == "malformed"


async def test_the_lobby_hears_of_tables_and_takes_no_part(window, alice, room_id):
    hers = await window("lobby", alice)
    await hers.settled()
    await in_thread(live.ring_room)(room_id)
    await hers.hear("changed")
    for message in ({"verb": "chat", "text": "x"}, {"verb": "look"}, {"verb": "resign"}):
        await hers.say(**message)
        assert await hers.refusal() == "malformed"
    await in_thread(live.ring_muted)(alice.pk)
    await hers.settled()


@pytest.mark.parametrize("place", ["room", "lobby"])
async def test_signing_out_ends_the_page_s_socket(place, window, places, alice):
    hers = await window(places.get(place, "lobby"), alice)
    await hers.settled()
    await in_thread(Session.objects.all().delete)()
    await in_thread(ring)(f"user.{alice.pk}")
    assert await hers.closed() == sockets.SIGNED_OUT


async def test_a_page_left_no_longer_hears_its_bells(window, places, alice):
    hers = await window(places["room"], alice)
    await hers.settled()
    await hers.leave()
    assert not any("room" in group for group in get_channel_layer().groups)


# --- lists that hear what concerns them


def move(table_id, *people):
    """Whoever must act makes a move that ends no hand; gives whether the turn passed on."""
    mover = next(one for one in people if table.look(table_id, one.pk)["hand"]["legal"])
    view = table.look(table_id, mover.pk)
    calm = [text for text in view["hand"]["legal"] if text in ("pass", "draw stock")]
    text = calm[0] if calm else f"discard {view['hand']['best_discard']}"
    table.make_move(table_id, mover.pk, text, tuple(view["at"]))
    return not table.look(table_id, mover.pk)["hand"]["legal"]


async def test_a_turn_rings_the_home_pages_of_its_players_and_of_nobody_else(
    window, table_id, alice, bob, charlie
):
    hers, his, theirs = [await window("lobby", person) for person in (alice, bob, charlie)]
    for each in (hers, his, theirs):
        await each.settled()
    await hers.say(verb="ping")
    before = (await hers.hear("pong"))["stamp"]
    passed_on = set()
    for _ in range(4):
        passed = await in_thread(move)(table_id, alice, bob)
        stamp = (await hers.hear("changed"))["stamp"]
        await his.hear("changed")
        assert (stamp != before) is passed  # by it the page knows that it need not fetch
        before = stamp
        passed_on.add(passed)
    assert passed_on == {True, False}
    assert await theirs.wire.receive_nothing()


async def test_a_stamp_makes_up_for_a_lost_bell(window, places, room_id, table_id, alice, bob):
    lists = [await window("lobby", alice), await window(places["room"], alice)]

    async def stamps():
        told = []
        for each in lists:
            await each.say(verb="ping")
            told.append((await each.hear("pong"))["stamp"])
        return told

    async def changed_by(verb, *arguments, lists=(True, True)):
        before = await stamps()
        assert await stamps() == before
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("accounts.live.ring", lambda *_: None)
            await in_thread(verb)(*arguments)
        after = await stamps()
        assert [one != other for one, other in zip(before, after, strict=True)] == list(lists)

    await changed_by(table.resign, table_id, bob.pk)
    await changed_by(rooms.open_table, room_id, bob.pk, lists=(False, True))
    other = await in_thread(rooms.open_room)(bob.pk, "Ailleurs", {"preset": "complete"}, True)
    await changed_by(rooms.enter_public, other, alice.pk, lists=(True, False))
    await changed_by(rooms.pass_on, room_id, alice.pk, bob.pk, lists=(False, True))


async def test_bonuses_ring_for_the_lists_that_show_totals(
    window, places, table_id, alice, bob, monkeypatch
):
    monkeypatch.setattr("scoring.tasks.write_bonuses.delay", lambda _sheet: None)
    lists = [await window("lobby", alice), await window(places["room"], alice)]
    for each in lists:
        await each.settled()
    await in_thread(table.resign)(table_id, bob.pk)
    before = [(await each.hear("changed"))["stamp"] for each in lists]
    for each in lists:
        await each.settled()
    game = await in_thread(Game.objects.get)()
    await in_thread(ledger.write_bonuses)(game.sheet_id)
    after = [(await each.hear("changed"))["stamp"] for each in lists]
    assert all(one != other for one, other in zip(before, after, strict=True))


async def test_many_bells_are_answered_by_few_looks(window, alice, room_id):
    hers = await window("lobby", alice)
    await hers.settled()
    for _ in range(20):
        await in_thread(live.ring_room)(room_id)
    kinds = []
    await hers.say(verb="ping")
    while "pong" not in kinds:
        kinds.append(json.loads(await hers.wire.receive_from(timeout=5))["type"])
    assert kinds.count("changed") <= 2


async def test_a_move_waits_for_one_look_at_lists_and_not_for_all_of_them():
    go, done = threading.Event(), []
    looks = [asyncio.create_task(live.aside(go.wait, 5))]
    looks += [asyncio.create_task(live.aside(done.append, "lists")) for _ in range(5)]
    await asyncio.sleep(0)
    move = asyncio.create_task(live.on_database_thread(done.append, "move"))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(move, *looks)
    assert done == ["move", *["lists"] * 5]
