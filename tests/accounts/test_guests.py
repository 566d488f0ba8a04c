"""Guests: they arrive under a name, are known to their browser, and stay by choosing a password."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts import guests, people
from accounts.models import User
from accounts.refusal import Refusal
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def camille():
    return guests.arrive("Camille")


@pytest.fixture
def browser(camille):
    client = Client()
    client.force_login(camille)
    return client


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


# --- arriving


def test_a_guest_has_a_name_and_no_password(camille):
    assert (camille.username, camille.is_guest) == ("Camille", True)
    assert not camille.has_usable_password()
    assert not Client().login(username="Camille", password="")


@pytest.mark.parametrize("taken", ["alice", "ALICE", "ａlice"])
def test_a_name_like_anothers_is_refused_with_a_free_one_beside_it(taken, alice):
    with pytest.raises(guests.GuestNameTaken) as refusal:
        guests.arrive(taken)
    assert refusal.value.params["free"].endswith(" 2")
    assert guests.arrive(refusal.value.params["free"]).is_guest
    assert User.objects.count() == 2


def test_the_free_name_is_one_nobody_has_and_not_too_long():
    guests.arrive("Camille")
    assert guests.neighbour("Camille") == "Camille 2"
    guests.arrive("camille 2")
    assert guests.neighbour("Camille") == "Camille 3"
    assert guests.neighbour("Camille 2") == "Camille 3"
    long = "Marie-Antoinette-Josèphe"
    guests.arrive(long)
    assert guests.arrive(guests.neighbour(long)).username == "Marie-Antoinette-Josè 2"


@pytest.mark.parametrize("name", ["", "A", " Camille", "Ca\u202emille", "Vous", "x" * 30])
def test_a_name_nobody_may_carry_is_no_guests_either(name):
    with pytest.raises(Refusal):
        guests.arrive(name)
    assert not User.objects.exists()


# --- what the database holds


@pytest.mark.parametrize(
    "wrong",
    [{"password": "pbkdf2$x"}, {"is_staff": True}, {"is_superuser": True}, {"guest_seen_at": None}],
)
def test_a_guest_has_no_password_and_no_rights_and_was_seen(wrong, camille):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=camille.pk).update(**wrong)


def test_nobody_else_is_seen_like_a_guest(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(guest_seen_at=timezone.now())


# --- staying


def test_a_guest_who_chooses_a_password_is_the_same_person_with_an_account(camille):
    stayed = guests.claim(camille.pk, PASSWORD, "Camille D.")
    assert (stayed.pk, stayed.username) == (camille.pk, "Camille D.")
    assert not User.objects.get(pk=camille.pk).is_guest
    assert Client().login(username="camille d.", password=PASSWORD)


def test_a_guest_keeps_their_name_if_they_choose_no_other(camille):
    assert guests.claim(camille.pk, PASSWORD).username == "Camille"


def test_nobody_claims_twice_nor_an_account(camille, alice):
    guests.claim(camille.pk, PASSWORD)
    for user in (camille, alice):
        with refused("no_guest"):
            guests.claim(user.pk, "autre-mot-de-passe", "Autre")
    assert not User.objects.filter(username="Autre").exists()


def test_a_claim_under_somebody_elses_name_changes_nothing(camille, alice):
    with refused("name_taken"):
        guests.claim(camille.pk, PASSWORD, "ALICE")
    kept = User.objects.get(pk=camille.pk)
    assert kept.is_guest
    assert not kept.has_usable_password()


def test_any_way_to_a_password_makes_a_guest_somebody_with_an_account(camille):
    people.set_password(camille, PASSWORD)
    assert not User.objects.get(pk=camille.pk).is_guest


# --- the page


def test_the_page_keeps_everything_and_leads_back(browser, camille):
    key = browser.session.session_key
    sent = {"username": "Camille", "password": PASSWORD, "next": "/rooms/"}
    answer = browser.post("/account/keep/", sent)
    assert (answer.status_code, answer["Location"]) == (302, "/rooms/")
    assert browser.get("/account/").status_code == 200  # still signed in, and no guest
    assert browser.session.session_key != key


@pytest.mark.parametrize("nowhere", ["https://evil.example/", "//evil.example", "rules", ""])
def test_the_page_leads_back_to_pages_of_ours_only(nowhere, browser):
    sent = {"username": "Camille", "password": PASSWORD, "next": nowhere}
    assert browser.post("/account/keep/", sent)["Location"] == "/"


@pytest.mark.parametrize(
    ("field", "sent"),
    [("password", {"password": "12345678"}), ("password", {"password": ""}),
     ("username", {"username": "alice"}), ("username", {"username": "A"})],
)  # fmt: skip
def test_what_cannot_be_kept_is_said_beside_its_field(field, sent, browser, camille, alice):
    good = {"username": "Camille", "password": PASSWORD}
    answer = browser.post("/account/keep/", {**good, **sent})
    assert answer.context["form"].errors[field]
    assert User.objects.get(pk=camille.pk).is_guest


def test_whoever_has_an_account_is_led_to_it(client, alice):
    client.force_login(alice)
    assert client.get("/account/keep/")["Location"] == "/account/"
    client.post("/account/keep/", {"username": "Autre", "password": PASSWORD})
    alice.refresh_from_db()
    assert alice.username == "alice"


# --- being known


def test_a_guest_is_seen_once_a_day_and_known_for_as_long_again(browser, camille):
    old = timezone.now() - timedelta(days=3)
    User.objects.filter(pk=camille.pk).update(guest_seen_at=old)
    answer = browser.get("/rules/")
    seen = User.objects.get(pk=camille.pk).guest_seen_at
    assert timezone.now() - seen < timedelta(minutes=1)
    assert answer.cookies["sessionid"]["max-age"] > 365 * 24 * 3600
    browser.get("/rules/")
    assert User.objects.get(pk=camille.pk).guest_seen_at == seen


def test_signing_out_warns_a_guest_and_asks_first(browser, camille):
    home = browser.get("/").content.decode()
    assert 'action="/account/logout/"' not in home
    page = browser.get("/account/logout/").content.decode()
    assert "/account/keep/" in page
    browser.post("/account/logout/")
    assert browser.get("/rooms/").status_code == 302


def test_a_guest_can_erase_themselves_without_a_password(browser, camille):
    assert browser.get("/account/delete/").status_code == 200
    assert browser.post("/account/delete/", {"sure": "yes"}).status_code == 302
    gone = User.objects.get(pk=camille.pk)
    assert (gone.is_guest, gone.is_active) == (False, False)
    assert guests.arrive("Camille").is_guest
