"""Scripted players: they look, and make a move the view offers, as a browser would."""

from __future__ import annotations

from games import table


def seats_of(table_id, user_ids):
    """The user in each seat."""
    return {table.look(table_id, user_id)["seat"]: user_id for user_id in user_ids}


def choose(hand):
    """Knock as soon as one may, else take what is useful and throw the best discard."""
    legal = hand["legal"]
    if "big gin" in legal:
        return "big gin"
    if hand["knocks"]:
        return f"knock {hand['knocks'][0]['card']}"
    if "draw stock" in legal:
        return "draw stock"
    if "pass" in legal:
        return "pass"
    return f"discard {hand['best_discard']}"


def play_hand(table_id, user_ids):
    """Play the open hand to its end and return the last view of the first user."""
    seats = seats_of(table_id, user_ids)
    while True:
        view = table.look(table_id, user_ids[0])
        if view["state"] != "playing":
            return view
        mover = seats[view["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        table.make_move(table_id, mover, choose(seen["hand"]), tuple(seen["at"]))


def play_game(table_id, user_ids):
    """Play hands until the game is over; returns the last view of the first user."""
    while True:
        view = play_hand(table_id, user_ids)
        if view["state"] == "finished":
            return view
        for user_id in user_ids:
            table.ready(table_id, user_id)
