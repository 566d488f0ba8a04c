"""A guest becomes part of an account: all they played, nothing twice, and never against oneself."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts import guests
from accounts.models import User
from games import friends, rooms, table, talk
from games.merging import Unmerged, merge
from games.models import Block, GameSeat, Member, Message, Mute
from games.presets import rule_set
from scoring import ledger, shares
from scoring.models import ScoreLine, ShareLink, SheetSeat, Tally

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(db):
    return guests.arrive("Camille")


@pytest.fixture
def played(room_id, waiting, alice, guest):
    """The guest has won a game against alice and said something; gives its sheet."""
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], guest.pk)
    table.sit_down(waiting, guest.pk)
    talk.say(room_id, None, guest.pk, "Bien joué")
    table.resign(waiting, alice.pk)
    seat = GameSeat.objects.get(user=guest)
    ledger.write_bonuses(seat.game.sheet_id)
    shares.share(seat.game.sheet_id, guest.pk)
    return seat.game.sheet_id


def of_the_guest(guest):
    return [
        model.objects.filter(**{path: guest.pk}).count()
        for model, path in (
            (GameSeat, "user"), (SheetSeat, "user"), (Tally, "user"), (Tally, "opponent_user"),
            (Member, "user"), (Message, "user"), (ShareLink, "made_by"),
        )
    ]  # fmt: skip


def refused(code, guest, account):
    before = of_the_guest(guest)
    with pytest.raises(Unmerged) as refusal:
        merge(guest.pk, account.pk)
    assert refusal.value.code == code
    assert of_the_guest(guest) == before
    assert User.objects.get(pk=guest.pk).deleted_at == guest.deleted_at


def test_everything_a_guest_has_becomes_the_accounts(played, guest, charlie):
    lines = list(ScoreLine.objects.values())
    before = of_the_guest(guest)
    tallies = Tally.objects.filter(sheet_id=played)
    figures = list(tallies.order_by("seat").values_list("seat", "result", "points"))
    assert 0 not in before
    merge(guest.pk, charlie.pk)
    assert of_the_guest(charlie) == before
    assert set(of_the_guest(guest)) == {0}
    assert list(ScoreLine.objects.values()) == lines
    assert list(tallies.order_by("seat").values_list("seat", "result", "points")) == figures
    assert "Camille" in ledger.read_sheet(played).names  # under the name of that day
    assert ledger.audited([played])[0].differences == []
    gone = User.objects.get(pk=guest.pk)
    assert (gone.is_active, gone.is_guest) == (False, False)


def test_a_room_both_belong_to_has_one_member_left(played, room_id, guest, alice, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    merge(guest.pk, charlie.pk)
    assert Member.objects.filter(room_id=room_id, user=charlie).count() == 1


def test_whoever_blocked_or_muted_the_guest_has_the_same_of_the_account(
    played, room_id, guest, bob, charlie, alice
):
    friends.block(bob.pk, guest.pk, True)
    talk.mute(alice.pk, guest.pk, True)
    merge(guest.pk, charlie.pk)
    assert list(Block.objects.values_list("user", "blocked")) == [(bob.pk, charlie.pk)]
    assert list(Mute.objects.values_list("user", "muted")) == [(alice.pk, charlie.pk)]
    assert Message.objects.get().user == charlie


def test_who_ever_sat_at_one_table_is_not_made_one(played, guest, alice):
    refused("met", guest, alice)


def test_one_table_counts_though_they_never_played_each_other(
    played, waiting, guest, alice, charlie
):
    table.rematch(waiting, alice.pk)
    table.rematch(waiting, guest.pk)
    table.resign(waiting, guest.pk)
    second = GameSeat.objects.filter(game__table_id=waiting, game__number=2)
    second.filter(user=guest).update(user=charlie)
    SheetSeat.objects.filter(sheet__game__number=2, user=guest).update(user=charlie)
    refused("met", guest, charlie)


def test_who_met_on_a_sheet_of_paper_is_not_made_one(guest, charlie):
    seats = [ledger.SeatEntry("Camille", guest.pk, "guest"), ledger.SeatEntry("C", charlie.pk)]
    ledger.open_sheet(rule_set({}).as_dict(), seats)
    refused("met", guest, charlie)


def test_a_guest_at_a_table_is_left_to_play(waiting, room_id, alice, guest, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], guest.pk)
    table.sit_down(waiting, guest.pk)
    refused("still_playing", guest, charlie)


def test_only_a_guest_is_merged_and_only_into_an_account(guest, bob, charlie):
    refused("no_guest", bob, charlie)
    refused("no_account", guest, guests.arrive("Autre"))
    refused("no_account", guest, guest)


# --- in the administration


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_the_host_merges_by_name_and_the_journal_says_why(played, guest, charlie):
    host = User.objects.create_superuser("hote", password="x")
    page = reverse("admin:accounts_user_merge", args=[guest.pk])
    client = signed_in(host)
    shown = client.get(reverse("admin:accounts_user_change", args=[guest.pk])).content.decode()
    assert page in shown
    sent = {"name": "personne", "reason": "C'est lui"}
    assert "errornote" in client.post(page, sent).content.decode()
    assert client.post(page, sent | {"name": "CHARLIE"}).status_code == 302
    entry = LogEntry.objects.get(user=host)
    assert (entry.object_id, "C'est lui" in entry.change_message) == (str(charlie.pk), True)
    assert GameSeat.objects.filter(user=charlie).count() == 1


def test_the_host_anonymises_and_the_others_keep_their_sheet(played, guest, alice):
    host = User.objects.create_superuser("hote", password="x")
    before = ledger.totals(played)
    page = reverse("admin:accounts_user_forget", args=[guest.pk])
    assert signed_in(host).get(page).status_code == 200
    assert signed_in(host).post(page, {"reason": "À sa demande"}).status_code == 302
    assert ledger.totals(played) == before
    assert "joueur supprimé" in ledger.read_sheet(played).names
    assert LogEntry.objects.get(user=host).change_message.count("À sa demande") == 1


@pytest.mark.parametrize("deed", ["merge", "forget"])
@pytest.mark.parametrize("person", ["host", "colleague", "helper"])
def test_staff_neither_merge_nor_anonymise_staff_or_without_the_right(deed, person, alice):
    host = User.objects.create_superuser("hote", password="x")
    helper = User.objects.create_user("aide", password="x", is_staff=True)
    colleague = User.objects.create_user("collegue", password="x", is_staff=True)
    page = f"admin:accounts_user_{deed}"
    sent = {"reason": "Parce que", "name": "alice"}
    assert signed_in(helper).post(reverse(page, args=[alice.pk]), sent).status_code == 403
    rights = Permission.objects.filter(codename__in=["change_user", "view_user"])
    helper.user_permissions.set(rights)
    target = {"host": host, "colleague": colleague, "helper": helper}[person]
    assert signed_in(helper).post(reverse(page, args=[target.pk]), sent).status_code == 403
    assert not LogEntry.objects.exists()
