"""Who wants letters about their turns, and the link that ends them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import letters
from accounts.models import LetterWish

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(alice):
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(alice)
    return client


@pytest.fixture
def sends_mail(settings):
    settings.WRITES_LETTERS = True
    settings.SITE_URL = "https://rami.example"


def test_nobody_gets_letters_who_did_not_ask(browser, sends_mail, alice, bob):
    assert not letters.wants(alice.pk)
    page = browser.get("/account/").content.decode()
    assert 'name="turns">' in page
    assert "give an e-mail address above first" in page
    browser.post("/account/letters/", {"turns": "on"})
    assert letters.wants(alice.pk)
    assert not letters.wants(bob.pk)
    assert 'name="turns" checked>' in browser.get("/account/").content.decode()
    browser.post("/account/letters/")
    assert not letters.wants(alice.pk)


def test_a_site_that_sends_no_mail_offers_none(browser):
    assert 'name="turns"' not in browser.get("/account/").content.decode()


def test_a_wish_is_kept_once(alice):
    for _ in range(2):
        letters.wish(alice.pk, on=True)
    assert LetterWish.objects.count() == 1
    with pytest.raises(IntegrityError, match=r"once_a_person|UNIQUE"), transaction.atomic():
        LetterWish.objects.create(user=alice)


def test_opening_the_link_ends_nothing_and_its_button_does(alice, bob):
    for person in (alice, bob):
        letters.wish(person.pk, on=True)
    client = Client()
    client.cookies["django_language"] = "en"
    address = letters.ending_path(alice.pk)
    page = client.get(address).content.decode()
    assert "Write to me no more" in page
    assert letters.wants(alice.pk)
    for _ in range(2):
        page = client.post(address).content.decode()
        assert "alice, we no longer write to you" in page
    assert not letters.wants(alice.pk)
    assert letters.wants(bob.pk)


@pytest.mark.parametrize("token", ["1", "1:x", "x:y:z", "%F0%9F%83%8F"])
def test_a_link_that_is_none_of_ours_ends_nothing(token, alice):
    letters.wish(alice.pk, on=True)
    for client in (Client(), Client(enforce_csrf_checks=True)):
        assert client.get(f"/account/letters/stop/{token}/").status_code == 404
        assert client.post(f"/account/letters/stop/{token}/").status_code == 404
    assert letters.wants(alice.pk)


def test_the_link_of_an_account_that_is_gone_leads_nowhere(alice):
    address = letters.ending_path(alice.pk)
    alice.delete()
    assert Client().get(address).status_code == 404
