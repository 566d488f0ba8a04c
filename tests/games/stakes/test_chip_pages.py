"""One's chips movement by movement, and who owes whom in a room: theirs alone to see."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import guests
from games import rooms, table
from games.models import Game, Room, Table
from games.stakes import pages
from scoring import chips, ledger
from tests.games.stakes.test_stakes_words import plain

pytestmark = pytest.mark.django_db

TAB = {"mode": "match", "amount": "20", "source": "tab", "tab_limit": "100", "unit": "EUR"}


@pytest.fixture
def room(alice, bob):
    number = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=TAB)
    room = Room.objects.get(pk=number)
    rooms.join_room(room.invitation, bob.pk)
    return room


@pytest.fixture
def lost(room, bob):
    """Bob has lost a match on the tab."""
    at = Table.objects.get(room=room).pk
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    ledger.write_bonuses(Game.objects.get().sheet_id)
    return room


def read(client, user, address):
    client.force_login(user)
    answer = client.get(address, headers={"accept-language": "fr"})
    return plain(answer.content.decode()) if answer.status_code == 200 else answer.status_code


def test_a_room_says_who_owes_whom_to_its_members(lost, client, bob, charlie):
    page = read(client, bob, f"/rooms/{lost.pk}/")
    assert "bob doit 20,00 € à alice" in page
    assert "Mon ardoise, mouvement par mouvement" in page
    rooms.change_room(lost.pk, lost.owner_id, "Salle", {"preset": "complete"}, True, "none", True)
    assert "bob doit" not in read(client, charlie, f"/rooms/{lost.pk}/")


def test_a_tab_is_its_owners_alone(lost, client, bob, charlie):
    page = read(client, bob, f"/chips/rooms/{lost.pk}/")
    assert "−20,00 €" in page
    assert "contre alice" in page
    assert read(client, charlie, f"/chips/rooms/{lost.pk}/") == 404


def test_nobody_owes_what_still_lies_in_a_pot(room, client, bob):
    table.sit_down(Table.objects.get(room=room).pk, bob.pk)
    page = read(client, bob, f"/chips/rooms/{room.pk}/")
    assert "20,00 € en jeu" in page
    assert "que vous devez" not in page
    assert "qu’on vous doit" not in page


def test_chips_are_told_with_their_reason_page_by_page(client, alice, monkeypatch):
    monkeypatch.setattr(pages, "PAGE", 2)
    for amount in ("5", "6", "7"):
        chips.grant(alice.pk, Decimal(amount), f"Pour {amount}", "chief")
    page = read(client, alice, "/chips/")
    assert "<q>Pour 7</q>" in page
    assert "Pour 5" not in page
    number = page.split("?before=")[1].split('"')[0]
    older = read(client, alice, f"/chips/?before={number}")
    assert "<q>Pour 5</q>" in older
    assert "Jetons de départ" in older
    assert read(client, alice, "/chips/?before=x") == 404


def test_a_guest_is_told_how_to_get_chips(client):
    page = read(client, guests.arrive("camille"), "/chips/")
    assert "choisissez un mot de passe" in page
    assert "1 000,00" not in page  # those of an account: a guest has none


def test_the_statements_of_the_page_do_not_grow_with_its_rows(client, alice, bob):
    def asked():
        client.force_login(alice)
        with CaptureQueriesContext(connection) as queries:
            client.get("/chips/")
        return len(queries)

    match = {"mode": "match", "amount": "20"}
    number = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=match)
    rooms.join_room(Room.objects.get(pk=number).invitation, bob.pk)
    at = Table.objects.get(room_id=number).pk
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    few = asked()
    for _again in range(2):
        table.rematch(at, alice.pk)
        table.rematch(at, bob.pk)
        table.resign(at, bob.pk)
    assert asked() == few
