"""An e-mail address: optional, confirmed by whoever reads mail there, changed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import signing
from django.core.cache import cache
from django.db import IntegrityError, transaction

from accounts import addresses, people
from accounts.models import User
from tests.conftest import PASSWORD
from tests.games.pages import door, led_to, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def post(settings):
    """A site that sends mail."""
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://rami.example"
    settings.SECURE_SSL_REDIRECT = False


def give(browser, email="neuf@example.org"):
    """Change the address on the account page."""
    sent = {"username": "alice", "email": email, "language": "fr", "password": PASSWORD}
    return browser.post("/account/", sent)


def link_in(mail):
    return re.search(r"https://rami\.example(/account/address/\S+/)", mail.body)[1]


def confirmed(user):
    return User.objects.get(pk=user.pk).email_confirmed


def test_a_new_address_is_asked_whether_it_is_theirs(alice, mailoutbox):
    give(door(alice))
    (mail,) = mailoutbox
    assert mail.to == ["neuf@example.org"]
    assert mail.subject == "Gin Rami · Confirmez votre adresse"
    ((page, kind),) = mail.alternatives
    assert kind == "text/html"
    assert link_in(mail) in page
    assert not confirmed(alice)
    anybody = door()
    assert "Is neuf@example.org yours?" in read(anybody.get(link_in(mail)))
    assert not confirmed(alice)  # programs open links too
    assert led_to(anybody.post(link_in(mail))) == "/"
    assert confirmed(alice)
    assert "neuf@example.org is confirmed." in read(door(alice).get("/account/"))


def test_the_letter_speaks_the_language_of_its_reader(alice, mailoutbox):
    User.objects.filter(pk=alice.pk).update(language="en", email="a@example.org")
    alice.refresh_from_db()
    assert addresses.ask(alice, "https://rami.example")
    assert mailoutbox[0].subject == "Gin Rami · Confirm your address"


def test_signing_up_with_an_address_asks_there_and_without_one_asks_nobody(mailoutbox):
    for name, email in (("camille", "c@example.org"), ("dominique", "")):
        sent = {"username": name, "password1": PASSWORD, "email": email}
        assert door().post("/account/signup/", sent).status_code == 302
    assert [mail.to for mail in mailoutbox] == [["c@example.org"]]


def test_a_change_is_told_at_the_old_address_and_confirmed_anew(alice, mailoutbox):
    User.objects.filter(pk=alice.pk).update(email="vieux@example.org", email_confirmed=True)
    give(door(alice))
    assert [mail.to for mail in mailoutbox] == [["vieux@example.org"], ["neuf@example.org"]]
    assert "neuf@example.org" not in mailoutbox[0].body
    assert not confirmed(alice)


def test_an_administrator_s_change_is_confirmed_anew_too(alice):
    User.objects.filter(pk=alice.pk).update(email="vieux@example.org", email_confirmed=True)
    alice.refresh_from_db()
    alice.email = "Vieux@Example.org"
    people.keep(alice)
    assert confirmed(alice)  # the same, in another case
    alice.email = "autre@example.org"
    people.keep(alice)
    assert not confirmed(alice)


def test_no_address_can_be_taken_back(alice, mailoutbox):
    User.objects.filter(pk=alice.pk).update(email="vieux@example.org", email_confirmed=True)
    give(door(alice), "")
    assert User.objects.get(pk=alice.pk).email == ""
    assert [mail.to for mail in mailoutbox] == [["vieux@example.org"]]


def test_the_letter_can_be_sent_again_once_a_minute(alice, mailoutbox):
    User.objects.filter(pk=alice.pk).update(email="neuf@example.org")
    browser = door(alice)
    assert "is not confirmed yet" in read(browser.get("/account/"))
    for _press in range(3):
        said = read(browser.post("/account/address/", follow=True))
    assert "A letter left already" in said
    assert len(mailoutbox) == 1
    cache.clear()
    browser.post("/account/address/")
    assert len(mailoutbox) == 2


@pytest.mark.parametrize("change", [{"email": "autre@example.org"}, {"is_active": False}])
def test_a_link_that_was_overtaken_is_dead(change, alice, mailoutbox):
    give(door(alice))
    User.objects.filter(pk=alice.pk).update(**change)
    assert door().post(link_in(mailoutbox[0])).status_code == 404
    assert not confirmed(alice)


def test_a_link_is_dead_after_three_days_or_bent(alice, mailoutbox, monkeypatch):
    give(door(alice))
    link = link_in(mailoutbox[0])
    assert door().post(link[:-2] + "/").status_code == 404
    later = signing.time.time() + addresses.LASTS.total_seconds() + 1
    monkeypatch.setattr(signing.time, "time", lambda: later)
    assert door().post(link).status_code == 404


def test_a_link_of_another_kind_confirms_nothing(alice):
    User.objects.filter(pk=alice.pk).update(email="a@example.org")
    for salt in ("the link that ends letters", "x"):
        other = signing.TimestampSigner(salt=salt).sign_object([alice.pk, "a@example.org"])
        assert addresses.person_of(other) is None


def test_a_site_that_sends_no_mail_asks_nobody(alice, mailoutbox, settings):
    settings.SENDS_MAIL = False
    browser = door(alice)
    give(browser)
    browser.post("/account/address/")
    assert mailoutbox == []
    assert "confirmed" not in read(browser.get("/account/"))


def test_the_database_confirms_no_empty_address(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(email="", email_confirmed=True)


def test_links_last_as_long_as_the_letter_says():
    assert timedelta(days=3) == addresses.LASTS


@pytest.fixture
def no_minute(monkeypatch):
    """As if more than a minute lay between any two letters."""
    monkeypatch.setattr(addresses, "A_LETTER_EACH", 0)


def test_nobody_is_flooded_by_somebody_who_changes_their_address_to_and_fro(
    alice, mailoutbox, no_minute
):
    browser = door(alice)
    for _ in range(8):
        give(browser, "victime@example.org")
        give(browser, "autre@example.org")
    assert len(mailoutbox) == addresses.LETTERS_A_DAY


def test_nobody_is_flooded_by_many_who_say_the_address_is_theirs(mailoutbox, no_minute):
    for number in range(13):
        user = User.objects.create_user(f"Foule {number}", email="Victime@example.org")
        addresses.ask(user, "https://rami.example")
    assert len(mailoutbox) == addresses.LETTERS_A_DAY
