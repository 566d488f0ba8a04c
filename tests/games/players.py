"""Scripted players: they look, and make a move the view offers, as a browser would."""

from __future__ import annotations

from itertools import count
from random import Random

from django.test import Client

from accounts import sessions
from games import dealing, table
from games.engine.bots import habitue
from games.engine.cards import DECK, text

ORDINARY = 3  # the number of a deck with which each player has half a dozen choices


def deal_in_turn(monkeypatch):
    """Deal the same hands every time, each another, and have the computer guess alike.

    Of cards at random a first hand may win the game, be void, or end before anybody drew.
    """
    numbers = count(ORDINARY)
    monkeypatch.setattr(dealing, "fresh_deck", lambda _stream: _deck(next(numbers)))
    monkeypatch.setattr(dealing, "first_dealer", lambda _stream, seats=2: 0)
    monkeypatch.setattr(dealing, "chance", lambda: Random(ORDINARY).randrange)


def deal_alike(monkeypatch):
    """Every hand from now on is the same, in which each player has half a dozen choices."""
    monkeypatch.setattr(dealing, "fresh_deck", lambda _stream: _deck(ORDINARY))


def _deck(number):
    return "".join(text(card) for card in Random(number).sample(DECK, 52))


def seats_of(table_id, user_ids):
    """The user in each seat."""
    return {table.look(table_id, user_id)["seat"]: user_id for user_id in user_ids}


def choose(hand):
    """Take what is useful, knock as soon as one may: the fewest moves a hand can take."""
    return habitue(hand, lambda number: 0)


class Seat:
    """One player with their session, and where they stand at a table."""

    def __init__(self, person, table_id):
        browser = Client()
        browser.force_login(person)
        self.held = sessions.pass_of(person, browser.session)
        self.table_id, self.user_id, self.person = table_id, person.pk, person

    def acts(self):
        view = table.look(self.table_id, self.user_id)
        return view["seat"] == view["hand"]["to_act"]

    def stands(self):
        view = table.look(self.table_id, self.user_id)
        return tuple(view["at"]), choose(view["hand"]) if view["hand"] else "pass"


def play_hand(table_id, user_ids):
    """Play the open hand to its end and return the last view of the first user."""
    seats = seats_of(table_id, user_ids)
    view = table.look(table_id, user_ids[0])
    while view["state"] == "playing":
        mover = seats[view["hand"]["to_act"]]
        if seats[view["seat"]] != mover:
            view = table.look(table_id, mover)
        table.make_move(table_id, mover, choose(view["hand"]), tuple(view["at"]))
        view = table.look(table_id, mover)
    return table.look(table_id, user_ids[0])


def play_game(table_id, user_ids):
    """Play hands until the game is over; returns the last view of the first user."""
    while True:
        view = play_hand(table_id, user_ids)
        if view["state"] == "finished":
            return view
        for user_id in user_ids:
            table.ready(table_id, user_id)
