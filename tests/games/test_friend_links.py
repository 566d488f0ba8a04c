"""Friends made by a link, and after a game: whom a page offers, and whom not."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction

from accounts import guests, suspensions
from accounts.models import User
from accounts.refusal import Refusal
from games import friends, table
from games.farewell import say_farewell
from games.models import FriendLink, Friendship, Game
from games.strangers import strangers
from tests.games.pages import door, led_to, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(alice):
    friends.make_link(alice.pk)
    return f"/f/{friends.link_of(alice.pk)}/"


def befriend(one, other):
    friends.ask(one.pk, other.username)
    friends.accept(other.pk, one.pk)


def test_a_link_is_made_shown_and_taken_back(alice, bob):
    door(alice).post("/friends/", {"do": "link"})
    page = read(door(alice).get("/friends/"))
    link = re.search(r'value="http://[^/"]+(/f/[\w-]{22}/)"', page)[1]
    door(alice).post("/friends/", {"do": "link"})  # the same
    assert link in read(door(alice).get("/friends/"))
    door(alice).post("/friends/", {"do": "unlink"})
    assert "leads nowhere any more" in read(door(bob).get(link), 404)
    assert led_to(door(bob).post(link)) == link
    assert not Friendship.objects.exists()


def test_whoever_opens_it_confirms_and_is_a_friend(link, alice, bob, charlie):
    assert "alice wants to be friends" in read(door(bob).get(link))
    assert not Friendship.objects.exists()
    for _twice in range(2):
        assert led_to(door(bob).post(link)) == "/friends/"
    assert friends.are_friends(alice.pk, bob.pk)
    assert not friends.are_friends(alice.pk, charlie.pk)
    assert "friends already" in read(door(bob).get(link))


@pytest.mark.parametrize("asker", ["alice", "bob"])
def test_a_request_that_waits_is_accepted_by_it(asker, link, alice, bob):
    one, other = (alice, bob) if asker == "alice" else (bob, alice)
    friends.ask(one.pk, other.username)
    door(bob).post(link)
    assert Friendship.objects.get().accepted_at is not None


def test_who_is_not_signed_in_does_that_first(link):
    page = read(door().get(link))
    assert f"/account/login/?next={link.replace('/', '%2F')}" in page
    assert led_to(door().post(link)).startswith("/account/login/?next=/f/")


def test_a_guest_chooses_a_password_first(link):
    guest = guests.arrive("passant")
    assert "/account/keep/?next=" in read(door(guest).get(link))
    door(guest).post(link)
    assert not Friendship.objects.exists()


def test_ones_own_link_makes_no_friend(link, alice):
    assert "Your own link" in read(door(alice).get(link))
    with pytest.raises(Refusal, match="best friend"):
        friends.follow_link(friends.link_of(alice.pk), alice.pk)


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_a_link_leads_nowhere_between_two_who_are_apart(blocker, link, alice, bob):
    one, other = (alice, bob) if blocker == "alice" else (bob, alice)
    friends.block(one.pk, other.pk, on=True)
    read(door(bob).get(link), 404)
    door(bob).post(link)
    assert not Friendship.objects.exists()


def test_the_link_of_somebody_shut_out_or_gone_leads_nowhere(link, alice, bob):
    suspensions.suspend([alice], "Triche")
    read(door(bob).get(link), 404)
    say_farewell(alice.pk)
    assert not FriendLink.objects.exists()


def test_a_link_that_came_into_many_hands_ends_somewhere(link, alice, bob, charlie, monkeypatch):
    monkeypatch.setattr(friends, "FRIENDS_AT_MOST", 1)
    door(bob).post(link)
    door(charlie).post(link)
    assert not friends.are_friends(alice.pk, charlie.pk)


def test_the_database_keeps_one_link_a_person_and_no_empty_one(link, alice, bob):
    for wrong in ({"user": alice, "token": "x"}, {"user": bob, "token": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            FriendLink.objects.create(**wrong)


# --- whom a page offers


def test_those_are_offered_who_may_be_asked(alice, bob, charlie):
    guest = guests.arrive("passant")
    everybody = [one.pk for one in (alice, bob, charlie, guest)]
    assert strangers(alice.pk, everybody) == {bob.pk: "bob", charlie.pk: "charlie"}
    friends.ask(bob.pk, "alice")  # to ask back is to accept
    friends.ask(alice.pk, "charlie")
    assert strangers(alice.pk, everybody) == {bob.pk: "bob"}
    befriend(alice, bob)
    assert strangers(alice.pk, everybody) == {}
    assert strangers(guest.pk, everybody) == {}
    assert strangers(None, everybody) == {}


def test_a_block_is_seen_by_who_made_it_alone(alice, bob, charlie):
    friends.block(bob.pk, alice.pk, on=True)
    friends.block(charlie.pk, bob.pk, on=True)
    assert strangers(bob.pk, [alice.pk]) == {}
    assert strangers(alice.pk, [bob.pk]) == {bob.pk: "bob"}


@pytest.fixture
def over(table_id, alice):
    table.resign(table_id, alice.pk)
    return table_id


def test_after_a_game_the_table_and_the_sheet_offer_it_to_the_players(over, alice, bob, charlie):
    sheet = f"/sheets/{Game.objects.get().sheet_id}/"
    assert table.look(over, alice.pk)["befriend"] == ["bob"]
    assert "Add bob as a friend" in read(door(alice).get(sheet))
    assert 'value="ask"' in read(door(alice).get(f"/players/{bob.pk}/"))
    sent = {"do": "ask", "name": "bob", "next": sheet}
    assert led_to(door(alice).post("/friends/", sent)) == sheet
    assert table.look(over, alice.pk)["befriend"] == []
    for page in (sheet, f"/players/{bob.pk}/"):
        assert 'value="ask"' not in read(door(alice).get(page))
    assert "Add alice as a friend" in read(door(bob).get(sheet))


def test_during_a_game_and_to_who_watches_it_is_not_offered(table_id, room_id, alice, charlie):
    assert "befriend" not in table.look(table_id, alice.pk)
    User.objects.filter(pk=alice.pk).update(pages_for="everyone")
    Game.objects.get().table.room.members.create(user=charlie)
    table.resign(table_id, alice.pk)
    assert "befriend" not in table.look(table_id, charlie.pk)
    sheet = f"/sheets/{Game.objects.get().sheet_id}/"
    assert 'value="ask"' not in read(door(charlie).get(sheet))


def test_a_form_leads_back_to_pages_of_this_site_only(alice, bob):
    sent = {"do": "ask", "name": "bob", "next": "https://evil.example/"}
    assert led_to(door(alice).post("/friends/", sent)) == "/friends/"
