"""A forgotten password where no mail is sent: asked by name, answered by the host."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts import forgotten, guests, people, suspensions
from accounts.forgetting import forget
from accounts.models import ResetRequest, User

pytestmark = pytest.mark.django_db

NEW = "trefle-et-pique-22"
ASK = "/account/password/reset/"
QUEUE = "/admin/accounts/resetrequest/"


@pytest.fixture(autouse=True)
def sends_no_mail(settings):
    settings.SENDS_MAIL = False


@pytest.fixture
def host(db):
    return signed_in(User.objects.create_superuser("hote", password="x"))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def helper(*rights):
    user = User.objects.create_user("aide", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return signed_in(user)


def names():
    return [one.user.username for one in forgotten.waiting()]


def test_the_host_makes_the_link_in_one_click_and_it_opens_the_account(client, host, alice):
    client.post(ASK, {"username": "Alice"})
    for page in ("/admin/", QUEUE):
        shown = host.get(page).content.decode()
        (button,) = re.findall(r'formaction="([^"]*/reset-link/)"', shown)
    answer = host.post(button).content.decode()
    link = re.search(r"http://testserver(/account/password/reset/key/[^\"]+)", answer)[1]
    assert names() == []
    client.post(client.get(link)["Location"], {"password1": NEW})
    assert User.objects.get(pk=alice.pk).check_password(NEW)


def test_nobody_is_told_whether_a_name_is_known(client, alice):
    guests.arrive("passant")
    answers = [client.post(ASK, {"username": name}, follow=True)
               for name in ("alice", "personne", "passant")]  # fmt: skip
    pages = {re.sub(r"value=\"[^\"]+\"", "", one.content.decode()) for one in answers}
    assert len(pages) == 1
    assert names() == ["alice"]


def test_asking_is_limited_by_name_however_it_is_spelled(client, alice):
    spelled = ["alice", "ALICE", "Alice", "aLice"]
    assert [client.post(ASK, {"username": one}).status_code for one in spelled] == [
        302, 302, 302, 429,
    ]  # fmt: skip
    assert ResetRequest.objects.count() == 1


def test_a_request_is_kept_for_some_days(alice, bob):
    forgotten.ask("alice")
    ResetRequest.objects.update(asked_at=timezone.now() - forgotten.WAITS + timedelta(minutes=1))
    assert names() == ["alice"]
    ResetRequest.objects.update(asked_at=timezone.now() - forgotten.WAITS)
    assert names() == []
    forgotten.ask("bob")
    assert ResetRequest.objects.get().user == bob


def test_whoever_is_in_again_waits_no_more(client, alice, bob, charlie):
    for name in ("alice", "bob", "charlie"):
        forgotten.ask(name)
    client.post("/account/login/", {"login": "alice", "password": "violette-et-bois-mort-7"})
    people.set_password(bob, NEW)
    assert names() == ["charlie"]
    suspensions.suspend([charlie], "Triche")
    assert names() == []
    forget(charlie.pk)
    assert not ResetRequest.objects.exists()


def test_a_request_nobody_stands_behind_is_dropped_and_written_down(host, alice):
    forgotten.ask("alice")
    assert host.get(f"{QUEUE}{alice.pk}/dismiss/").status_code == 404
    assert names() == ["alice"]
    assert host.post(f"{QUEUE}{alice.pk}/dismiss/")["Location"] == QUEUE
    assert names() == []
    assert LogEntry.objects.get().object_id == str(alice.pk)


def test_staff_see_those_whom_they_may_help(alice):
    User.objects.create_superuser("hote", password="x")
    forgotten.ask("alice")
    forgotten.ask("hote")
    helping = helper("change_user")
    for page in ("/admin/", QUEUE):
        shown = helping.get(page).content.decode()
        assert f"/{alice.pk}/reset-link/" in shown
        assert shown.count("/reset-link/") == 1
    hosts = User.objects.get(username="hote").pk
    assert helping.post(f"{QUEUE}{hosts}/dismiss/").status_code == 404


def test_other_staff_see_nobody(alice):
    forgotten.ask("alice")
    reading = helper("view_user")
    assert "reset-link" not in reading.get("/admin/").content.decode()
    assert reading.get(QUEUE).status_code == 403
    assert reading.post(f"{QUEUE}{alice.pk}/dismiss/").status_code == 404


def test_the_database_keeps_one_request_a_person(alice):
    forgotten.ask("alice")
    with pytest.raises(IntegrityError, match=r"one_forgotten|UNIQUE"), transaction.atomic():
        ResetRequest.objects.create(user=alice, asked_at=timezone.now())
