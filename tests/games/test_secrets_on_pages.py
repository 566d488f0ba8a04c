"""Secrecy as a browser meets it: every byte of every page, from the deal to the end and after.

What a person cannot know of the hand is moved to other places, and each page they may open must
stay the same to the letter; so must what their socket sends.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games import clocks, dealing, positions, reading, rooms, table
from games.models import Game, Hand, Room
from tests.games.engine.secrets_kept import unknown_to, with_secrets_moved
from tests.games.players import choose, play_hand, seats_of

pytestmark = pytest.mark.django_db

PAGES = ("/", "/rooms/", "/rooms/{room}/", "/tables/{table}/", "/sheets/{sheet}/", "/account/")
ADMIN = ("/admin/", "/admin/games/game/", "/admin/games/game/{game}/change/",
         "/admin/games/game/{game}/history/", "/admin/games/room/{room}/change/",
         "/admin/scoring/scoresheet/{sheet}/change/")  # fmt: skip
EACH_TIME_NEW = re.compile(
    r'"(?:now|absence_at)": ?\d+|csrfmiddlewaretoken" value="\w+"|name="csrf-token" .*?>'
)


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch):
    """However slow the machine, nobody's time runs out between two looks at the same pages."""
    monkeypatch.setattr(clocks, "next_deal_after", lambda pace: timedelta(days=1))


@pytest.fixture
def people(table_id, room_id, alice, bob, charlie):
    """Everyone who may look: both players, a member who watches, who looks after the site."""
    rooms.join_room(Room.objects.get().invitation, charlie.pk)
    host = get_user_model().objects.create_superuser("host", password="x")
    browsers = {}
    for person in (alice, bob, charlie, host):
        browsers[person.pk] = Client()
        browsers[person.pk].force_login(person)
    return browsers, host.pk


def everything_shown(people, user_id, table_id):
    browsers, host = people
    game = Game.objects.filter(table_id=table_id).order_by("-number").first()
    numbers = {
        "table": table_id, "game": game.pk, "room": game.table.room_id, "sheet": game.sheet_id
    }  # fmt: skip
    shown = {}
    for page in ADMIN if user_id == host else PAGES:
        answer = browsers[user_id].get(page.format(**numbers))
        assert answer.status_code == 200, page
        shown[page] = EACH_TIME_NEW.sub("", answer.content.decode())
    shown |= replay_shown(browsers[user_id], game) if user_id != host else {}
    if user_id != host:
        view = table.look(table_id, user_id)
        shown["socket"] = EACH_TIME_NEW.sub("", json.dumps(view))
    return shown


def replay_shown(browser, game):
    """The replay of the last hand: none while it is open, whatever the address."""
    hand = game.hands.order_by("number").last()
    addresses = [f"/sheets/{game.sheet_id}/hands/{hand.number}/?ply={ply}" for ply in (0, 2, 999)]
    answers = [browser.get(address) for address in addresses]
    assert {answer.status_code for answer in answers} == {200 if hand.ended_at else 404}
    if hand.ended_at and game.ended_at:
        return {}  # cut short: its replay shows both hands, see test_replay.py
    return {"replay": [EACH_TIME_NEW.sub("", answer.content.decode()) for answer in answers]}


def shown_with(deck, hand, people, user_id, table_id, monkeypatch):
    """The same, had the hand been dealt from another deck."""
    stored = dealing.cards_of
    reading.forget()
    with monkeypatch.context() as patch:
        patch.setattr(dealing, "cards_of", lambda text: deck if text == hand.deck else stored(text))
        shown = everything_shown(people, user_id, table_id)
    reading.forget()
    return shown


def last_hand(table_id):
    hand = Hand.objects.filter(game__table_id=table_id).order_by("-game__number", "-number").first()
    return hand, positions.position_of(hand.game_id, hand.pk, hand.moves.count())


def keeps_its_secrets(people, table_id, monkeypatch, random):
    """Everybody's pages, with the last hand as it is and with its secrets moved."""
    hand, position = last_hand(table_id)
    seats = {seat.user_id: seat.seat for seat in hand.game.seats.all()}
    for user_id in people[0]:
        reading.forget()
        before = everything_shown(people, user_id, table_id)
        assert hand.deck not in str(before)
        moved = with_secrets_moved(position, seats.get(user_id), random).deck
        assert shown_with(moved, hand, people, user_id, table_id, monkeypatch) == before


def play(table_id, user_ids, plies):
    seats = seats_of(table_id, user_ids)
    for _ in range(plies):
        view = table.look(table_id, user_ids[0])
        if view["state"] != "playing":
            return
        mover = seats[view["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        table.make_move(table_id, mover, choose(seen["hand"]), tuple(seen["at"]))


def test_from_the_deal_to_the_showdown_and_into_the_next_hand(
    people, table_id, alice, bob, monkeypatch
):
    random = Random(7)
    for plies in (0, 1, 2, 3, 2, 5):
        play(table_id, [alice.pk, bob.pk], plies)
        keeps_its_secrets(people, table_id, monkeypatch, random)
    play_hand(table_id, [alice.pk, bob.pk])
    keeps_its_secrets(people, table_id, monkeypatch, random)
    for person in (alice, bob):
        table.ready(table_id, person.pk)
    keeps_its_secrets(people, table_id, monkeypatch, random)


def test_an_order_of_ones_own_tells_nobody_what_one_holds(
    people, table_id, alice, bob, monkeypatch
):
    random = Random(3)
    for plies in (0, 3, 4):
        play(table_id, [alice.pk, bob.pk], plies)
        for person in (alice, bob):
            held = table.look(table_id, person.pk)["hand"]["held"]
            table.sort(table_id, person.pk, "own", random.sample(held, len(held)))
        keeps_its_secrets(people, table_id, monkeypatch, random)


@pytest.mark.parametrize("plies", [0, 4, 5])
def test_a_hand_cut_short_stays_closed_everywhere_but_in_its_replay(
    plies, people, table_id, alice, bob, monkeypatch
):
    random = Random(plies)
    play(table_id, [alice.pk, bob.pk], plies)
    table.resign(table_id, alice.pk)
    keeps_its_secrets(people, table_id, monkeypatch, random)
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    keeps_its_secrets(people, table_id, monkeypatch, random)


def test_a_card_shown_to_the_wrong_eyes_would_be_seen(people, table_id, alice, monkeypatch):
    """The proof of the proof: what is secret to a watcher is not to Alice, and her pages change."""
    hand, position = last_hand(table_id)
    assert len(unknown_to(position, None)) == 51
    moved = with_secrets_moved(position, None, Random(1)).deck
    before = everything_shown(people, alice.pk, table_id)
    after = shown_with(moved, hand, people, alice.pk, table_id, monkeypatch)
    assert {page for page in before if before[page] != after[page]} == {
        "/tables/{table}/", "socket"
    }  # fmt: skip
