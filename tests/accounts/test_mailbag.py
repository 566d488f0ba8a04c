"""Letters on their way: a mail server that hangs, a real one on this machine, holds no page up."""

from __future__ import annotations

import contextlib
import socket

import pytest

from accounts import mailbag
from tests.processes import wait_until

pytestmark = pytest.mark.django_db

A_MOMENT = 20  # seconds, for what comes at once


@pytest.fixture
def hanging(settings):
    """A site whose mail server takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = A_MOMENT
        settings.SENDS_MAIL = settings.CARRIES_LETTERS = True
        yield server


def end(server):
    """The server gives up on whoever is connected, until no letter waits."""

    def refuse():
        with contextlib.suppress(TimeoutError):  # nobody has connected yet
            server.accept()[0].close()
        return not mailbag.waiting()

    wait_until(refuse, A_MOMENT, "letters to be given up")


def ask(client, address):
    answer = client.post("/account/password/reset/", {"email": address})
    return answer.status_code, answer["Location"]


def test_a_page_waits_for_no_mail_server_and_tells_nobody_who_is_known(
    hanging, client, alice, caplog
):
    alice.email = "alice@example.org"
    alice.save(update_fields=["email"])
    known, unknown = ask(client, alice.email), ask(client, "personne@example.org")
    assert known == unknown == (302, "/account/password/reset/done/")
    assert mailbag.waiting() == 2  # the pages are there, and nothing has left
    end(hanging)
    assert "account/email/password_reset_key could not be sent" in caplog.text
    assert "account/email/unknown_account could not be sent" in caplog.text
    assert "example.org" not in caplog.text


def test_signing_up_waits_for_no_mail_server_either(hanging, client):
    person = {"username": "charlie", "password1": "violette-et-bois", "email": "c@example.org"}
    assert client.post("/account/signup/", person).status_code == 302
    assert mailbag.waiting() == 1
    end(hanging)


def test_more_letters_than_are_kept_are_said_not_to_have_left(
    hanging, client, alice, monkeypatch, caplog
):
    monkeypatch.setattr(mailbag._bag, "maxsize", 1)
    for number in range(3):  # one under way, one behind it at most
        ask(client, f"personne{number}@example.org")
    assert mailbag.waiting() <= 2
    assert "too many letters wait" in caplog.text
    end(hanging)
