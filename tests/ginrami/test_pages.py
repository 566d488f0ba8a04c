"""Pages of the site as a whole, in both languages, under the strict policy."""

from __future__ import annotations

import re

import pytest
from django.db import OperationalError
from django.test import Client
from psycopg_pool import PoolTimeout

from games import rooms, table
from games.models import Table

pytestmark = pytest.mark.django_db

INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=\"|javascript:|<script(?![^>]*\bsrc=)", re.I)


def read(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def in_english(client):
    client.post("/i18n/setlang/", {"language": "en", "next": "/"})
    return client


@pytest.mark.parametrize("address", ["/", "/rules/", "/nowhere/", "/account/login/"])
def test_pages_hold_no_inline_script_or_style(client, address):
    response = client.get(address)
    assert not INLINE.search(response.content.decode())
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_visitor_is_told_what_the_site_is_and_how_to_begin(client):
    page = read(in_english(client).get("/"))
    assert "How it works" in page
    assert 'href="/account/signup/"' in page
    assert 'href="/account/login/"' in page
    assert 'action="/join/"' in page
    assert "/rooms/new/" not in page


def test_a_new_player_is_told_what_to_do_next(client, alice):
    client.force_login(alice)
    page = read(in_english(client).get("/"))
    assert "No game in progress." in page
    assert page.count('href="/rooms/new/"') == 2
    assert "How it works" not in page


def test_a_player_finds_games_and_rooms_again(client, alice, bob):
    room_id = rooms.open_room(alice.pk, "Salle des cousins", {"preset": "complete"})
    table_id = Table.objects.get(room_id=room_id).pk
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], bob.pk)
    table.sit_down(table_id, bob.pk)
    turns = []
    for player in (alice, bob):
        client.force_login(player)
        page = read(in_english(client).get("/"))
        assert f'href="/tables/{table_id}/"' in page
        assert f'href="/rooms/{room_id}/"' in page
        other = bob if player == alice else alice
        assert f'<div class="n">{other.username}</div>' in page
        turns.append(("Your turn to play" in page, f"{other.username}’s turn" in page))
    assert sorted(turns) == [(False, True), (True, False)]


def test_one_waits_alone_at_a_table_until_somebody_comes(client, alice):
    rooms.open_room(alice.pk, "Salle des cousins", {"preset": "complete"})
    client.force_login(alice)
    page = read(in_english(client).get("/"))
    assert "Waiting for someone" in page
    assert "Your turn to play" not in page


def test_the_rules_name_every_preset(client):
    page = read(client.get("/rules/"))
    table = page[page.index("<table class=\"table presets figures\">"):]
    assert table[: table.index("</table>")].count('<th scope="row">') == 11


def test_the_language_can_be_changed_and_stays(client):
    assert '<html lang="fr">' in read(client.get("/"))
    assert '<html lang="en">' in read(in_english(client).get("/rules/"))
    client.post("/i18n/setlang/", {"language": "fr", "next": "/"})
    assert '<html lang="fr">' in read(client.get("/rules/"))


def test_a_missing_page_says_what_to_do(client):
    page = read(in_english(client).get("/nowhere/"), 404)
    assert "There is nothing at this address" in page
    assert 'href="/"' in page


def test_an_old_form_is_refused_with_a_sentence():
    client = Client(enforce_csrf_checks=True)
    client.cookies["django_language"] = "en"
    page = read(client.post("/join/", {"code": "ABCDEFGH"}), 403)
    assert "This page was open for too long" in page


def test_a_fault_of_ours_is_said_without_details(client, monkeypatch, alice):
    def broken(_user_id):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(rooms, "at_home", broken)
    client.force_login(alice)
    in_english(client)
    client.raise_request_exception = False
    page = read(client.get("/"), 500)
    assert "Something went wrong on our side" in page
    assert "secret detail" not in page


def test_a_database_that_is_away_is_said_plainly(client, monkeypatch, alice):
    def waits(*_asked):
        raise OperationalError("no connection") from PoolTimeout("a secret detail")

    monkeypatch.setattr(rooms, "at_home", waits)
    client.force_login(alice)
    in_english(client)
    client.raise_request_exception = False
    answer = client.get("/")
    page = read(answer, 503)
    assert "cannot reach its database" in page
    assert "Nothing is lost" in page
    assert answer["Retry-After"]
    assert "secret detail" not in page


def test_pages_are_light(client):
    """Under 60 KB with their styles (a design goal); pages of many cards come compressed."""
    for address in ("/", "/rules/", "/help/first-hand/", "/help/strategy/"):
        answer = client.get(address, headers={"accept-encoding": "gzip"})
        assert len(answer.content) < 25_000
