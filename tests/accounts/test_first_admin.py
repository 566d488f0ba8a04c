"""The one-time link that makes the host's superuser."""

from __future__ import annotations

import threading
from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts import people
from accounts.models import FirstAdminLink, User

PASSWORD = "violette-et-bois-mort-7"


def printed(*args):
    out = StringIO()
    call_command("first_admin_link", *args, stdout=out)
    return out.getvalue()


def path_of(line):
    """The link without its host, which depends on SITE_URL."""
    path = urlsplit(line.strip()).path
    assert path.startswith("/first-admin/")
    return path


def choose(client, path, name="Hôte", password=PASSWORD):
    return client.post(path, {"username": name, "password": password})


@pytest.mark.django_db
def test_the_host_follows_the_link_and_runs_the_site(client):
    path = path_of(printed("--base", "http://localhost:8000"))
    assert client.get(path).status_code == 200
    assert choose(client, path)["Location"] == "/account/two-steps/"  # before anything else
    host = get_user(client)
    assert (host.username, host.is_superuser, host.is_staff) == ("Hôte", True, True)
    assert client.get("/admin/").status_code == 200
    assert printed() == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("site_url", "base"),
    [("", "http://localhost:8000"), ("https://rami.example", "https://rami.example")],
)
def test_the_link_leads_where_the_site_answers(site_url, base, settings):
    settings.SITE_URL = site_url
    assert printed().startswith(f"{base}/first-admin/")
    assert printed("--base", "http://10.0.0.2:9").startswith("http://10.0.0.2:9/first-admin/")


@pytest.mark.django_db
def test_looking_at_the_page_does_not_spend_the_link(client):
    path = path_of(printed())
    for _ in range(3):
        assert client.get(path).status_code == 200


@pytest.mark.django_db
def test_a_used_link_is_dead_even_when_the_superuser_is_gone(client):
    path = path_of(printed())
    choose(client, path)
    User.objects.update(is_superuser=False)
    assert choose(type(client)(), path, "Autre").status_code == 404
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_every_link_dies_when_there_is_a_superuser(client, alice):
    first, second = path_of(printed()), path_of(printed())
    choose(client, first)
    assert choose(type(client)(), second, "Autre").status_code == 404
    assert User.objects.filter(is_superuser=True).count() == 1


@pytest.mark.django_db
def test_a_link_dies_after_half_an_hour(client):
    path = path_of(printed())
    FirstAdminLink.objects.update(made_at=timezone.now() - people.FIRST_ADMIN_LINK_LASTS)
    assert client.get(path).status_code == 404
    assert choose(client, path).status_code == 404
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("bend", [lambda s: s[:-1], lambda s: s + "A", lambda s: s.swapcase()])
def test_a_bent_link_is_dead(client, bend):
    head, token, _ = path_of(printed()).rsplit("/", 2)
    assert choose(client, f"{head}/{bend(token)}/").status_code == 404
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_link_itself_is_not_stored(client):
    token = path_of(printed()).split("/")[2]
    assert token not in FirstAdminLink.objects.get().token_hash


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "password"),
    [("alice", PASSWORD), ("ALICE", PASSWORD), ("x", PASSWORD), ("Hôte", "12345678"), ("Hôte", "")],
)
def test_a_refused_name_or_password_leaves_the_link_alive(client, alice, name, password):
    path = path_of(printed())
    assert choose(client, path, name, password).status_code == 200
    assert not User.objects.filter(is_superuser=True).exists()
    assert choose(client, path).status_code == 302


@pytest.mark.django_db
def test_a_name_lost_in_the_same_instant_leaves_the_link_alive(alice):
    token = people.make_first_admin_link()
    with pytest.raises(people.NameTaken):
        people.make_first_admin(token, "ALICE", PASSWORD)
    assert people.is_first_admin_link(token)


@pytest.mark.django_db(transaction=True)
def test_a_player_signed_in_here_is_signed_out_first(client, alice, monkeypatch):
    rung = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    client.force_login(alice)
    choose(client, path_of(printed()))
    host = get_user(client)
    assert host.username == "Hôte"
    assert f"user.{alice.pk}" in rung


@pytest.mark.django_db
@pytest.mark.parametrize("base", ["localhost:8000", "ftp://x", "javascript:alert(1)"])
def test_an_odd_base_is_refused(base):
    with pytest.raises(CommandError):
        printed("--base", base)


@pytest.mark.django_db
def test_the_link_names_the_address_people_type(settings):
    settings.SITE_URL = "https://rami.example"
    assert printed().startswith("https://rami.example/first-admin/")


@pytest.mark.django_db(transaction=True)
def test_two_links_used_at_the_same_instant_make_one_superuser():
    tokens = [people.make_first_admin_link() for _ in range(4)]
    ready, outcomes = threading.Barrier(len(tokens)), []

    def use(number, token):
        ready.wait()
        try:
            people.make_first_admin(token, f"hote {number}", PASSWORD)
            outcomes.append("made")
        except people.DeadLink:
            outcomes.append("dead")
        finally:
            connection.close()

    hands = [threading.Thread(target=use, args=pair) for pair in enumerate(tokens)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert sorted(outcomes) == ["dead", "dead", "dead", "made"]
    assert User.objects.filter(is_superuser=True).count() == 1
