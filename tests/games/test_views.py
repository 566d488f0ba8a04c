"""Doors of rooms, tables and sheets: who comes in, what is said, and where one is led."""

from __future__ import annotations

import html
import re

import pytest

from games import rooms, tries
from games.models import Game, Member, Room, Table
from scoring import ledger
from tests.games.pages import door, led_to, read

pytestmark = pytest.mark.django_db

FORM = {"name": "Salle des cousins", "preset": "complete", "public": "no"}


@pytest.fixture
def room(room_id):
    return Room.objects.get(pk=room_id)


@pytest.fixture
def link(room):
    return f"/j/{room.invitation}/"


# --- opening a room


def test_a_room_is_opened_with_its_preset(alice):
    answer = door(alice).post("/rooms/new/", FORM)
    room = Room.objects.get()
    assert led_to(answer) == f"/rooms/{room.pk}/"
    assert (room.name, room.owner, room.is_public) == ("Salle des cousins", alice, False)
    assert room.rules["preset"] == "complete"


def test_a_room_is_opened_with_its_own_options(alice):
    door(alice).post("/rooms/new/", {**FORM, "undercut": "20", "public": "yes"})
    room = Room.objects.get()
    assert room.rules["undercut"] == 20
    assert room.is_public


def test_a_wrong_option_is_said_beside_its_field_and_nothing_is_lost(alice):
    page = read(door(alice).post("/rooms/new/", {**FORM, "spades_double": "true"}), 422)
    assert 'id="spades_double-error"' in page
    assert 'value="Salle des cousins"' in page
    assert '<details class="custom" open>' in page
    assert not Room.objects.exists()


def test_a_name_that_is_none_is_refused(alice):
    page = read(door(alice).post("/rooms/new/", {**FORM, "name": " "}), 422)
    assert "Give the room a name." in page
    assert not Room.objects.exists()


@pytest.mark.parametrize(
    "name",
    ["\u3164", "a\u202eb", "a\u200bb", "\u2800\u2800", "a" + "\u0301" * 20, "\u115f\u1160"],
)
def test_a_room_has_no_name_that_hides_something(alice, name):
    read(door(alice).post("/rooms/new/", {**FORM, "name": name}), 422)
    assert not Room.objects.exists()


@pytest.mark.parametrize(
    "name", ["🎴", "❤\ufe0f Léo & Zoé", "Việt Nam", "<b>Salle</b>", "غرفة", "x" * 60]
)
def test_a_room_is_called_as_one_likes(alice, name):
    answer = door(alice).post("/rooms/new/", {**FORM, "name": name})
    page = read(door(alice).get(led_to(answer)))
    assert Room.objects.get().name == name
    assert html.escape(name) in page


def test_the_page_of_a_new_room_offers_every_preset(alice):
    page = read(door(alice).get("/rooms/new/"))
    assert page.count('name="preset"') == 11
    assert page.count('name="preset" value="complete" checked') == 1


# --- the room's page


def test_a_room_shows_its_link_code_members_and_rules(room, link, alice, bob):
    page = read(door(alice).get(f"/rooms/{room.pk}/"))
    for shown in (f"http://testserver{link}", room.code, "alice", "bob", "Complete gin"):
        assert shown in page
    assert 'src="data:image/svg+xml' in page


def test_a_room_says_how_its_rules_differ(alice):
    room_id = rooms.open_room(alice.pk, "Salle", {"preset": "complete", "undercut": 20})
    page = read(door(alice).get(f"/rooms/{room_id}/"))
    assert "Like complete gin, except: undercut 20 instead of 25." in page


def test_a_stranger_is_told_there_is_no_room(room, charlie):
    assert door(charlie).get(f"/rooms/{room.pk}/").status_code == 404
    assert door(charlie).post(f"/rooms/{room.pk}/tables/").status_code == 404
    assert door(charlie).get("/rooms/9999/").status_code == 404


def test_whoever_is_signed_out_is_led_to_sign_in_and_back(room):
    assert led_to(door().get(f"/rooms/{room.pk}/")) == f"/account/login/?next=/rooms/{room.pk}/"


def test_tables_offer_what_one_can_do_there(room, waiting, alice, bob):
    assert f'action="/tables/{waiting}/sit/"' in read(door(bob).get(f"/rooms/{room.pk}/"))
    own = read(door(alice).get(f"/rooms/{room.pk}/"))
    assert f'action="/tables/{waiting}/sit/"' not in own
    assert "Go to the table" in own


