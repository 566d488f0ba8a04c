"""Somebody deletes their account: what it leaves to the others, and what it takes away."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import letters, names, people, refusal
from accounts.models import LetterWish, TableSettings, User, validate_name
from games import rooms, table, talk
from games.farewell import say_farewell
from games.models import Game, Member, Message, Mute, Report, Room
from scoring import archive, ledger, pad, shares
from scoring import statistics as figures
from scoring.models import Export, PadInvitation, ScoreLine, ScoreSheet, SheetSeat, Tally
from tests.conftest import PASSWORD
from tests.games.pages import door, read
from tests.scoring.finished import finished, gin, knock

pytestmark = pytest.mark.django_db


@pytest.fixture
def twelve(alice, bob):
    return [finished([alice, bob], [gin(n % 2, 60), knock(n % 2, 50)]) for n in range(12)]


def lines():
    return list(ScoreLine.objects.order_by("pk").values())


def test_the_opponent_still_sees_twelve_sheets_with_their_totals(twelve, alice, bob):
    before = lines(), [ledger.totals(sheet) for sheet in twelve]
    tallies = list(Tally.objects.order_by("pk").values())
    say_farewell(alice.pk)
    assert (lines(), [ledger.totals(sheet) for sheet in twelve]) == before
    assert list(Tally.objects.order_by("pk").values()) == tallies
    page = read(door(bob).get("/history/"))
    assert page.count('class="sheet"') == 12
    assert page.count("deleted player") >= 12
    assert "alice" not in page
    own, _other = figures.head_to_head(bob.pk, alice.pk, "")
    assert own.games == 12
    for sheet in twelve:
        assert "alice" not in read(door(bob).get(f"/sheets/{sheet}/"))
        assert "alice" not in door(bob).get(f"/sheets/{sheet}.json").content.decode()


def test_no_name_is_left_of_whoever_left(twelve, alice, bob):
    people.choose_table_settings(alice.pk, {"deck4": True})
    letters.wish(alice.pk, on=True)
    User.objects.filter(pk=alice.pk).update(email="alice@example.org", language="en")
    archive.begin(alice.pk)
    say_farewell(alice.pk)
    gone = User.objects.get(pk=alice.pk)
    assert gone.username == f"joueur supprimé {alice.pk}"
    assert (gone.email, gone.language, gone.is_active, gone.pages_for) == ("", "", False, "nobody")
    assert not gone.has_usable_password()
    for kept in (TableSettings, LetterWish, Export):
        assert not kept.objects.filter(user_id=alice.pk).exists()
    assert not SheetSeat.objects.filter(name="alice").exists()


def test_only_the_names_of_whoever_left_are_taken(twelve, alice, bob, charlie):
    other = finished([bob, charlie])
    say_farewell(alice.pk)
    assert ledger.read_sheet(other).names == ("bob", "charlie")
    assert ledger.read_sheet(twelve[0]).names == (names.GONE, "bob")
    assert User.objects.get(pk=bob.pk).is_active


def test_a_game_being_played_is_given_up(table_id, alice, bob):
    say_farewell(alice.pk)
    game = Game.objects.get(table_id=table_id)
    assert game.ended_at is not None
    sheet = ledger.read_sheet(game.sheet_id)
    assert sheet.ended.how == "resigned"
    assert sheet.seats[sheet.standing.winner].user_id == bob.pk
    view = table.look(table_id, bob.pk)
    assert view["state"] == "finished"
    assert "alice" not in json.dumps(view)


def test_a_seat_that_waits_is_free_again(waiting, alice, bob):
    say_farewell(alice.pk)
    assert not Member.objects.filter(user_id=alice.pk).exists()
    assert not Game.objects.get(table_id=waiting).seats.exists()


def test_a_room_goes_to_the_next_and_the_last_one_closes_it(room_id, alice, bob):
    say_farewell(alice.pk)
    assert Room.objects.get(pk=room_id).owner_id == bob.pk
    say_farewell(bob.pk)
    room = Room.objects.get(pk=room_id)
    assert (room.owner_id, room.is_public) == (None, False)


def test_the_standings_of_a_room_name_nobody_who_left(table_id, room_id, alice, bob):
    table.resign(table_id, bob.pk)
    assert "alice" in read(door(bob).get(f"/rooms/{room_id}/"))
    say_farewell(alice.pk)
    assert "alice" not in read(door(bob).get(f"/rooms/{room_id}/"))
    assert "alice" not in read(door(bob).get("/"))


def test_what_was_said_goes_but_for_what_was_reported(room_id, alice, bob):
    line = talk.say(room_id, None, alice.pk, "un mot de trop")
    talk.say(room_id, None, bob.pk, "oh")
    talk.report(line, bob.pk)
    talk.mute(bob.pk, alice.pk, on=True)
    say_farewell(alice.pk)
    assert [message.text for message in Message.objects.all()] == ["oh"]
    assert not Mute.objects.exists()
    (told,) = Report.objects.get().lines
    assert (told["name"], told["text"]) == (names.GONE, "un mot de trop")


def test_a_pad_nobody_can_write_on_is_ended(alice, bob):
    sheet = pad.open_pad(alice.pk, {"preset": "complete"}, ["alice", "Mamie"], me_seat=0)
    pad.invite(sheet, alice.pk, 1, bob.pk)
    say_farewell(alice.pk)
    assert ScoreSheet.objects.get(pk=sheet).how == "called_off"
    assert not PadInvitation.objects.exists()


def test_links_to_sheets_lead_nowhere(twelve, alice, bob):
    token = shares.share(twelve[0], alice.pk)
    say_farewell(alice.pk)
    assert shares.sheet_of(token) is None
    kept = shares.share(twelve[0], bob.pk)
    assert shares.sheet_of(kept) == twelve[0]


def test_a_farewell_said_twice_is_said_once(twelve, alice):
    say_farewell(alice.pk)
    at = User.objects.get(pk=alice.pk).deleted_at
    say_farewell(alice.pk)
    assert User.objects.get(pk=alice.pk).deleted_at == at


def test_the_name_is_free_for_another(alice):
    say_farewell(alice.pk)
    assert User.objects.create_user("alice").pk != alice.pk


def test_a_refused_farewell_changes_nothing(table_id, alice, bob):
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    with pytest.raises(refusal.Refusal, match="looks after"):
        say_farewell(alice.pk)
    assert table.look(table_id, alice.pk)["state"] == "playing"
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    say_farewell(alice.pk)
    assert not User.objects.get(pk=alice.pk).is_superuser


@pytest.mark.parametrize("change", [{"is_active": True}, {"email": "a@b.fr"}, {"is_staff": True}])
def test_the_database_opens_a_deleted_account_to_nobody(change, alice):
    say_farewell(alice.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(**change)


@pytest.mark.parametrize("name", ["joueur supprimé", "Joueur supprimé 7", "JOUEUR SUPPRIMÉ x"])
def test_nobody_takes_the_name_of_those_who_left(name):
    with pytest.raises(ValidationError):
        validate_name(name)


# --- the page


def test_the_password_is_asked_before_an_account_is_deleted(alice):
    browser = door(alice)
    assert "cannot be undone" in read(browser.get("/account/delete/"))
    for sent in ({}, {"password": "faux"}):
        read(browser.post("/account/delete/", sent))
    assert User.objects.get(pk=alice.pk).deleted_at is None
    answer = browser.post("/account/delete/", {"password": PASSWORD}, follow=True)
    assert "Your account is deleted" in read(answer)
    assert not get_user(browser).is_authenticated
    assert not door().login(username="alice", password=PASSWORD)


def test_every_session_of_a_deleted_account_is_over(alice):
    other = door(alice)
    say_farewell(alice.pk)
    assert other.get("/account/").status_code == 302


def test_the_last_administrator_is_told_why_not(alice):
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    answer = door(alice).post("/account/delete/", {"password": PASSWORD})
    assert "Nobody else looks after this site" in read(answer)


def test_a_room_of_strangers_is_not_told(alice, bob, charlie):
    rooms.open_room(charlie.pk, "Salle", {"preset": "complete"})
    say_farewell(alice.pk)
    assert Member.objects.filter(user_id=charlie.pk).exists()
