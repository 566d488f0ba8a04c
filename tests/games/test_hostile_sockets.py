"""Somebody who means harm over a socket: what was said before, what is not theirs, too much."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from games import messages, rooms, sockets, table, talk
from games.models import Game, GameSeat, Hand, Member, Message, Move, Mute, Report, Room, Table
from tests.games.players import choose
from tests.games.wires import Wire, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture
async def wire():
    """Opens a socket; those still open at the end are left."""
    opened = []

    async def begin(address, person):
        opened.append(await Wire(address, person).open())
        return opened[-1]

    yield begin
    for each in opened:
        await each.leave()


def stored():
    return (
        list(Game.objects.order_by("pk").values_list("pk", "ended_at")),
        list(Hand.objects.order_by("pk").values_list("pk", "ended_at")),
        list(Move.objects.order_by("pk").values_list("pk", "text")),
        list(GameSeat.objects.order_by("pk").values_list("pk", "ready_after", "wants_rematch")),
    )


# --- said again


async def test_all_that_was_ever_said_changes_nothing_when_it_is_said_again(
    table_id, alice, bob, wire, monkeypatch
):
    monkeypatch.setattr(messages, "AT_ONCE", 10_000.0)
    lines = [await wire(f"tables/{table_id}", person) for person in (alice, bob)]
    said = []

    async def view_of(line):
        await line.say(verb="look")
        await line.say(verb="nothing")
        while (message := await line.hear("table", "refused"))["type"] == "table":
            view = message
        return view

    async def tell(line, **message):
        said.append((line, message))
        await line.say(**message)
        await line.say(verb="nothing")
        while (await line.hear("refused"))["code"] != "malformed":
            pass

    async def play_a_hand():
        while (view := await view_of(lines[0]))["state"] == "playing":
            line = lines[view["hand"]["to_act"]]
            seen = await view_of(line)
            await tell(line, move=choose(seen["hand"]), at=seen["at"], game=seen["game"]["id"])
        return view

    async def nothing_moves():
        before = await in_thread(stored)()
        for line in lines:
            own = [message for whose, message in said if whose is line]
            for message in own:
                await line.say(**message)
            codes = [one["code"] for one in await line.settled() if one["type"] == "refused"]
            assert set(codes) <= {"stale", "no_game", "malformed"}
            # Twice is once: who asks for what lies there already is refused nothing.
            quiet = sum(message.get("verb") in ("ready", "rematch") for message in own)
            assert len(own) - quiet < len(codes) <= len(own) + 1
        assert await in_thread(stored)() == before

    view = await play_a_hand()
    game = view["game"]["id"]
    if view["state"] == "between":
        for line in lines:
            await tell(line, verb="ready", game=game, hand=1)
        await nothing_moves()
        await tell(lines[0], verb="resign", game=game)
    for line in lines:
        await tell(line, verb="rematch", game=game)
    assert (await view_of(lines[0]))["game"]["number"] == 2
    await nothing_moves()
    await play_a_hand()
    await nothing_moves()


# --- not theirs


@pytest.fixture
def elsewhere(charlie):
    """Charlie's own room, with a game at its table."""
    dan = get_user_model().objects.create_user("dan")
    room_id = rooms.open_room(charlie.pk, "Ailleurs", {"preset": "complete"})
    rooms.join_room(Room.objects.get(pk=room_id).invitation, dan.pk)
    other = Table.objects.get(room_id=room_id).pk
    table.sit_down(other, dan.pk)
    return {"room": f"rooms/{room_id}", "table": f"tables/{other}"}


@pytest.mark.parametrize("at", ["room", "table"])
async def test_what_is_said_in_another_room_is_neither_reported_nor_its_speakers_known(
    at, elsewhere, room_id, table_id, alice, bob, charlie, wire
):
    def spoken():
        return [
            talk.say(room_id, None, alice.pk, "entre nous"),
            talk.say(None, table_id, bob.pk, "à table"),
        ]

    lines = await in_thread(spoken)()
    theirs = await wire(elsewhere[at], charlie)
    for number in (*lines, 10**6):
        assert await theirs.ask(verb="report", message=number) == "no_such_message"
    for person in (alice.pk, bob.pk, 10**6):
        await theirs.say(verb="mute", user=person, on=True)
        assert (await theirs.hear("chat"))["muted"] == []
    told = str(await theirs.settled())
    assert "alice" not in told
    assert "bob" not in told

    def nothing():
        return Report.objects.exists() or Mute.objects.exists()

    assert not await in_thread(nothing)()


