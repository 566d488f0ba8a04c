"""How often pages ask the database: never more for more rooms, tables, games or people."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import beside, reading, rooms, table
from games.models import Game, Table
from games.rooms import standings
from tests.games.players import choose, seats_of

pytestmark = pytest.mark.django_db

PLAYER_PAGES = ["/", "/rooms/", "/rooms/{room}/", "/tables/{table}/", "/sheets/{sheet}/"]
ADMIN_PAGES = [
    "/admin/",
    "/admin/accounts/user/",
    "/admin/games/room/",
    "/admin/games/room/{room}/change/",
    "/admin/games/game/",
    "/admin/games/game/{game}/change/",
    "/admin/scoring/scoresheet/",
    "/admin/scoring/scoresheet/{sheet}/change/",
]


@pytest.fixture
def site(room_id, alice, bob):
    """Fills the room, and the site around it, and tells what addresses to ask for."""

    def fill(count: int) -> None:
        for number in range(count):
            name = f"guest {User.objects.count()}"
            guest = User.objects.create_user(username=name)
            rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], guest.pk)
            other = rooms.open_room(bob.pk, f"Salle {number}", {"preset": "money_play"})
            rooms.join_room(rooms.room_page(other, bob.pk)["invite"], alice.pk)
            for place in (room_id, other):
                played = _two_sit_down(place, guest.pk if place == room_id else bob.pk, alice.pk)
                _move(played, [alice.pk, guest.pk if place == room_id else bob.pk])
                finished = _two_sit_down(place, bob.pk, alice.pk)
                table.resign(finished, alice.pk)

    fill(1)
    first = Game.objects.filter(table__room_id=room_id, ended_at__isnull=False).first()
    known = {"room": room_id, "table": first.table_id, "game": first.pk, "sheet": first.sheet_id}
    return known, fill


def _two_sit_down(room_id: int, opener: int, other: int) -> int:
    laid = Table.objects.create(
        room_id=room_id, number=Table.objects.filter(room_id=room_id).count() + 1
    )
    table.lay(laid.pk)
    for person in (opener, other):
        table.sit_down(laid.pk, person)
    return laid.pk


def _move(table_id: int, people: list[int]) -> None:
    mover = seats_of(table_id, people)[table.look(table_id, people[0])["hand"]["to_act"]]
    seen = table.look(table_id, mover)
    table.make_move(table_id, mover, choose(seen["hand"]), tuple(seen["at"]))


def statements_of(client: Client, address: str) -> list[str]:
    """What a process that has just started asks for this page."""
    reading.forget()
    beside.forget()
    standings.forget()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in asked]


def require_fixed(client: Client, addresses: list[str], site) -> None:
    known, fill = site
    addresses = [address.format(**known) for address in addresses]
    for address in addresses:
        client.get(address)  # what is asked once in a process's life
    few = {address: statements_of(client, address) for address in addresses}
    fill(4)
    for address in addresses:
        many = statements_of(client, address)
        assert len(many) == len(few[address]), "\n".join([address, *many])
        assert len(many) <= 22, "\n".join([address, *many])


def test_players_pages_ask_no_more_for_more_tables_and_people(client, alice, site):
    client.force_login(alice)
    require_fixed(client, PLAYER_PAGES, site)


def test_admin_pages_ask_no_more_for_more_games_and_people(admin_client, site):
    require_fixed(admin_client, ADMIN_PAGES, site)