def test_a_running_table_is_resumed_by_its_players_and_watched_by_others(
    room, table_id, bob, charlie, link
):
    door(charlie).post(link)
    assert "Resume<" in read(door(bob).get(f"/rooms/{room.pk}/"))
    assert "Watch<" in read(door(charlie).get(f"/rooms/{room.pk}/"))


def test_a_member_opens_a_table_and_sits_at_it(room, bob):
    answer = door(bob).post(f"/rooms/{room.pk}/tables/")
    opened = Table.objects.get(room=room, number=2)
    assert led_to(answer) == f"/tables/{opened.pk}/"


def test_nothing_is_opened_by_a_mere_visit(room, bob):
    door(bob).get(f"/rooms/{room.pk}/tables/")
    assert Table.objects.count() == 1
    assert door(bob).get(f"/rooms/{room.pk}/invitation/").status_code == 405


def test_only_the_host_renews_the_invitation(room, link, alice, bob):
    assert door(bob).post(f"/rooms/{room.pk}/invitation/").status_code == 404
    assert read(door().get(link))
    answer = door(alice).post(f"/rooms/{room.pk}/invitation/")
    assert led_to(answer) == f"/rooms/{room.pk}/"
    assert "no longer valid" in read(door().get(link), 404)


# --- invitations


def test_an_invitation_explains_itself_to_a_visitor(link):
    page = read(door().get(link))
    assert "alice invites you to play gin rummy" in page
    assert "One knocks with 10 deadwood or less." in page
    token = link.strip("/").split("/")[-1]
    assert f"/account/signup/?next=%2Fj%2F{token}%2F" in page
    assert f"/account/login/?next=%2Fj%2F{token}%2F" in page


def test_accepting_an_invitation_leads_to_the_free_seat(link, waiting, charlie):
    assert led_to(door(charlie).post(link)) == f"/tables/{waiting}/"
    assert Game.objects.get(table_id=waiting).seats.count() == 2


def test_accepting_when_all_seats_are_taken_leads_to_the_room(link, room, table_id, charlie):
    assert led_to(door(charlie).post(link)) == f"/rooms/{room.pk}/"
    assert Member.objects.filter(room=room, user=charlie).exists()


def test_a_visit_alone_makes_nobody_a_member(link, room, charlie):
    read(door(charlie).get(link))
    assert not Member.objects.filter(room=room, user=charlie).exists()


def test_a_wrong_link_is_refused_with_what_to_do(charlie):
    assert "Ask your friend for a new one" in read(door(charlie).get("/j/wrong/"), 404)
    assert led_to(door(charlie).post("/j/wrong/")) == "/"


# --- codes


def test_a_code_opens_the_room_however_it_is_typed(room, charlie):
    typed = f" {room.code[:4].lower()}-{room.code[4:].lower()} "
    assert led_to(door(charlie).post("/join/", {"code": typed})) == f"/rooms/{room.pk}/"
    assert Member.objects.filter(room=room, user=charlie).exists()


def test_a_code_shows_the_invitation_it_stands_for_to_whoever_is_not_signed_in(room, link):
    assert led_to(door().post("/join/", {"code": room.code.lower()})) == link
    page = read(door().post("/join/", {"code": "AAAAAAAA"}), 422)
    assert "No room has this code." in page


def test_guessing_codes_without_an_account_is_stopped(room):
    for _ in range(tries.TRIES["address"]):
        assert door().post("/join/", {"code": "AAAAAAAA"}).status_code == 422
    assert "Too many codes tried." in read(door().post("/join/", {"code": room.code}), 429)


def test_a_wrong_code_is_said_beside_its_field(charlie):
    page = read(door(charlie).post("/join/", {"code": "AAAAAAAA"}), 422)
    assert "No room has this code." in page
    assert 'value="AAAAAAAA"' in page


def test_guessing_codes_is_stopped(room, charlie):
    client = door(charlie)
    for _ in range(tries.TRIES["user"]):
        assert client.post("/join/", {"code": "AAAAAAAA"}).status_code == 422
    page = read(client.post("/join/", {"code": room.code}), 429)
    assert "Too many codes tried." in page
    assert not Member.objects.filter(room=room, user=charlie).exists()


