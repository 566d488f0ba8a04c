"""Guests in rooms: they come in by a link under a name, are marked, and may be refused."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.urls import get_resolver
from django.utils import translation

from accounts import guests
from accounts.models import User
from accounts.refusal import Refusal
from games import rooms, table, talk
from games.farewell import say_farewell
from games.models import Game, GameSeat, Member, Room, Table
from ginrami.guests import CLOSED
from scoring import ledger
from tests.conftest import PASSWORD
from tests.games.pages import door, led_to, read
from tests.games.players import play_game
from tests.permissions import PAGES

pytestmark = pytest.mark.django_db

FORM = {"name": "Salle du jeudi", "preset": "complete", "public": "no"}


@pytest.fixture
def room(alice):
    """Alice's room; she waits at its first table."""
    return Room.objects.get(pk=rooms.open_room(alice.pk, "Salle", {"preset": "complete"}))


@pytest.fixture
def link(room):
    return f"/j/{room.invitation}/"


@pytest.fixture
def camille():
    return guests.arrive("Camille")


@pytest.fixture
def playing(room, camille):
    """The table at which Camille, a guest, plays with Alice."""
    rooms.join_room(room.invitation, camille.pk)
    table_id = Table.objects.get(room=room).pk
    table.sit_down(table_id, camille.pk)
    return table_id


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


# --- the invitation


def test_a_name_is_all_it_takes_to_sit_at_the_table(link, room):
    browser = door()
    assert 'name="username"' in read(browser.get(link))
    table_id = Table.objects.get(room=room).pk
    assert led_to(browser.post(link, {"username": "Camille"})) == f"/tables/{table_id}/"
    camille = User.objects.get(username="Camille")
    assert camille.is_guest
    assert table.look(table_id, camille.pk)["state"] == "playing"
    assert browser.get(f"/tables/{table_id}/").status_code == 200


def test_the_browser_knows_its_guest_for_more_than_a_year(link):
    answer = door().post(link, {"username": "Camille"})
    assert answer.cookies["sessionid"]["max-age"] > 365 * 24 * 3600


def test_a_taken_name_stands_there_as_a_free_one_to_be_sent(link):
    page = read(door().post(link, {"username": "ALICE"}), 422)
    assert "ALICE 2 is free." in page
    assert 'value="ALICE 2"' in page
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize("name", ["", "A", "<b>x</b>", "ad\u202emin", "x" * 500, "Vous", "Invité"])
def test_a_name_nobody_may_carry_is_refused_at_its_field(name, link):
    page = read(door().post(link, {"username": name}), 422)
    assert 'class="err"' in page
    assert not User.objects.filter(is_guest=True).exists()


def test_where_chips_are_played_for_a_guest_is_told_before_they_come_in(alice, camille):
    room = Room.objects.get(
        pk=rooms.open_room(
            alice.pk, "Jeu", {"preset": "match_play"}, stakes={"mode": "match", "amount": "5"}
        )
    )
    link = f"/j/{room.invitation}/"
    nobody = read(door().get(link))
    assert "As a guest you come in and watch" in nobody
    assert "Play now" not in nobody
    assert "choose a password first" in read(door(camille).get(link))
    seen = {"terms": rooms.invitation(room.invitation)["offer"].mark}
    assert led_to(door(camille).post(link, seen)) == f"/rooms/{room.pk}/"
    for stakes, said in ((room.stakes, "signs up with a name"), ({}, "plays at once, without")):
        Room.objects.filter(pk=room.pk).update(stakes=stakes)
        assert said in read(door(alice).get(f"/rooms/{room.pk}/"))


def test_a_link_that_is_no_longer_valid_makes_no_guest(link, room, alice):
    rooms.renew_invitation(room.pk, alice.pk)
    read(door().post(link, {"username": "Camille"}), 404)
    assert not User.objects.filter(is_guest=True).exists()


def test_a_link_renewed_while_a_name_is_sent_leaves_no_guest_behind(
    link, room, alice, monkeypatch
):
    arrive = guests.arrive

    def meanwhile(name):
        rooms.renew_invitation(room.pk, alice.pk)
        return arrive(name)

    monkeypatch.setattr(guests, "arrive", meanwhile)
    page = read(door().post(link, {"username": "Camille"}), 422)
    assert "no longer valid" in page
    assert not User.objects.filter(is_guest=True).exists()


