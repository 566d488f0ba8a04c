"""Sitting down where something is played for: who may, who is told why not, nothing taken."""

from __future__ import annotations

from decimal import Decimal

import pytest

from accounts import guests, suspensions
from accounts.refusal import Refusal
from games import rooms, table
from games.models import Game, GameSeat, Room, Table, Waiting
from scoring import chips
from scoring.rules.stakes import Stakes

pytestmark = pytest.mark.django_db

MATCH = {"mode": "match", "amount": "50"}
FRENCH = {"accept-language": "fr"}
TOO_MUCH = {"mode": "match", "amount": "500000"}


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


@pytest.fixture
def room(alice):
    """Alice waits in a room where 50 is the stake."""
    number = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=MATCH)
    return Room.objects.get(pk=number)


@pytest.fixture
def at(room):
    return Table.objects.get(room=room).pk


def join(room, user):
    rooms.join_room(room.invitation, user.pk)


def change(room, host, stakes):
    rooms.change_room(room.pk, host.pk, "Salle", {"preset": "match_play"}, False, "none", True,
                      stakes=stakes)  # fmt: skip


def test_a_game_keeps_the_stakes_it_was_started_with(room, at, alice, bob):
    join(room, bob)
    before = chips.wallet(bob.pk)
    table.sit_down(at, bob.pk)
    change(room, alice, {})
    game = Game.objects.get()
    assert Stakes.from_dict(game.stakes) == Stakes.from_dict(MATCH)
    assert chips.wallet(bob.pk) == before - 50
    assert table.look(at, bob.pk)["game"]["staked"]


def test_nobody_sits_down_without_the_chips(room, at, alice, bob):
    join(room, bob)
    change(room, alice, {**MATCH, "amount": str(int(chips.wallet(alice.pk)))})
    chips.grant(bob.pk, Decimal("-0.01"), "Pour voir", "chief")
    with refused("too_few_chips"):
        table.sit_down(at, bob.pk)
    assert GameSeat.objects.filter(user=bob).count() == 0
    assert Game.objects.get().sheet_id is None


def test_a_refusal_writes_amounts_as_its_reader_does(room, at, bob, client):
    join(room, bob)
    chips.grant(bob.pk, Decimal("-999.50"), "Pour voir", "chief")
    client.force_login(bob)
    sent = {"terms": table.look(at, bob.pk)["game"]["terms"]}
    answer = client.post(f"/tables/{at}/sit/", sent, follow=True, headers=FRENCH)
    assert "0,50" in answer.content.decode()
    assert "50,00" in answer.content.decode()


def test_nobody_opens_a_room_they_could_not_sit_in(alice):
    with refused("too_few_chips"):
        rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=TOO_MUCH)
    assert not Room.objects.exists()


def test_guests_and_the_computer_play_for_nothing(room, at, alice):
    camille = guests.arrive("camille")
    join(room, camille)
    with refused("no_chips"):
        table.sit_down(at, camille.pk)
    with refused("no_stakes_with_bots"):
        table.seat_bot(at, alice.pk, "beginner")
    assert table.look(at, alice.pk)["computer"] is False


def test_whoever_waits_without_the_chips_gets_up_when_the_stakes_change(room, at, alice, bob):
    change(room, alice, TOO_MUCH)
    assert not GameSeat.objects.exists()
    change(room, alice, {})
    table.sit_down(at, alice.pk)
    join(room, bob)
    table.sit_down(at, bob.pk)
    assert Game.objects.get().stakes == {}


def test_nobody_who_waits_is_made_to_play_for_more(room, at, alice, bob):
    join(room, bob)
    rooms.pass_on(room.pk, alice.pk, bob.pk)
    change(room, bob, {**MATCH, "amount": "900"})
    assert not GameSeat.objects.exists()
    table.sit_down(at, alice.pk)
    change(room, bob, {**MATCH, "amount": "900"})
    change(room, bob, {})
    assert GameSeat.objects.get().user == alice


