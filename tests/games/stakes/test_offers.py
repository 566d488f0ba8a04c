"""Consent: nobody plays by or for what they have not seen, whichever way they come to a seat."""

from __future__ import annotations

from decimal import Decimal

import pytest

from accounts.refusal import Refusal
from games import rooms, table
from games.models import Game, GameSeat, Member, Room, Table
from games.stakes.offers import Offer
from scoring import chips, ledger
from tests.games.players import play_game

pytestmark = pytest.mark.django_db

MATCH = {"mode": "match", "amount": "50"}
DEARER = {"mode": "match", "amount": "400"}
FRENCH = {"accept-language": "fr"}


def changed():
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == "changed_offer")


@pytest.fixture
def room(alice, bob):
    """Alice waits in a room where 50 is the stake; Bob is a member."""
    number = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=MATCH)
    room = Room.objects.get(pk=number)
    rooms.join_room(room.invitation, bob.pk)
    return room


@pytest.fixture
def at(room):
    return Table.objects.get(room=room).pk


def change(room, host, stakes, preset="match_play"):
    rooms.change_room(room.pk, host.pk, "Salle", {"preset": preset}, False, "none", True,
                      stakes=stakes)  # fmt: skip
    room.refresh_from_db()


def mark(room):
    return Offer.of(room.rules, room.stakes).mark


def dearer(room, alice, at):
    """Alice asks for more, and sits down again herself."""
    change(room, alice, DEARER)
    table.sit_down(at, alice.pk, mark(room))


# --- sitting down


def test_who_saw_a_smaller_stake_is_not_seated_and_reads_the_new_one(room, at, alice, bob, client):
    seen = mark(room)
    dearer(room, alice, at)
    client.force_login(bob)
    for sent in ({"terms": seen}, {}):  # nor is whoever says to have seen nothing
        page = client.post(f"/tables/{at}/sit/", sent, follow=True, headers=FRENCH)
        assert "mise 400 jetons" in page.context["messages"]._loaded_data[0].message
        assert page.request["PATH_INFO"] == f"/tables/{at}/"
    assert not GameSeat.objects.filter(user=bob).exists()
    assert chips.wallet(bob.pk) == chips.starting_grant()
    client.post(f"/tables/{at}/sit/", {"terms": page.context["view"]["game"]["terms"]})
    assert Game.objects.get().started_at is not None


def test_other_rules_for_the_same_stake_are_seen_first(room, at, alice, bob):
    seen = mark(room)
    change(room, alice, MATCH, "complete")
    with changed():
        table.sit_down(at, bob.pk, seen)
    assert table.sit_down(at, bob.pk, mark(room)) == 1


def test_who_waits_for_chips_gets_up_when_the_rules_change(room, at, alice, bob):
    rooms.pass_on(room.pk, alice.pk, bob.pk)
    change(room, bob, MATCH, "complete")
    assert not GameSeat.objects.exists()


def test_an_invitation_is_shown_again_where_it_now_asks_for_more(
    room, at, alice, charlie, client
):
    address = f"/j/{room.invitation}/"
    client.force_login(charlie)
    seen = client.get(address).context["invitation"]["offer"].mark
    dearer(room, alice, at)
    page = client.post(address, {"terms": seen}, follow=True, headers=FRENCH)
    assert page.request["PATH_INFO"] == address
    assert "mise 400 jetons" in page.context["messages"]._loaded_data[0].message
    assert not Member.objects.filter(user=charlie).exists()
    client.post(address, {"terms": page.context["invitation"]["offer"].mark})
    assert Game.objects.get().started_at is not None


def test_a_guest_reads_in_words_what_an_invitation_now_offers(room, alice, client):
    change(room, alice, {})
    address = f"/j/{room.invitation}/"
    seen = client.get(address).context["invitation"]["offer"].mark
    change(room, alice, {}, "complete")
    page = client.post(address, {"username": "Zoé", "terms": seen}, headers=FRENCH)
    (told,) = [said for errors in page.context["form"].errors.values() for said in errors]
    assert told.startswith("Ce qui se joue ici a changé")
    assert "Offer(" not in told
    assert not Member.objects.exclude(user__username__in=("alice", "bob")).exists()


