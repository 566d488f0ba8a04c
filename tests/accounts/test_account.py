"""One's own account page."""

from __future__ import annotations

import time

import pytest

from accounts.models import User

PASSWORD = "violette-et-bois-mort-7"


def keep(client, **changes):
    data = {"username": "alice", "email": "", "language": "fr", "password": "", **changes}
    return client.post("/account/", data)


@pytest.fixture
def signed_in(client, alice):
    client.force_login(alice)
    return client


@pytest.mark.django_db
def test_a_stranger_is_sent_to_sign_in_and_back(client):
    assert client.get("/account/")["Location"] == "/account/login/?next=/account/"


@pytest.mark.django_db
def test_a_name_can_be_changed_to_another_spelling_of_itself(signed_in, alice):
    assert keep(signed_in, username="Alice").status_code == 302
    alice.refresh_from_db()
    assert alice.username == "Alice"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["BOB", "ｂｏｂ", " bob"])
def test_a_name_cannot_be_changed_to_somebody_elses(signed_in, alice, bob, name):
    answer = keep(signed_in, username=name)
    assert answer.context["form"].errors["username"]
    alice.refresh_from_db()
    assert alice.username == "alice"


@pytest.mark.django_db
def test_the_page_greets_by_the_kept_name_when_the_new_one_is_refused(signed_in, bob):
    answer = keep(signed_in, username="bob")
    assert answer.context["user"].username == "alice"


@pytest.mark.django_db
def test_a_new_address_asks_for_the_password(signed_in, alice):
    for password in ("", "faux"):
        answer = keep(signed_in, email="neuf@example.org", password=password)
        assert answer.context["form"].errors["password"]
    alice.refresh_from_db()
    assert alice.email == ""
    assert keep(signed_in, email="Neuf@Example.org", password=PASSWORD).status_code == 302
    alice.refresh_from_db()
    assert alice.email == "neuf@example.org"


@pytest.mark.django_db
def test_the_account_page_is_no_way_round_the_limit_of_guesses(signed_in, alice):
    for n in range(8):
        keep(signed_in, email="neuf@example.org", password=f"faux{n}")
    answer = keep(signed_in, email="neuf@example.org", password=PASSWORD)
    assert answer.status_code == 200
    assert User.objects.get(pk=alice.pk).email == ""


@pytest.mark.django_db
def test_the_chosen_language_is_kept_and_spoken(signed_in, alice):
    assert keep(signed_in, language="en").cookies["django_language"].value == "en"
    alice.refresh_from_db()
    assert alice.language == "en"
    assert 'lang="en"' in signed_in.get("/account/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("extra", ["is_superuser", "is_staff", "is_active", "name_key"])
def test_the_page_changes_nothing_it_does_not_show(signed_in, alice, extra):
    keep(signed_in, **{extra: "on"})
    alice.refresh_from_db()
    assert (alice.is_superuser, alice.is_staff, alice.is_active) == (False, False, True)
    assert alice.name_key == "alice"


STACKED = "a" + "\u0345\u0301\u0316" * 100_000  # tidying it would take minutes


@pytest.mark.django_db
@pytest.mark.parametrize("door", ["/account/", "/account/login/", "/account/signup/"])
def test_a_name_of_endless_accents_takes_no_time(door, client, alice):
    if door == "/account/":
        client.force_login(alice)
    data = {"username": STACKED, "login": STACKED, "password": "x", "password1": PASSWORD}
    before = time.process_time()
    assert client.post(door, data).status_code == 200
    assert time.process_time() - before < 5