def test_many_guests_from_one_address_have_to_wait(link, room):
    for number in range(20):
        door().post(link, {"username": f"Camille {number}"})
    page = read(door().post(link, {"username": "Bob"}), 429)
    assert "Wait ten minutes" in page
    assert not User.objects.filter(username="Bob").exists()
    elsewhere = door().post(link, {"username": "Bob"}, headers={"x-forwarded-for": "192.0.2.9"})
    assert elsewhere.status_code == 429  # no proxy is trusted here: anybody could write that


# --- rooms that take no guests


def test_a_room_that_takes_no_guests_asks_for_an_account(alice):
    door(alice).post("/rooms/new/", {**FORM, "guests": "no"})
    room = Room.objects.get()
    assert not room.guests
    link = f"/j/{room.invitation}/"
    page = read(door().get(link))
    assert 'name="username"' not in page
    assert f"/account/signup/?next=%2Fj%2F{room.invitation}%2F" in page
    assert led_to(door().post(link, {"username": "Camille"})).startswith("/account/login/")
    assert not User.objects.filter(is_guest=True).exists()


def test_every_way_into_such_a_room_is_shut_to_guests_until_they_choose_a_password(room, camille):
    Room.objects.update(guests=False, is_public=True)
    table_id = Table.objects.get(room=room).pk
    for verb, *what in (
        (rooms.join_room, room.invitation), (rooms.join_by_code, room.code),
        (rooms.enter_public, room.pk), (rooms.come_in, table_id),
    ):  # fmt: skip
        with refused("no_guests"):
            verb(*what, camille.pk)
    assert not Member.objects.filter(user=camille).exists()
    assert not GameSeat.objects.filter(user=camille).exists()
    guests.claim(camille.pk, PASSWORD)
    rooms.join_room(room.invitation, camille.pk)
    assert rooms.may_enter(room.pk, camille.pk)


def test_guests_who_are_members_stay_when_the_room_takes_no_more(playing, room, alice, camille):
    door(alice).post(f"/rooms/{room.pk}/settings/", {**FORM, "guests": "no"})
    assert not Room.objects.get().guests
    rooms.join_room(room.invitation, camille.pk)
    assert door(camille).get(f"/tables/{playing}/").status_code == 200


def test_a_change_that_does_not_speak_of_guests_leaves_it_as_it_was(room, alice):
    Room.objects.update(guests=False)
    rooms.change_room(room.pk, alice.pk, "Salle", {"preset": "complete"}, False, "none", True)
    assert not Room.objects.get().guests


# --- what a guest is and may


def test_a_guest_is_marked_wherever_their_name_stands(playing, room, alice, camille):
    talk.say(room.pk, None, camille.pk, "Bonsoir")
    chairs = {chair["name"]: chair["guest"] for chair in table.look(playing, alice.pk)["seats"]}
    assert chairs == {"alice": False, "Camille": True}
    play_game(playing, [alice.pk, camille.pk])
    page = rooms.room_page(room.pk, alice.pk)
    assert {one["name"]: one["guest"] for one in page["members"]} == chairs
    assert page["guest_ids"] == {camille.pk}
    with translation.override("en"):
        row = rooms.tables_of(room.pk, alice.pk)["tables"][0]
        assert row["names"] == ["alice", "Camille (guest)"]
    assert [line["guest"] for line in talk.recent(room.pk, None, alice.pk)] == [True]
    sheet = ledger.read_sheet(page["finished"][0].sheet_id)
    assert {one.name: one.kind for one in sheet.seats} == {"alice": "person", "Camille": "guest"}
    assert "<small>guest</small>" in read(door(alice).get(f"/sheets/{sheet.id}/"))
    shown = read(door(alice).get(f"/rooms/{room.pk}/"))
    assert shown.count('<span class="tag">guest</span>') == 2  # members, standings


def test_the_mark_goes_when_the_guest_has_an_account_and_the_sheet_stays_as_it_was(
    playing, room, alice, camille
):
    play_game(playing, [alice.pk, camille.pk])
    sheet_id = Game.objects.get(table=playing).sheet_id
    totals = ledger.read_sheet(sheet_id).standing.totals
    guests.claim(camille.pk, PASSWORD, "Camille Durand")
    assert not any(one["guest"] for one in table.look(playing, alice.pk)["seats"])
    assert rooms.room_page(room.pk, alice.pk)["guest_ids"] == set()
    sheet = ledger.read_sheet(sheet_id)
    assert (sheet.names[1], sheet.seats[1].kind) == ("Camille", "guest")
    assert sheet.standing.totals == totals