@pytest.mark.parametrize("what", ["rooms", "tables"])
async def test_a_number_tells_nothing_of_what_lies_behind_it(
    what, elsewhere, room_id, table_id, charlie, wire
):
    """The same answer as where there is nothing at all."""
    real = room_id if what == "rooms" else table_id
    answers = []
    for number in (real, 10**9, 0):
        theirs = await wire(f"{what}/{number}", charlie)
        answers.append(await theirs.until_closed())
    assert answers == [([], sockets.NOT_HERE)] * 3


# --- no longer theirs


def made_private(room, charlie):
    Room.objects.filter(pk=room.pk).update(is_public=False)


def spectators_sent_away(room, charlie):
    Room.objects.filter(pk=room.pk).update(spectators=False)


@pytest.mark.parametrize("change", [made_private, spectators_sent_away])
@pytest.mark.parametrize(
    "word",
    [{"verb": "look"}, {"verb": "ping"}, {"verb": "chat", "text": "x"}, {"verb": "ready"},
     {"move": "pass", "at": [1, 0]}, {"verb": "sort", "sort": "rank"}],
    ids=lambda word: word.get("verb", "move"),
)  # fmt: skip
async def test_who_may_no_longer_watch_is_shown_out_at_the_next_word_though_no_bell_rang(
    word, change, room_id, table_id, charlie, wire
):
    room = await in_thread(Room.objects.get)(pk=room_id)
    await in_thread(Room.objects.update)(is_public=True)
    theirs = await wire(f"tables/{table_id}", charlie)
    assert (await theirs.hear("table"))["seat"] is None
    await in_thread(change)(room, charlie)
    before = await in_thread(stored)()
    await theirs.say(**word)
    heard, code = await theirs.until_closed()
    assert ([message["type"] for message in heard], code) == ([], sockets.NOT_HERE)
    assert await in_thread(stored)() == before
    assert not await in_thread(Message.objects.exists)()


async def test_who_watches_is_shown_out_at_once_when_the_owner_closes_the_door(
    room_id, table_id, alice, charlie, wire
):
    await in_thread(Room.objects.update)(is_public=True)
    theirs = await wire(f"tables/{table_id}", charlie)
    await theirs.hear("table")

    def close():
        rules = {"preset": "complete"}
        rooms.change_room(room_id, alice.pk, "Salle", rules, False, "none", True)

    await in_thread(close)()
    assert (await theirs.until_closed())[1] == sockets.NOT_HERE


@pytest.mark.parametrize("at", ["room", "table"])
async def test_a_removed_member_s_open_window_hears_nothing_of_what_follows(
    at, room_id, table_id, alice, bob, charlie, wire
):
    places = {"room": f"rooms/{room_id}", "table": f"tables/{table_id}"}
    await in_thread(Member.objects.create)(room_id=room_id, user=charlie)
    theirs = await wire(places[at], charlie)
    await theirs.settled()

    def go_on():
        rooms.remove_member(room_id, alice.pk, charlie.pk)
        for place in ((room_id, None), (None, table_id)):
            talk.say(*place, bob.pk, "Il est parti.")
        table.resign(table_id, bob.pk)

    await in_thread(go_on)()
    heard, code = await theirs.until_closed()
    assert code == sockets.NOT_HERE
    assert "Il est parti" not in str(heard)
    assert "finished" not in str(heard)


# --- too much


@pytest.mark.parametrize("word", ["look", "ping", "ready", "step_out"])
async def test_a_flood_of_good_words_is_slowed_then_shown_out_and_harms_nobody_else(
    word, table_id, alice, bob, wire, monkeypatch
):
    monkeypatch.setattr(messages, "A_SECOND", 0)  # however slowly this machine answers
    monkeypatch.setattr(messages, "AT_ONCE", 10.0)
    monkeypatch.setattr(messages, "PATIENCE", 20.0)
    hers, his = [await wire(f"tables/{table_id}", person) for person in (alice, bob)]
    await his.hear("table")
    for _ in range(40):
        await hers.say(verb=word)
    heard, code = await hers.until_closed()
    assert code == sockets.FLOOD
    assert sum(message.get("code") == "slow_down" for message in heard) == 19
    assert await his.ask(verb="ping") == "pong"
    assert not await in_thread(Move.objects.exists)()
