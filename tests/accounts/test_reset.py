"""A forgotten password: by mail, without mail, and what a link may do."""

from __future__ import annotations

import re
import smtplib
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail.backends.locmem import EmailBackend

from accounts import forgotten, people
from accounts.models import User

NEW = "trefle-et-pique-22"


@pytest.fixture
def alice(alice):
    alice.email = "alice@example.org"
    alice.save()
    return alice


@pytest.fixture
def post(settings):
    """A site that sends mail."""
    settings.SENDS_MAIL = True
    return settings


def ask(client, email="alice@example.org"):
    return client.post("/account/password/reset/", {"email": email})


def link_in(mail):
    return re.search(r"https?://[^/]+(/account/password/reset/key/\S+)", mail.body)[1]


def follow(client, path, password=NEW):
    """Open the link and choose a password, as a browser would."""
    form = client.get(path)
    assert form.status_code == 302, "the link was refused"
    assert "set-password" in form["Location"]
    return client.post(form["Location"], {"password1": password})


@pytest.mark.django_db
def test_the_link_in_the_mail_chooses_a_new_password(client, alice, post, mailoutbox):
    assert ask(client, "ALICE@Example.org")["Location"] == "/account/password/reset/done/"
    (mail,) = mailoutbox
    assert mail.to == ["alice@example.org"]
    ((page, kind),) = mail.alternatives
    assert kind == "text/html"
    assert link_in(mail) in page
    assert 'lang="fr"' in page
    assert "alice" in mail.body
    done = follow(client, link_in(mail))
    assert done["Location"] == "/account/password/reset/key/done/"
    assert User.objects.get(pk=alice.pk).check_password(NEW)


@pytest.mark.django_db
def test_a_link_works_once(client, alice, post, mailoutbox):
    ask(client)
    path = link_in(mailoutbox[0])
    follow(client, path)
    again = client.get(path)
    assert again.status_code == 200
    assert again.context["token_fail"]


@pytest.mark.django_db
def test_a_link_dies_with_the_address_it_was_sent_to(client, alice, post, mailoutbox):
    ask(client)
    alice.email = "ailleurs@example.org"
    alice.save()
    assert client.get(link_in(mailoutbox[0])).context["token_fail"]


@pytest.mark.django_db
def test_a_link_dies_after_a_day(client, alice, post, mailoutbox, monkeypatch):
    ask(client)
    now = datetime.now()
    monkeypatch.setattr(
        PasswordResetTokenGenerator, "_now", lambda self: now + timedelta(hours=24, minutes=1)
    )
    assert client.get(link_in(mailoutbox[0])).context["token_fail"]


@pytest.mark.django_db
def test_a_link_bent_to_somebody_else_is_refused(client, alice, bob):
    path = people.reset_path(alice)
    bent = re.sub(r"/key/[0-9a-z]+-", f"/key/{bob.pk}-", path)
    assert bent != path
    assert client.get(bent).context["token_fail"]


@pytest.mark.django_db
def test_an_unknown_address_gets_the_same_answer(client, alice, post, mailoutbox):
    known, unknown = ask(client), ask(client, "personne@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"], ["personne@example.org"]]
    assert "/reset/key/" not in mailoutbox[1].body


@pytest.mark.django_db
def test_a_mail_server_that_fails_does_not_tell_who_is_known(client, alice, post, monkeypatch):
    def fail(self, messages):
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    assert ask(client).status_code == 302
    assert ask(client, "personne@example.org").status_code == 302


@pytest.mark.django_db
def test_the_mail_leads_to_the_sites_own_address(client, alice, post, mailoutbox):
    post.SITE_URL, post.ALLOWED_HOSTS = "https://rami.example", ["*"]
    client.post(
        "/account/password/reset/", {"email": alice.email}, headers={"host": "evil.example"}
    )
    assert "https://rami.example/account/password/reset/key/" in mailoutbox[0].body
    assert "evil.example" not in mailoutbox[0].body


@pytest.mark.django_db
def test_the_mail_speaks_the_language_of_its_reader(client, alice, post, mailoutbox):
    alice.language = "en"
    alice.save()
    ask(client)
    assert "Hello alice" in mailoutbox[0].body


@pytest.mark.django_db
def test_mail_to_one_address_is_limited(client, alice, post, mailoutbox):
    answers = [ask(client).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]
    assert len(mailoutbox) == 3


@pytest.mark.django_db
def test_without_a_mail_server_the_host_sees_who_asks_and_nothing_is_sent(
    client, alice, settings, mailoutbox, capsys
):
    settings.SENDS_MAIL = False
    page = client.get("/account/password/reset/")
    assert 'name="email"' not in page.content.decode()
    answer = client.post("/account/password/reset/", {"username": "ALICE"}, follow=True)
    assert "hôte de ce site voit" in answer.content.decode()
    assert [one.user for one in forgotten.waiting()] == [alice]
    assert mailoutbox == []
    assert "/reset/key/" not in "".join(capsys.readouterr())


@pytest.mark.django_db(transaction=True)
def test_a_reset_ends_the_sessions_and_rings(client, alice, monkeypatch):
    rung = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    elsewhere = type(client)()
    elsewhere.force_login(alice)
    follow(client, people.reset_path(User.objects.get(pk=alice.pk)))
    assert rung == [f"user.{alice.pk}"]
    assert elsewhere.get("/account/").status_code == 302
