"""How often pages ask the database: never more for more rooms, tables, games or people."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import beside, reading, rooms, table
from games.models import Game, Table
from games.presets import rule_set
from games.rooms import standings
from scoring import ledger, pad
from scoring.rules import HandResult
from tests.games.players import choose, seats_of

pytestmark = pytest.mark.django_db

PLAYER_PAGES = ["/", "/rooms/", "/rooms/{room}/", "/tables/{table}/", "/sheets/{sheet}/"]
PAGES_OF_SHEETS = [
    "/history/", "/history/?q=guest&source=table", "/history/export/", "/players/{alice}/",
    "/players/{bob}/", "/players/{bob}/with-me/", "/pad/", "/pad/{pad}/", "/pad/{pad}/state/",
    "/pad/{pad}/hands/1/", "/sheets/{pad}/", "/sheets/{pad}.json", "/sheets/{pad}.csv",
    "/sheets/{corrected}/",
]  # fmt: skip
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
        assert len(many) <= 26, "\n".join([address, *many])


def test_players_pages_ask_no_more_for_more_tables_and_people(client, alice, site):
    client.force_login(alice)
    require_fixed(client, PLAYER_PAGES, site)


@pytest.fixture
def sheets(site, alice, bob):
    """The site with its games in the history, and pads with ever more hands and corrections."""
    known, fill = site
    points = rule_set({"preset": "points_only", "target": 1000}).as_dict()
    kept = pad.open_pad(alice.pk, points, ["", "Camille"], me_seat=0)
    write(kept, alice, 6)
    pad.correct(ledger.current_of(kept), alice.pk, 1, HandResult(0, "gin", 0, 1))
    people = {"alice": alice.pk, "bob": bob.pk}
    known |= {"pad": kept, "corrected": ledger.current_of(kept), **people}

    def more(count: int) -> None:
        fill(count)
        for number in range(count):
            for keeper, asked in ((alice, bob), (bob, alice)):
                seats = ["", f"name {number}"], [None, asked.pk]
                pad.open_pad(keeper.pk, points, *seats, me_seat=0)
            write(ledger.current_of(kept), alice, 6)
            corrected = HandResult(1, "knock", 2, 4 + number)
            pad.correct(ledger.current_of(kept), alice.pk, 2, corrected)
        for ended in ledger.sheets_without_bonuses():
            ledger.write_bonuses(ended)

    more(1)
    return known, more


def write(sheet_id, keeper, hands: int) -> None:
    last = len(ledger.read_sheet(sheet_id).hands)
    for number in range(last + 1, last + 1 + hands):
        pad.enter(sheet_id, keeper.pk, number, HandResult(number % 2, "knock", 1, 3))


def test_pages_of_sheets_ask_no_more_for_more_games_hands_and_corrections(client, alice, sheets):
    client.force_login(alice)
    require_fixed(client, PAGES_OF_SHEETS, sheets)


def test_admin_pages_ask_no_more_for_more_games_and_people(admin_client, site):
    require_fixed(admin_client, ADMIN_PAGES, site)
