"""A player's socket to a running site, without a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.test import Client
from websockets.sync.client import connect

from tests.processes import Web, manage


def cookie_of(person: AbstractBaseUser) -> str:
    """Sign somebody in; gives the cookie their browser would send."""
    client = Client()
    client.force_login(person)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


TWO_AT_A_TABLE = """
from django.contrib.auth import get_user_model
from games import rooms, table
from games.models import Table
from tests.sockets import cookie_of
alice, bob = (get_user_model().objects.create_user(username=name) for name in ("alice", "bob"))
room_id = rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], bob.pk)
table_id = Table.objects.get().pk
table.sit_down(table_id, bob.pk)
print(table_id, cookie_of(alice), cookie_of(bob))
"""


def two_at_a_table(env: Mapping[str, str]) -> tuple[int, list[str]]:
    """On an empty site with a database of its own: Alice and Bob have just sat down.

    The table's number, and the cookies of both.
    """
    said = manage(env, "shell", "--no-imports", "-c", TWO_AT_A_TABLE)
    number, *cookies = said.split()[-3:]
    return int(number), cookies


class Line:
    """One open socket to a table, and the last view that came over it."""

    def __init__(self, web: Web, table_id: int, cookie: str) -> None:
        self.socket = connect(
            f"ws://localhost:{web.port}/ws/tables/{table_id}/",
            additional_headers={"Cookie": cookie},
            origin=f"http://localhost:{web.port}",
            proxy=None,
        )
        self.view = self.hear("table")

    def any(self, seconds: float = 10) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=seconds))
        if message["type"] == "table":
            self.view = message
        return message

    def hear(self, kind: str, seconds: float = 10) -> dict[str, Any]:
        """The next message of a kind; others are passed over."""
        while True:
            message = self.any(seconds)
            if message["type"] == kind:
                return message

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def move(self, text: str) -> dict[str, Any]:
        """Move from where the last view stands; gives the next view, or fails on a refusal."""
        stood = self.view["version"]
        self.say(move=text, at=self.view["at"])
        while self.view["version"] <= stood:
            message = self.any()
            assert message["type"] != "refused", message
        return self.view

    def wait_for(self, version: int) -> dict[str, Any]:
        """Listen until the view is at least as far as this version."""
        while self.view["version"] < version:
            self.hear("table")
        return self.view

    @property
    def my_turn(self) -> bool:
        hand = self.view["hand"]
        return bool(hand) and hand["to_act"] == self.view["seat"]
