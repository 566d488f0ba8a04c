"""Doors for running a room: its form, its members, its public door, and lists fetched again."""

from __future__ import annotations

import re

import pytest

from games import rooms, table
from games.forms import RoomForm
from games.models import Member, Room, Table, Waiting
from tests.games.pages import door, led_to, read

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Salle du jeudi", "preset": "complete", "undercut": "20", "public": "yes",
    "pace": "day", "spectators": "no",
}  # fmt: skip


@pytest.fixture
def room(room_id, charlie):
    """Alice owns it; Bob and Charlie are members."""
    room = Room.objects.get(pk=room_id)
    rooms.join_room(room.invitation, charlie.pk)
    return room


@pytest.fixture
def dan(django_user_model):
    return django_user_model.objects.create_user(username="dan")


# --- settings


def test_a_room_is_opened_with_its_pace_and_spectators(alice):
    door(alice).post("/rooms/new/", FORM)
    opened = Room.objects.get()
    assert (opened.pace, opened.spectators, opened.is_public) == ("day", False, True)


def test_the_settings_show_the_room_and_change_it(room, alice):
    client, address = door(alice), f"/rooms/{room.pk}/settings/"
    page = read(client.get(address))
    assert 'value="Salle des cousins"' in page
    assert 'name="preset" value="complete" checked' in page
    assert '<details class="custom">' in page
    assert led_to(client.post(address, FORM)) == f"/rooms/{room.pk}/"
    room.refresh_from_db()
    assert (room.name, room.pace, room.spectators) == ("Salle du jeudi", "day", False)
    page = read(client.get(address))
    assert '<details class="custom" open>' in page
    assert re.search(r'<option value="20" selected>20</option>', page)
    for chosen in ('name="pace" value="day"', 'name="spectators" value="no"'):
        assert re.search(rf"{chosen}[^>]* checked", page), chosen


def test_saving_an_untouched_form_changes_nothing(room, alice):
    options = {"preset": "oklahoma_spades", "big_gin": None, "layoffs": False, "target": 150}
    rooms.change_room(room.pk, alice.pk, "Salle", options, False, "30", True)
    before = Room.objects.values().get(pk=room.pk)
    form = RoomForm.of_room(rooms.settings_page(room.pk, alice.pk), None)
    sent = {field.name: field.value() for field in form if field.value() is not None}
    assert led_to(door(alice).post(f"/rooms/{room.pk}/settings/", sent)) == f"/rooms/{room.pk}/"
    assert Room.objects.values().get(pk=room.pk) == before


def test_a_wrong_setting_is_said_beside_its_field_and_nothing_is_lost(room, alice):
    wrong = {**FORM, "spades_double": "true"}
    page = read(door(alice).post(f"/rooms/{room.pk}/settings/", wrong), 422)
    assert 'id="spades_double-error"' in page
    assert 'value="Salle du jeudi"' in page
    room.refresh_from_db()
    assert room.name == "Salle des cousins"


def test_a_name_that_hides_something_is_refused_in_the_settings_too(room, alice):
    read(door(alice).post(f"/rooms/{room.pk}/settings/", {**FORM, "name": "\u3164"}), 422)


def test_nobody_but_the_owner_finds_the_settings(room, bob, dan):
    for person in (bob, dan):
        assert door(person).get(f"/rooms/{room.pk}/settings/").status_code == 404
        assert door(person).post(f"/rooms/{room.pk}/settings/", FORM).status_code == 404
    assert "/settings/" not in read(door(bob).get(f"/rooms/{room.pk}/"))


# --- members


def test_each_destructive_act_is_confirmed_on_a_page_that_says_what_it_does(room, alice, bob):
    page = read(door(alice).get(f"/rooms/{room.pk}/members/{bob.pk}/"))
    assert "bob loses access to the room at once" in page
    assert "bob becomes the host instead of you" in page
    page = read(door(bob).get(f"/rooms/{room.pk}/members/{bob.pk}/"))
    assert "You no longer see the room" in page
    for act in ("host", "remove"):
        assert door(alice).get(f"/rooms/{room.pk}/members/{bob.pk}/{act}/").status_code == 405
    assert door(bob).get(f"/rooms/{room.pk}/leave/").status_code == 405
    assert Member.objects.filter(room=room).count() == 3


def test_a_member_is_removed_and_the_room_passed_on(room, alice, bob, charlie):
    client = door(alice)
    where = client.post(f"/rooms/{room.pk}/members/{charlie.pk}/remove/")
    assert led_to(where) == f"/rooms/{room.pk}/"
    assert door(charlie).get(f"/rooms/{room.pk}/").status_code == 404
    client.post(f"/rooms/{room.pk}/members/{bob.pk}/host/")
    room.refresh_from_db()
    assert room.owner == bob


def test_why_a_player_cannot_be_removed_is_said(room, table_id, alice, bob):
    page = read(door(alice).get(f"/rooms/{room.pk}/members/{bob.pk}/"))
    assert "A game is still being played at table 1." in page
    assert f'action="/rooms/{room.pk}/members/{bob.pk}/remove/"' not in page
    answer = door(alice).post(f"/rooms/{room.pk}/members/{bob.pk}/remove/", follow=True)
    assert "A game is still being played at table 1." in read(answer)
    assert Member.objects.filter(room=room, user=bob).exists()


