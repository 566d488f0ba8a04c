"""The doors to the computer: one click, signed in or not, and what becomes of such games."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.urls import reverse

from accounts import guests
from accounts.models import User
from games import rooms, table
from games.merging import merge
from games.models import GameSeat, Member, Room, Table
from scoring import history, ledger, statistics
from tests.games.test_bots import play_on

pytestmark = pytest.mark.django_db

PLAY = reverse("games:computer")


def levels_of(person):
    seats = GameSeat.objects.filter(game__seats__user=person).exclude(user__bot="")
    return set(seats.values_list("user__bot", flat=True))


def test_a_visitor_plays_at_once_as_a_guest_of_some_name(client):
    answer = client.post(PLAY, {"level": "strong"})
    guest = User.objects.get(is_guest=True)
    assert answer.headers["Location"] == reverse("games:table", args=[Table.objects.get().pk])
    assert client.session["_auth_user_id"] == str(guest.pk)
    assert guest.username.split(" ")[0] in ("Joueur", "Player")
    assert levels_of(guest) == {"strong"}
    assert client.get(answer.headers["Location"]).status_code == 200


def test_of_a_visitor_who_asks_for_no_level_nothing_is_left(client):
    client.post(PLAY, {"level": "champion"})
    client.post(PLAY)
    assert not User.objects.exists()
    assert not Room.objects.exists()


def test_many_visitors_of_one_address_are_asked_to_wait(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "2/10m/ip"}
    for _ in range(3):
        client.logout()
        answer = client.post(PLAY, {"level": "regular"})
    assert User.objects.filter(is_guest=True).count() == 2
    assert [str(one) for one in get_messages(answer.wsgi_request)]
    cache.clear()


def test_the_page_offers_the_level_played_last(client, alice):
    client.force_login(alice)
    assert b'value="regular" checked' in client.get("/").content
    client.post(PLAY, {"level": "expert"})
    page = client.get("/").content.decode()
    assert 'value="expert" checked' in page
    assert reverse("games:room", args=[Room.objects.get().pk]) in page


def test_a_practice_room_shows_no_invitation_and_offers_the_computer(client, alice):
    client.force_login(alice)
    client.post(PLAY, {"level": "regular"})
    room = Room.objects.get()
    page = client.get(reverse("games:room", args=[room.pk])).content.decode()
    assert room.code not in page
    assert room.invitation not in page
    assert f'action="{PLAY}"' in page


def test_only_by_a_click_does_a_game_begin(client, alice):
    client.force_login(alice)
    assert client.get(PLAY).status_code == 405
    assert not Table.objects.exists()


@pytest.fixture
def over(alice):
    """Alice has lost a game against the computer; gives its sheet."""
    at = rooms.practise(alice.pk, "strong", "Practice")
    table.resign(at, alice.pk)
    sheet_id = GameSeat.objects.get(user=alice).game.sheet_id
    ledger.write_bonuses(sheet_id)
    return sheet_id


def test_a_game_against_the_computer_is_history_and_no_statistics(over, alice):
    bot = User.objects.get(bot="strong")
    assert [entry.sheet_id for entry in history.page(alice.pk).entries] == [over]
    assert history.opponents(alice.pk)[0][0] == bot.pk
    assert statistics.figures(alice.pk).games == 0
    assert statistics.figures(alice.pk, against=bot.pk).lost == 1
    assert statistics.streaks(alice.pk).last == ()
    assert statistics.first_game(alice.pk) is None


def test_the_computer_is_marked_on_the_pages_of_its_game(over, client, alice):
    client.force_login(alice)
    for address in ("/", f"/sheets/{over}/", f"/sheets/{over}/hands/1/", reverse("history:games")):
        page = client.get(address).content.decode()
        assert "Fort (ordinateur)" in page or "Strong (computer)" in page, address
    assert client.get(f"/players/{User.objects.get(bot='strong').pk}/").status_code == 404


def test_two_practice_rooms_become_one_when_a_guest_is_made_part_of_an_account(over, alice):
    guest = guests.arrive("Léa")
    table.resign(rooms.practise(guest.pk, "regular", "Practice"), guest.pk)
    merge(guest.pk, alice.pk)
    assert Room.objects.filter(owner=alice).count() == 2
    assert Room.objects.filter(practice=True).count() == 1
    assert Member.objects.filter(user=alice).count() == 2


def test_a_visitor_s_game_goes_on_to_its_end(client, monkeypatch):
    client.post(PLAY, {"level": "beginner"})
    guest, at = User.objects.get(is_guest=True), Table.objects.get().pk
    assert play_on(at, guest, until="between")["seats"][1]["ready"]
