"""Letters about turns in games of one move a day: to whom, when, once, and what is in them."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import letters
from games import dealing, notices, presence, table, tasks
from games.models import Clock, Room, TurnNotice
from games.presence import Spot
from tests.games.hours import Hours

pytestmark = pytest.mark.django_db

SOON = notices.WRITTEN_AFTER.total_seconds() + 1


@pytest.fixture(autouse=True)
def hours(monkeypatch):
    return Hours(monkeypatch)


@pytest.fixture(autouse=True)
def post(settings):
    """A site that can send mail."""
    settings.WRITES_LETTERS = True
    settings.SITE_URL = "https://rami.example"


@pytest.fixture
def day(waiting, alice, bob, monkeypatch):
    """Alice, seat 0, is the first to act in a game of one move a day; both want letters."""
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    for person in (alice, bob):
        person.email = f"{person.username}@example.org"
        person.email_confirmed = True
        person.save()
        letters.wish(person.pk, on=True)
    Room.objects.update(pace="day")
    table.sit_down(waiting, bob.pk)
    return waiting


def sweep(hours, seconds=SOON):
    """Let time pass, and the sweep come by; gives to whom was written."""
    hours.pass_by(seconds)
    mail.outbox.clear()
    tasks.sweep_notices()
    return [to for letter in mail.outbox for to in letter.to]


def move(table_id, person, text):
    view = table.look(table_id, person.pk)
    table.make_move(table_id, person.pk, text, tuple(view["at"]))


def test_whoever_must_act_is_written_to_once_a_turn(day, hours, alice, bob):
    assert sweep(hours) == ["alice@example.org"]
    assert sweep(hours) == []
    move(day, alice, "pass")
    assert sweep(hours) == ["bob@example.org"]
    move(day, bob, "pass")
    assert sweep(hours) == ["alice@example.org"]
    move(day, alice, "draw stock")  # still the same turn
    assert sweep(hours) == []


def test_the_task_delivered_twice_writes_once(day, hours):
    hours.pass_by(SOON)
    clock = Clock.objects.get()
    for _ in range(2):
        tasks.tell_turn(clock.pk)
    assert len(mail.outbox) == 1


def test_one_notice_a_turn_is_a_promise_of_the_database(day, hours, alice):
    sweep(hours)
    (row,) = TurnNotice.objects.all()
    with pytest.raises(IntegrityError, match=r"one_notice_a_turn|UNIQUE"), transaction.atomic():
        TurnNotice.objects.create(hand=row.hand, ply=row.ply, user=alice, written=True)


def test_nobody_is_written_to_who_is_at_the_table_by_then(day, hours, alice):
    hours.pass_by(SOON)
    presence.seen(day, 0, alice.pk)
    assert sweep(hours, 0) == []
    presence.left(Spot("table", day, alice.pk, plays=True))
    assert sweep(hours) == []  # they saw that it is their turn


def test_whoever_is_about_to_sit_down_or_plays_at_once_is_left_alone(day, hours, alice, bob):
    assert sweep(hours, 5) == []
    move(day, alice, "pass")
    assert sweep(hours, 5) == []
    assert sweep(hours) == ["bob@example.org"]


@pytest.mark.parametrize("lacking", ["wish", "address", "account", "day", "game"])
def test_nobody_else_is_written_to(lacking, day, hours, alice, bob):
    if lacking == "wish":
        letters.wish(alice.pk, on=False)
    elif lacking == "address":
        type(alice).objects.update(email_confirmed=False)
    elif lacking == "account":
        type(alice).objects.update(is_active=False)
    elif lacking == "day":
        Clock.objects.update(pace="relaxed")
    else:
        table.resign(day, bob.pk)
    assert sweep(hours) == []
    assert not TurnNotice.objects.exists()


def test_where_nobody_can_say_who_is_there_the_letter_waits(day, hours, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(presence, "_failed", presence.time.monotonic())
        assert sweep(hours) == []
    assert sweep(hours) == ["alice@example.org"]


def test_a_person_gets_a_bounded_number_of_letters_a_day(day, hours, monkeypatch, alice, bob):
    monkeypatch.setattr(notices, "LETTERS_A_DAY", 1)
    assert sweep(hours) == ["alice@example.org"]
    move(day, alice, "pass")
    assert sweep(hours) == ["bob@example.org"]
    move(day, bob, "pass")
    assert sweep(hours) == []


@pytest.mark.parametrize(
    ("language", "subject", "sentence"),
    [("fr", "À vous de jouer contre bob", "c’est à vous de jouer contre bob"),
     ("en", "Your turn against bob", "it is your turn against bob"),
     ("", "À vous de jouer contre bob", "c’est à vous de jouer contre bob")],
)  # fmt: skip
def test_a_letter_speaks_the_reader_s_language_and_shows_no_card(
    language, subject, sentence, day, hours, alice
):
    Room.objects.update(name="<Salle> & Cie")
    alice.language, alice.time_zone = language, "Asia/Tokyo"
    alice.save()
    sweep(hours)
    (letter,) = mail.outbox
    assert letter.subject == f"Gin Rami · {subject}"
    ((page, kind),) = letter.alternatives
    assert kind == "text/html"
    link = f"https://rami.example/tables/{day}/"
    for text in (letter.body, page):
        assert sentence in text
        assert link in text
        assert "05:00" in text or "5 a.m." in text  # tomorrow at 20 h, as read in Tokyo
    assert "“<Salle> & Cie”" in letter.body or "« <Salle> & Cie »" in letter.body.replace(
        "\u00a0", " "
    )
    assert "&lt;Salle&gt; &amp; Cie" in page
    assert not re.search(r"\b[A2-9TJQK][cdhs]\b", letter.body)


def test_one_click_ends_the_letters(day, hours, alice, bob):
    sweep(hours)
    (letter,) = mail.outbox
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    strict = Client(enforce_csrf_checks=True)  # as a mail program posts it, signed in nowhere
    path = link.removeprefix("https://rami.example")
    answer = strict.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not letters.wants(alice.pk)
    assert letters.wants(bob.pk)


def test_a_mail_server_that_fails_stops_neither_play_nor_other_letters(
    day, hours, alice, bob, monkeypatch, caplog
):
    def broken(*_args, **_more):
        raise ConnectionRefusedError("alice@example.org")

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.message.EmailMultiAlternatives.send", broken)
        assert sweep(hours) == []
    assert "ConnectionRefusedError" in caplog.text
    assert "alice@example.org" not in caplog.text
    move(day, alice, "pass")
    assert sweep(hours) == ["bob@example.org"]


# --- what rings


@pytest.fixture
def sent(monkeypatch):
    """Tasks handed to the broker."""
    found = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **more: found.append((name, args))
    )
    return found


def test_a_turn_rings_a_task_with_an_id_after_the_commit(
    day, alice, settings, sent, django_capture_on_commit_callbacks
):
    settings.EMBEDDED = False
    with django_capture_on_commit_callbacks() as callbacks:
        move(day, alice, "pass")
        assert sent == []
    for callback in callbacks:
        callback()
    assert sent == [("games.tasks.tell_turn", [Clock.objects.get().pk])]


@pytest.mark.parametrize("why", ["embedded", "no mail", "another pace"])
def test_nothing_rings_where_the_sweep_does_it_or_no_letter_is_written(
    why, day, alice, settings, sent, django_capture_on_commit_callbacks
):
    settings.EMBEDDED = why == "embedded"
    settings.WRITES_LETTERS = why != "no mail"
    if why == "another pace":
        Clock.objects.update(pace="relaxed")
    with django_capture_on_commit_callbacks(execute=True):
        move(day, alice, "pass")
    assert sent == []


def test_a_broker_that_fails_breaks_no_move(
    day, alice, bob, settings, monkeypatch, django_capture_on_commit_callbacks
):
    def broken(*_args, **_more):
        raise ConnectionError

    settings.EMBEDDED = False
    monkeypatch.setattr("celery.current_app.send_task", broken)
    with django_capture_on_commit_callbacks(execute=True):
        move(day, alice, "pass")
    assert table.look(day, bob.pk)["hand"]["legal"]
