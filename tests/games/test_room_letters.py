"""Letters that a friend invites into a room: once an invitation, to those who asked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.core import mail
from django.utils import timezone

from accounts import letters
from accounts.models import User
from games import friends, room_letters, rooms, tasks
from games.models import Member, RoomInvitation

pytestmark = pytest.mark.django_db


@pytest.fixture
def own_room(alice, bob, settings):
    """Alice may invite bob, who has an address and asked for letters."""
    settings.SITE_URL, settings.WRITES_LETTERS = "https://rami.example", True
    friends.ask(alice.pk, "bob")
    friends.accept(bob.pk, alice.pk)
    User.objects.filter(pk=bob.pk).update(email="bob@example.org", email_confirmed=True)
    letters.wish(bob.pk, on=True, kind=letters.Kind.ROOMS)
    return rooms.open_room(alice.pk, "<Salle>", {"preset": "complete"})


@pytest.fixture
def invited(own_room, alice, bob):
    friends.invite(own_room, alice.pk, bob.pk)
    return own_room


def later(ago=room_letters.WRITTEN_AFTER):
    """The sweep, once the invitations are as old as this."""
    RoomInvitation.objects.update(at=timezone.now() - ago)
    mail.outbox.clear()
    tasks.sweep_notices()
    return [letter.to for letter in mail.outbox]


def test_a_friend_is_written_to_once_an_invitation(invited, alice, bob):
    assert later() == [["bob@example.org"]]
    assert later() == []
    (one,) = friends.invited(bob.pk)
    tasks.tell_invitation(one.pk)
    assert len(mail.outbox) == 0
    friends.answer(one.pk, bob.pk, come=False)
    friends.invite(invited, alice.pk, bob.pk)
    assert later() == [["bob@example.org"]]


def test_not_at_once_nor_long_after(invited):
    assert later(timedelta()) == []
    assert later(room_letters.LATELY + timedelta(minutes=1)) == []


@pytest.mark.parametrize("lacking", ["wish", "address", "account", "invitation", "inviter"])
def test_nobody_else_is_written_to(lacking, invited, alice, bob):
    if lacking == "wish":
        letters.wish(bob.pk, on=True)  # about turns alone
        letters.wish(bob.pk, on=False, kind=letters.Kind.ROOMS)
    elif lacking == "address":
        User.objects.update(email_confirmed=False)
    elif lacking == "account":
        User.objects.filter(pk=bob.pk).update(is_active=False)
    elif lacking == "invitation":
        RoomInvitation.objects.all().delete()
    else:
        Member.objects.filter(user=alice).delete()
    assert later() == []


def test_a_person_gets_a_bounded_number_of_letters_a_day(invited, alice, bob, monkeypatch):
    monkeypatch.setattr(room_letters, "LETTERS_A_DAY", 1)
    other = rooms.open_room(alice.pk, "Autre salle", {"preset": "complete"})
    friends.invite(other, alice.pk, bob.pk)
    assert later() == [["bob@example.org"]]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("fr", "alice vous invite dans"), ("en", "alice invites you into")],
)
def test_a_letter_speaks_the_reader_s_language_and_says_how_to_end_it(
    language, sentence, invited, bob
):
    User.objects.filter(pk=bob.pk).update(language=language)
    later()
    (letter,) = mail.outbox
    ((page, kind),) = letter.alternatives
    assert kind == "text/html"
    assert "&lt;Salle&gt;" in page
    assert "<Salle>" in letter.body
    stop = letter.extra_headers["List-Unsubscribe"].strip("<>")
    for text in (letter.subject, letter.body, page):
        assert sentence in text
    for text in (letter.body, page):
        assert "https://rami.example/" in text
        assert stop in text


@pytest.mark.django_db(transaction=True)
def test_scaled_a_task_is_rung_for_a_new_invitation_alone(
    own_room, alice, bob, settings, monkeypatch
):
    settings.EMBEDDED = False
    rung = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_more: rung.append(args))
    for _twice in range(2):
        friends.invite(own_room, alice.pk, bob.pk)
    assert rung == [[RoomInvitation.objects.get().pk]]


def test_the_account_page_asks_for_each_kind(client, own_room, bob):
    client.force_login(bob)
    page = client.get("/account/").content.decode()
    assert 'name="rooms" checked>' in page
    assert 'name="turns">' in page
    client.post("/account/letters/", {"turns": "on"})
    assert letters.wanted(bob.pk) == {"turns"}
    client.post(letters.ending_path(bob.pk))
    assert letters.wanted(bob.pk) == set()
