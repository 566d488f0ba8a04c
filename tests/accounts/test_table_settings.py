"""How somebody wants to see a table: kept in the account, the same on every device."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError
from django.template import Context, Template
from django.test import Client, RequestFactory

from accounts import people
from accounts.models import TableSettings

CHOSEN = {"deck4": True, "large": False, "french": True, "sounds": False, "animation": False}


def ticked(client: Client, **headers: str):
    """Send the form of the account page with these boxes ticked."""
    return client.post("/account/table/", {"deck4": "on", "french": "on"}, headers=headers)


def boxes(client: Client) -> list[str]:
    """The boxes of the table that are ticked on the account page."""
    ticked = r'<input type="checkbox" name="(\w+)"[^>]* checked'
    return re.findall(ticked, client.get("/account/").text)


def marks_for(user) -> str:
    """What the page of a table says of the reader's wishes."""
    request = RequestFactory().get("/")
    request.user = user
    return Template("{% load looks %}<html{% table_settings %}>").render(
        Context({"request": request})
    )


@pytest.mark.django_db
def test_what_alice_ticks_is_hers_on_every_device(client, alice, bob, charlie):
    client.force_login(alice)
    assert ticked(client).url == "/account/"
    assert marks_for(alice) == (
        '<html data-kept data-deck="4" data-courts="french" data-animation="off">'
    )
    elsewhere = Client()
    elsewhere.force_login(alice)
    assert boxes(elsewhere) == ["deck4", "french"]
    for other in (bob, charlie):
        assert marks_for(other) == "<html>"


@pytest.mark.django_db
def test_the_table_itself_hears_that_it_is_kept_and_gets_no_page(client, alice):
    client.force_login(alice)
    answer = ticked(client, accept="application/json")
    assert (answer.status_code, answer.content) == (204, b"")
    people.choose_table_settings(alice.pk, {**CHOSEN, "large": True})
    assert TableSettings.objects.get().large  # chosen again, kept once


@pytest.mark.django_db
def test_nobody_who_is_signed_out_changes_anything(client, alice):
    assert "/account/login/" in ticked(client).url
    client.force_login(alice)
    assert client.get("/account/table/").status_code == 405
    assert not TableSettings.objects.exists()


@pytest.mark.django_db
def test_before_the_first_choice_the_usual_table_is_ticked(client, alice):
    client.force_login(alice)
    assert boxes(client) == ["animation"]
    assert marks_for(alice) == "<html>"


@pytest.mark.django_db
def test_the_database_keeps_the_settings_of_the_table_once_a_person(alice):
    TableSettings.objects.create(user=alice)
    with pytest.raises(IntegrityError, match=r"user_id|settings_of_the_table_once_a_person"):
        TableSettings.objects.create(user=alice)
