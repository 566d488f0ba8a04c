"""Guests who never came back: forgotten if they have played nothing, left alone otherwise."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import guests, people
from accounts.models import User
from accounts.names import GONE
from games import expiry, rooms, table, tasks
from games.models import Game, GameSeat, Member, Room, Table
from scoring import ledger
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def camille():
    return guests.arrive("Camille")


@pytest.fixture
def waiting(alice, camille):
    """Camille waits alone at a table of her own room, of which Alice is a member."""
    room = Room.objects.get(pk=rooms.open_room(camille.pk, "Salle", {"preset": "complete"}))
    rooms.join_room(room.invitation, alice.pk)
    return Table.objects.get(room=room).pk


def away(user, days):
    User.objects.filter(pk=user.pk).update(guest_seen_at=timezone.now() - timedelta(days=days))


def test_a_guest_without_a_game_goes_and_leaves_seat_room_and_name_free(waiting, alice, camille):
    away(camille, 31)
    assert expiry.forget_guests() == 1
    gone = User.objects.get(pk=camille.pk)
    assert not gone.is_active
    assert not gone.is_guest
    assert not User.objects.named("Camille").exists()
    assert not GameSeat.objects.filter(user=camille).exists()
    assert not Member.objects.filter(user=camille).exists()
    assert rooms.room_page(Room.objects.get().pk, alice.pk)["is_host"]
    assert expiry.forget_guests() == 0
    assert guests.arrive("Camille").pk != camille.pk


def test_the_days_are_a_setting(waiting, camille, settings):
    away(camille, 31)
    settings.GUEST_DAYS = 32
    assert expiry.forget_guests() == 0
    settings.GUEST_DAYS = 30
    tasks.forget_guests()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_guest_who_plays_or_has_played_stays_for_a_year(waiting, alice, camille):
    table.sit_down(waiting, alice.pk)
    away(camille, 364)
    assert expiry.forget_guests() == 0
    table.resign(waiting, camille.pk)
    assert expiry.forget_guests() == 0
    sheet = ledger.read_sheet(Game.objects.get().sheet_id)
    assert "Camille" in sheet.names
    assert User.objects.get(pk=camille.pk).is_guest


@pytest.mark.parametrize("over", [True, False])
def test_after_a_year_a_guest_who_played_is_forgotten_and_others_keep_their_sheets(
    over, waiting, alice, camille
):
    table.sit_down(waiting, alice.pk)
    if over:
        table.resign(waiting, alice.pk)
    away(camille, 366)
    assert expiry.forget_guests() == 1
    assert not User.objects.named("Camille").exists()
    sheet = ledger.read_sheet(Game.objects.get().sheet_id)
    assert set(sheet.names) == {"alice", GONE}
    assert sheet.standing.winner == sheet.seat_of(camille.pk if over else alice.pk)


def test_who_was_here_lately_or_has_an_account_or_is_shut_out_stays(alice, camille):
    away(camille, 29)
    claimed = guests.arrive("Denis")
    away(claimed, 31)
    guests.claim(claimed.pk, PASSWORD)
    shut_out = guests.arrive("Emma")
    away(shut_out, 31)
    shut_out.refresh_from_db()
    shut_out.is_active = False
    people.keep(shut_out)
    assert expiry.forget_guests() == 0
    assert User.objects.filter(username__in=["alice", "Camille", "Denis", "Emma"]).count() == 4