def test_a_table_is_opened_for_what_its_page_said(room, alice, bob, client):
    client.force_login(bob)
    seen = client.get(f"/rooms/{room.pk}/").context["room"]["offer"].mark
    change(room, alice, DEARER)
    client.post(f"/rooms/{room.pk}/tables/", {"terms": seen})
    assert not GameSeat.objects.filter(user=bob).exists()
    client.post(f"/rooms/{room.pk}/tables/", {"terms": mark(room)})
    assert GameSeat.objects.filter(user=bob).exists()


# --- the next game


def following(at, user):
    return table.look(at, user.pk)["following"]


def test_a_rematch_says_what_it_is_for_and_stays_as_it_was(room, at, alice, bob):
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    change(room, alice, DEARER)
    offered = following(at, bob)
    assert offered["same"]
    assert "50" in offered["words"]
    with changed():
        table.rematch(at, bob.pk, seen=mark(room))
    for one in (alice, bob):
        table.rematch(at, one.pk, seen=offered["terms"])
    assert Game.objects.get(number=2).stakes["amount"] == "50.00"


def test_a_game_that_a_move_has_ended_says_what_the_next_one_is_for(alice, bob):
    """What lay beside the cards was looked at before that move."""
    number = rooms.open_room(alice.pk, "Salle", {"preset": "first_to_knock"}, stakes=MATCH)
    rooms.join_room(Room.objects.get(pk=number).invitation, bob.pk)
    here = Table.objects.get(room_id=number).pk
    table.sit_down(here, bob.pk)
    assert play_game(here, [alice.pk, bob.pk])["following"]["same"]


def test_a_purse_that_is_withdrawn_is_not_what_was_agreed_to(room, at, alice, bob, charlie):
    change(room, alice, {"mode": "purse", "amount": "60", "purse_from": "owner"})
    GameSeat.objects.all().delete()
    rooms.join_room(room.invitation, charlie.pk)
    for one in (bob, charlie):
        table.sit_down(at, one.pk)
    table.resign(at, bob.pk)
    seen = following(at, bob)["terms"]
    table.rematch(at, charlie.pk, seen=seen)
    change(room, alice, {})
    assert not GameSeat.objects.filter(wants_rematch=True).exists()
    assert not following(at, bob)["same"]
    table.rematch(at, bob.pk, seen=following(at, bob)["terms"])
    assert not Game.objects.filter(number=2).exists()  # Charlie has not agreed to this one


def test_those_who_take_turns_agree_again_when_the_room_asks_for_more(
    room, alice, bob, charlie
):
    rooms.join_room(room.invitation, charlie.pk)
    GameSeat.objects.all().delete()
    at = rooms.open_table(room.pk, alice.pk, "loser")
    table.sit_down(at, bob.pk)
    table.line_up(at, charlie.pk)
    table.resign(at, bob.pk)
    seen = following(at, alice)["terms"]
    table.rematch(at, alice.pk, seen=seen)
    change(room, alice, DEARER)
    with changed():
        table.rematch(at, charlie.pk, seen=seen)
    now = following(at, charlie)
    assert "400" in now["words"]
    table.rematch(at, charlie.pk, seen=now["terms"])
    assert not Game.objects.filter(table=at, number=2).exists()
    table.rematch(at, alice.pk, seen=now["terms"])
    assert Game.objects.get(table=at, number=2).stakes["amount"] == "400.00"


# --- chips that are still being counted


def test_winnings_that_are_not_written_yet_pay_for_the_rematch(room, at, alice, bob):
    """Whoever put up their last chips and won has chips."""
    chips.grant(alice.pk, Decimal("-950"), "Pour voir", "chief")
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)  # no worker writes the bonuses here
    for one in (alice, bob):
        table.rematch(at, one.pk)
    assert Game.objects.get(number=2).started_at is not None


def test_nobody_whose_chips_are_being_counted_is_called_poor(room, at, alice, bob):
    chips.grant(alice.pk, Decimal("-950"), "Pour voir", "chief")
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    with pytest.raises(Refusal, check=lambda refusal: refusal.code == "being_settled"):
        rooms.open_table(room.pk, alice.pk)
    ledger.write_bonuses(Game.objects.get().sheet_id)
    rooms.open_table(room.pk, alice.pk)