def test_a_guest_keeps_game_sheet_room_and_words_after_choosing_a_password(
    playing, room, alice, camille
):
    talk.say(room.pk, None, camille.pk, "Bonsoir")
    play_game(playing, [alice.pk, camille.pk])
    table.rematch(playing, alice.pk)
    table.rematch(playing, camille.pk)
    browser = door(camille)
    browser.post("/account/keep/", {"username": "Camille", "password": PASSWORD})
    again = door()
    again.post("/account/login/", {"login": "camille", "password": PASSWORD})
    sheet_id = Game.objects.filter(table=playing, ended_at__isnull=False).get().sheet_id
    assert f"/sheets/{sheet_id}/" in read(again.get("/history/"))
    assert table.look(playing, camille.pk)["seat"] is not None
    assert rooms.may_enter(room.pk, camille.pk)
    assert talk.recent(room.pk, None, camille.pk)[0]["you"]


def test_a_guest_opens_rooms_for_friends_but_no_public_ones(camille):
    browser = door(camille)
    page = read(browser.post("/rooms/new/", {**FORM, "public": "yes"}), 422)
    assert "choose a password first" in page
    assert not Room.objects.exists()
    assert browser.post("/rooms/new/", FORM).status_code == 302
    room = Room.objects.get()
    with refused("guests_stay_private"):
        rooms.change_room(
            room.pk, camille.pk, "Salle", {"preset": "complete"}, True, "none", True
        )
    assert not Room.objects.get().is_public


def test_a_guest_who_follows_a_link_to_a_room_without_guests_is_led_to_a_password(room, camille):
    Room.objects.update(guests=False)
    page = read(door(camille).get(f"/j/{room.invitation}/"))
    assert f"/account/keep/?next=%2Fj%2F{room.invitation}%2F" in page


# --- pages that ask for an account


def addresses():
    """Every address of the site that can be asked for without knowing anything."""
    found = {row.bare for row in PAGES}
    return [one for one in found if "{" not in one and "none" not in one and "/admin" not in one]


def test_pages_that_ask_for_an_account_lead_a_guest_to_a_password_and_no_others(camille):
    browser, closed = door(camille), set()
    for address in addresses():
        answer = browser.get(address)
        if answer.status_code == 302 and answer["Location"].startswith("/account/keep/"):
            closed.add(address)
            name = get_resolver().resolve(address).view_name
            assert name.startswith(CLOSED), address
    assert {
        "/account/", "/account/letters/", "/account/password/change/", "/account/password/set/",
        "/history/import/", "/history/export/", "/history/export/progress/", "/pad/",
        "/friends/", "/account/two-steps/",
    } <= closed  # fmt: skip
    for open_to_all in ("/", "/rooms/", "/rooms/new/", "/history/", "/rules/", "/join/", "/lobby/"):
        assert open_to_all not in closed
        assert browser.get(open_to_all).status_code == 200


def test_a_guest_sets_no_password_behind_the_pages_back(camille):
    browser = door(camille)
    for address in ("/account/password/set/", "/account/password/change/"):
        browser.post(address, {"password1": PASSWORD, "password2": PASSWORD})
    assert get_user_model().objects.get(pk=camille.pk).is_guest


def test_every_page_of_a_guest_says_how_to_stay_but_the_table(playing, camille, alice):
    assert "/account/keep/?next=/rooms/" in read(door(camille).get("/rooms/"))
    assert 'class="as-guest' not in read(door(camille).get(f"/tables/{playing}/"))
    assert "/account/keep/" not in read(door(alice).get("/rooms/"))


def test_lists_mark_a_guest_as_long_as_they_are_one(room_id, waiting, alice):
    guest = guests.arrive("Passant")
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], guest.pk)
    table.sit_down(waiting, guest.pk)
    table.resign(waiting, guest.pk)
    ledger.write_bonuses(Game.objects.get().sheet_id)
    pages = ["/", "/history/", f"/rooms/{room_id}/"]
    assert all("Passant (guest)" in read(door(alice).get(page)) for page in pages)
    assert ">guest<" in read(door(alice).get(f"/players/{guest.pk}/with-me/"))
    guests.claim(guest.pk, PASSWORD)
    assert not any("Passant (guest)" in read(door(alice).get(page)) for page in pages)
    say_farewell(guest.pk)
    for page in (*pages, f"/sheets/{Game.objects.get().sheet_id}/"):
        shown = read(door(alice).get(page))
        assert "deleted player" in shown
        assert "joueur" not in shown
    assert {"deleted player"} < {seat["name"] for seat in _look_in_english(waiting, alice)}


def _look_in_english(table_id, person):
    with translation.override("en"):
        return table.look(table_id, person.pk)["seats"]