def test_members_cannot_be_managed_by_others_nor_by_strangers(room, bob, charlie, dan):
    for person in (bob, dan):
        for act in ("", "host/", "remove/"):
            address = f"/rooms/{room.pk}/members/{charlie.pk}/{act}"
            client = door(person)
            answer = client.post(address) if act else client.get(address)
            assert answer.status_code == 404
    assert door(dan).post(f"/rooms/{room.pk}/leave/").status_code == 404
    assert Member.objects.filter(room=room).count() == 3


def test_a_member_leaves(room, bob):
    assert led_to(door(bob).post(f"/rooms/{room.pk}/leave/")) == "/rooms/"
    assert door(bob).get(f"/rooms/{room.pk}/").status_code == 404


def test_a_host_who_leaves_is_told_who_follows(room, alice, bob):
    page = read(door(alice).get(f"/rooms/{room.pk}/members/{alice.pk}/"))
    assert "When you leave, bob becomes the host" in page
    assert led_to(door(alice).post(f"/rooms/{room.pk}/leave/")) == "/rooms/"
    assert f"/rooms/{room.pk}/settings/" in read(door(bob).get(f"/rooms/{room.pk}/"))


# --- a public room


def test_a_public_room_is_seen_and_joined_by_anyone(room, waiting, dan):
    assert door(dan).get(f"/rooms/{room.pk}/").status_code == 404
    assert door(dan).post(f"/rooms/{room.pk}/join/").status_code == 404
    Room.objects.filter(pk=room.pk).update(is_public=True)
    page = read(door(dan).get(f"/rooms/{room.pk}/"))
    assert "Join this room" in page
    for hidden in (room.code, room.invitation, 'id="talk"', "data-live", "Leave the room"):
        assert hidden not in page
    assert led_to(door(dan).post(f"/rooms/{room.pk}/join/")) == f"/rooms/{room.pk}/"
    assert room.code in read(door(dan).get(f"/rooms/{room.pk}/"))


def test_sitting_down_from_the_lobby_joins_the_room(room, waiting, dan):
    Room.objects.filter(pk=room.pk).update(is_public=True)
    client = door(dan)
    assert f'action="/tables/{waiting}/sit/"' in read(client.get("/"))
    assert led_to(client.post(f"/tables/{waiting}/sit/")) == f"/tables/{waiting}/"
    assert Member.objects.filter(room=room, user=dan).exists()


# --- lists that are fetched again


def test_the_page_and_its_fragments_say_the_same(room, table_id, alice):
    client = door(alice)
    page = read(client.get(f"/rooms/{room.pk}/"))
    for name in ("tables", "members"):
        assert f'data-fragment="/rooms/{room.pk}/{name}/"' in page
        part = read(client.get(f"/rooms/{room.pk}/{name}/"))
        assert "<html" not in part
        assert _without_tokens(part).strip() in _without_tokens(page)
    assert f'data-live="/ws/rooms/{room.pk}/"' in page
    home = read(client.get("/"))
    assert 'data-live="/ws/lobby/"' in home
    assert _without_tokens(read(client.get("/lobby/"))).strip() in _without_tokens(home)


def _without_tokens(page):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def test_fragments_are_for_those_who_may_enter(room, dan):
    for name in ("tables", "members"):
        assert door(dan).get(f"/rooms/{room.pk}/{name}/").status_code == 404
    assert led_to(door().get("/lobby/")).startswith("/account/login/")


def test_every_list_of_an_empty_site_says_what_to_do(dan):
    page = read(door(dan).get("/"))
    for said in (
        "No game in progress. Open a table",
        "No finished game yet. Every game leaves its score sheet here.",
        "Nobody waits at a public table. Create a public room",
        "No public game is being played now.",
        "A room gathers your friends",
    ):
        assert said in page


def test_every_list_of_a_new_room_says_what_to_do(room, alice):
    page = read(door(alice).get(f"/rooms/{room.pk}/"))
    assert "Nobody has won a game here yet." in page
    assert "No finished game yet." in page


# --- taking turns


def test_a_table_for_three_is_opened_and_its_line_kept_on_the_page(room, alice, bob, charlie):
    where = led_to(door(bob).post(f"/rooms/{room.pk}/tables/", {"rotation": "loser"}))
    opened = Table.objects.get(rotation="loser")
    assert where == f"/tables/{opened.pk}/"
    table.sit_down(opened.pk, alice.pk)
    client = door(charlie)
    assert "taking turns: the loser" in read(client.get(f"/rooms/{room.pk}/"))
    address = f"/tables/{opened.pk}/line/"
    assert led_to(client.post(address, {"do": "line_up"})) == f"/rooms/{room.pk}/"
    assert "In line: charlie" in read(client.get(f"/rooms/{room.pk}/"))
    client.post(address, {"do": "step_out"})
    assert not Waiting.objects.exists()


def test_standings_and_face_to_face_stand_on_the_page(room, table_id, alice, bob):
    table.resign(table_id, bob.pk)
    page = read(door(alice).get(f"/rooms/{room.pk}/"))
    one = '<td class="r num">1</td>'
    assert f'<td class="n">alice</td>{one}{one}' in re.sub(r"</?a\b[^>]*>", "", page)
    assert "alice – bob" in page
    assert "100%" in page
