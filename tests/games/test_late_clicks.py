"""A late click counts for no later game or hand, and who only watches does nothing."""

from __future__ import annotations

import json

import pytest

from accounts.refusal import Refusal
from games import rooms, table
from games.messages import read
from games.models import Game, GameSeat, Hand, Room
from tests.games.players import play_hand
from tests.games.wires import Wire, in_thread


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


def own(table_id):
    return Game.objects.filter(table_id=table_id).latest("number").pk


@pytest.fixture
def again(table_id, alice, bob):
    """A second game at the table; gives the number of the first."""
    first = own(table_id)
    table.resign(table_id, alice.pk)
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    return first


VERBS = {
    "resign": lambda *who: table.resign(*who),
    "claim": lambda *who: table.claim(*who),
    "adjourn": lambda *who: table.adjourn(*who),
    "wait": lambda *who: table.wait(*who),
    "resume": lambda *who: table.resume(*who),
    "ready": lambda *who: table.ready(*who),
    "offer": lambda place, person, game: table.call_off(place, person, "offer", game),
    "accept": lambda place, person, game: table.call_off(place, person, "accept", game),
    "refuse": lambda place, person, game: table.call_off(place, person, "refuse", game),
}


@pytest.mark.django_db
@pytest.mark.parametrize("verb", VERBS)
def test_a_click_meant_for_an_earlier_game_is_stale(verb, again, table_id, alice, bob):
    table.call_off(table_id, bob.pk, "offer")
    with refused("stale"):
        VERBS[verb](table_id, alice.pk, again)
    view = table.look(table_id, alice.pk)
    assert (view["state"], view["call_off"]) == ("playing", {"by": view["seat"] ^ 1})


@pytest.mark.django_db
def test_a_click_meant_for_an_earlier_game_is_stale_though_none_is_played(again, table_id, alice):
    table.resign(table_id, alice.pk)
    with refused("stale"):
        table.ready(table_id, alice.pk, again)
    with refused("no_game"):
        table.ready(table_id, alice.pk, own(table_id))


@pytest.mark.django_db
def test_a_click_that_names_the_game_or_none_counts(again, table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer", own(table_id))
    table.call_off(table_id, alice.pk, "refuse")
    table.resign(table_id, alice.pk, own(table_id))
    assert table.look(table_id, alice.pk)["state"] == "finished"


@pytest.mark.django_db
def test_a_wish_for_another_game_counts_for_the_one_it_was_made_after(again, table_id, alice, bob):
    for person in (alice, bob):
        table.rematch(table_id, person.pk, again)  # clicked twice: it lies there already
    with refused("not_over"):
        table.rematch(table_id, alice.pk, own(table_id))
    table.resign(table_id, bob.pk)
    with refused("stale"):
        table.rematch(table_id, alice.pk, again)
    assert not GameSeat.objects.filter(wants_rematch=True, game=own(table_id)).exists()
    for person in (alice, bob):
        table.rematch(table_id, person.pk, own(table_id))
    assert Game.objects.count() == 3


@pytest.mark.django_db
def test_leaving_one_showdown_late_leaves_no_later_one(between, alice, bob):
    people = [alice.pk, bob.pk]
    for person in people:
        table.ready(between, person, own(between), 1)
    table.ready(between, people[0], own(between), 1)  # once more: the next hand lies there
    if play_hand(between, people)["state"] == "finished":
        pytest.skip("two hands were the whole game")
    with refused("stale"):
        table.ready(between, people[0], own(between), 1)
    assert not any(seat["ready"] for seat in table.look(between, people[0])["seats"])
    for person in people:
        table.ready(between, person, own(between), 2)
    assert Hand.objects.count() == 3


# --- as messages


@pytest.mark.parametrize(
    "verb", ["resign", "rematch", "claim", "adjourn", "wait", "resume", "ready", "call_off"]
)
def test_a_verb_of_a_game_may_name_it_and_need_not(verb):
    said = {"verb": verb, **({"answer": "offer"} if verb == "call_off" else {})}
    assert read(json.dumps(said)).game is None
    assert read(json.dumps({**said, "game": None})).game is None
    assert read(json.dumps({**said, "game": 7})).game == 7
    for nonsense in (-1, "7", 7.5, True, [7], 2**40):
        assert read(json.dumps({**said, "game": nonsense})) is None


@pytest.mark.parametrize("verb", ["look", "ping", "line_up", "step_out", "sort", "chat"])
def test_other_verbs_name_no_game(verb):
    assert read(json.dumps({"verb": verb, "game": 7})) is None


async def opened(table_id, person):
    wire = await Wire(f"tables/{table_id}", person).open()
    await wire.hear("table")
    return wire


@pytest.mark.django_db(transaction=True)
async def test_a_late_click_is_answered_with_the_present_view(again, table_id, alice):
    wire = await opened(table_id, alice)
    for message in (
        {"verb": "resign", "game": again},
        {"verb": "ready", "game": again, "hand": 1},
        {"verb": "call_off", "answer": "offer", "game": again},
    ):
        await wire.say(**message)
        answer = await wire.hear()
        assert (answer["type"], answer["code"]) == ("refused", "stale")
        view = await wire.hear()
        assert (view["type"], view["state"], view["game"]["number"]) == ("table", "playing", 2)
    await wire.leave()


# --- who only watches


WATCHED = [
    {"move": "draw stock", "at": [1, 0]}, {"verb": "ready"}, {"verb": "resign"},
    {"verb": "rematch"}, {"verb": "claim"}, {"verb": "adjourn"}, {"verb": "wait"},
    {"verb": "resume"}, {"verb": "call_off", "answer": "accept"}, {"verb": "line_up"},
    {"verb": "step_out"}, {"verb": "sort", "sort": "rank"},
]  # fmt: skip


@pytest.mark.django_db(transaction=True)
async def test_who_watches_a_public_table_is_told_so_at_each_verb_and_goes_on_watching(
    table_id, charlie
):
    await in_thread(Room.objects.update)(is_public=True)
    wire = await opened(table_id, charlie)
    for message in WATCHED:
        await wire.say(**message)
        assert (await wire.hear()).get("code") == "only_watching", message
    await wire.say(verb="look")
    view = await wire.hear()
    assert (view["state"], view["seat"], view["hand"]["held"]) == ("playing", None, None)
    await wire.leave()


@pytest.mark.django_db
def test_where_nobody_may_watch_there_is_no_table_to_a_stranger(table_id, charlie):
    Room.objects.update(is_public=True, spectators=False)
    with refused("not_found"):
        table.resign(table_id, charlie.pk)


@pytest.mark.django_db
def test_a_member_who_watches_lines_up_once_joined(room_id, alice, bob, charlie):
    Room.objects.update(is_public=True)
    table.sit_down(rooms.free_table(room_id, alice.pk), bob.pk)
    opened = rooms.open_table(room_id, alice.pk, "loser")
    table.sit_down(opened, bob.pk)
    with refused("only_watching"):
        table.line_up(opened, charlie.pk)
    rooms.enter_public(room_id, charlie.pk)
    table.line_up(opened, charlie.pk)
    assert [one["name"] for one in table.look(opened, bob.pk)["line"]] == ["charlie"]