def test_nobody_in_line_blocks_a_table_they_cannot_pay_for(room, alice, bob, charlie):
    for one in (bob, charlie):
        join(room, one)
    GameSeat.objects.all().delete()
    at = rooms.open_table(room.pk, alice.pk, "loser")
    table.sit_down(at, bob.pk)
    table.line_up(at, charlie.pk)
    table.resign(at, bob.pk)
    table.rematch(at, charlie.pk)
    chips.grant(charlie.pk, Decimal("-960"), "Pour voir", "chief")
    for one in (alice, bob):
        table.rematch(at, one.pk)
    again = Game.objects.get(table=at, number=2)
    assert set(again.seats.values_list("user", flat=True)) == {alice.pk, bob.pk}
    assert not Waiting.objects.exists()


def test_nobody_shut_out_is_made_to_pay(room, at, alice, bob, charlie):
    for one in (bob, charlie):
        join(room, one)
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    waiting = rooms.open_table(room.pk, alice.pk)
    table.rematch(at, alice.pk)
    suspensions.suspend([alice], "Triche")
    has = chips.wallet(alice.pk)
    with refused("player_gone"):
        table.rematch(at, bob.pk)
    table.sit_down(waiting, charlie.pk)
    assert not Game.objects.filter(started_at__isnull=False, ended_at=None).exists()
    assert chips.wallet(alice.pk) == has


@pytest.fixture
def purse(room, at, alice, bob, charlie):
    """Bob and Charlie play for a purse of Alice's, who is the host."""
    for one in (bob, charlie):
        join(room, one)
    change(room, alice, {"mode": "purse", "amount": "60", "purse_from": "owner"})
    GameSeat.objects.all().delete()
    for one in (bob, charlie):
        table.sit_down(at, one.pk)
    table.resign(at, bob.pk)


def test_a_purse_goes_with_the_host_who_promised_it(purse, room, at, alice, bob, charlie):
    waiting = rooms.open_table(room.pk, bob.pk)
    rooms.leave(room.pk, alice.pk)
    room.refresh_from_db()
    assert (room.owner, room.stakes) == (bob, {})
    assert Game.objects.get(table=waiting).stakes == {}
    for one in (bob, charlie):
        table.rematch(at, one.pk)
    assert Game.objects.get(table=at, number=2).stakes == {}
    assert chips.wallet(bob.pk) == chips.starting_grant()


@pytest.mark.parametrize("still", [True, False])
def test_a_host_s_purse_is_won_again_only_while_it_is_offered(
    purse, room, at, alice, bob, charlie, still
):
    before = chips.wallet(alice.pk)
    if not still:
        change(room, alice, MATCH)
    for one in (bob, charlie):
        table.rematch(at, one.pk)
    assert bool(Game.objects.get(number=2).stakes) == still
    assert chips.wallet(alice.pk) == before - (60 if still else 0)


def test_a_rematch_is_played_for_the_same(room, at, alice, bob):
    join(room, bob)
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    change(room, alice, {})
    for one in (alice, bob):
        table.rematch(at, one.pk)
    assert Game.objects.get(number=2).stakes["amount"] == "50.00"


def test_every_list_says_what_is_played_for(room, at, alice, bob, client):
    join(room, bob)
    client.force_login(bob)
    page = client.get(f"/rooms/{room.pk}/", headers={"accept-language": "fr"}).content.decode()
    assert page.count("mise 50 jetons, sans commission") == 1
    assert "Chacun met 50 jetons" in page
    rooms.open_room(alice.pk, "Ouverte", {"preset": "complete"}, public=True)
    home = client.get("/", headers={"accept-language": "fr"}).content.decode()
    assert "objectif 100, sans mise" in home


def test_only_the_host_with_an_account_sets_stakes(alice):
    camille = guests.arrive("camille")
    number = rooms.open_room(camille.pk, "Salle", {"preset": "complete"})
    with refused("no_stakes_for_guests"):
        change(Room.objects.get(pk=number), camille, MATCH)