# --- tables and sheets


def test_a_table_is_shown_to_members_only(table_id, alice, charlie):
    assert door(alice).get(f"/tables/{table_id}/").status_code == 200
    assert door(charlie).get(f"/tables/{table_id}/").status_code == 404
    assert door(charlie).post(f"/tables/{table_id}/sit/").status_code == 404


def test_sitting_down_leads_to_the_table(waiting, bob):
    assert led_to(door(bob).post(f"/tables/{waiting}/sit/")) == f"/tables/{waiting}/"


def test_a_seat_taken_meanwhile_is_said(table_id, link, charlie):
    client = door(charlie)
    client.post(link)
    answer = client.post(f"/tables/{table_id}/sit/", follow=True)
    assert Game.objects.get(table_id=table_id).seats.count() == 2
    (said,) = answer.context["messages"]
    assert said.level_tag == "error"
    assert str(said) in answer.content.decode()


def sheet_of(table_id):
    return Game.objects.get(table_id=table_id).sheet_id


def test_the_sheet_of_a_running_game_shows_its_hands(between, alice):
    page = read(door(alice).get(f"/sheets/{sheet_of(between)}/"))
    (line,) = ledger.read_sheet(sheet_of(between)).lines or (None,)
    if line is not None:
        assert f'<span class="run">{line.points}</span>' in page
    assert "bonuses being written" not in page
    assert "Target 100 reached" not in page


def test_a_sheet_whose_bonuses_are_late_says_so(between, alice):
    ledger.end_sheet(sheet_of(between), "resigned", 0)
    page = read(door(alice).get(f"/sheets/{sheet_of(between)}/"))
    assert "bonuses being written" in page
    assert "wins the game" not in page
    ledger.write_bonuses(sheet_of(between))
    page = read(door(alice).get(f"/sheets/{sheet_of(between)}/"))
    assert "bonuses being written" not in page
    assert "wins the game" in page


def test_a_sheet_is_read_by_players_and_members_and_nobody_else(between, room, charlie, bob):
    address = f"/sheets/{sheet_of(between)}/"
    assert door(bob).get(address).status_code == 200
    assert door(charlie).get(address).status_code == 404
    rooms.join_room(room.invitation, charlie.pk)
    assert door(charlie).get(address).status_code == 200


def test_anyone_reads_the_sheets_of_a_public_room(between, room, charlie):
    Room.objects.filter(pk=room.pk).update(is_public=True)
    page = read(door(charlie).get(f"/sheets/{sheet_of(between)}/"))
    assert f'href="/rooms/{room.pk}/"' not in page
    page = read(door().get(f"/sheets/{sheet_of(between)}/"))
    assert f'href="/rooms/{room.pk}/"' not in page


def test_no_page_holds_inline_script_or_style(between, room, link, alice):
    client = door(alice)
    for address in ("/rooms/", "/rooms/new/", f"/rooms/{room.pk}/", link, "/join/",
                    f"/sheets/{sheet_of(between)}/"):  # fmt: skip
        page = read(client.get(address))
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*\bsrc=)", page), address


def test_a_sheet_that_is_none_is_not_found(alice):
    assert door(alice).get("/sheets/9999/").status_code == 404


@pytest.mark.parametrize(
    ("host", "port", "origin"),
    [
        ("localhost", "8000", "http://192.168.1.20:8000"),
        ("127.0.0.1", "8000", "http://192.168.1.20:8000"),
        ("192.168.1.20", "8000", "http://192.168.1.20:8000"),
        ("localhost", "80", "http://192.168.1.20:80"),
    ],
)
def test_an_invitation_names_a_host_that_a_friend_can_reach(
    host, port, origin, client, alice, settings
):
    settings.ALLOWED_HOSTS = [host]
    settings.SITE_URL, settings.NETWORK_ADDRESS = "", "192.168.1.20"
    client.force_login(alice)
    room_id = rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
    page = client.get(f"/rooms/{room_id}/", HTTP_HOST=f"{host}:{port}")
    assert f'value="{origin}/j/' in page.content.decode()


def test_an_invitation_names_the_public_address_of_the_site(client, alice, settings):
    settings.SITE_URL = "https://rami.example"
    client.force_login(alice)
    room_id = rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
    assert 'value="https://rami.example/j/' in client.get(f"/rooms/{room_id}/").content.decode()
