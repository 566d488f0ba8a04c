"""The time zone somebody chooses, and who they let see their page."""

from __future__ import annotations

import zoneinfo

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import people, zones
from accounts.models import User
from tests.accounts.test_account import keep

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client, alice):
    client.cookies["django_language"] = "en"
    client.force_login(alice)
    return client


def stored(person):
    person.refresh_from_db()
    return person.time_zone


def test_a_zone_is_chosen_on_the_account_page(signed_in, alice):
    assert keep(signed_in, time_zone="Pacific/Auckland").status_code == 302
    assert stored(alice) == "Pacific/Auckland"
    assert b'value="Pacific/Auckland"' in signed_in.get("/account/").content
    assert keep(signed_in, time_zone="").status_code == 302
    assert stored(alice) == ""


@pytest.mark.parametrize(
    "zone", ["Europe/Pariss", "../etc/passwd", "localtime", "x" * 65, "posix/UTC"]
)
def test_what_is_no_zone_is_refused_with_a_sentence(signed_in, alice, zone):
    answer = keep(signed_in, time_zone=zone)
    assert answer.context["form"].errors["time_zone"]
    answer = signed_in.post("/account/zone/", {"zone": zone}, follow=True)
    assert "This time zone is not known here." in answer.content.decode()
    assert stored(alice) == ""


def test_every_zone_that_can_be_chosen_can_be_used():
    assert {"Europe/Paris", "Pacific/Auckland", "UTC"} <= zones.known()
    assert all(zones.zone(name) for name in zones.known())
    assert max(map(len, zones.known())) <= zones.LONGEST
    assert zones.zone("") is None


def test_the_zone_a_page_offers_is_kept_and_leads_back_there(signed_in, alice):
    there = {"zone": "Asia/Tokyo", "next": "/rooms/?x=1"}
    assert signed_in.post("/account/zone/", there).headers["Location"] == "/rooms/?x=1"
    assert stored(alice) == "Asia/Tokyo"
    for nowhere in ("https://evil.example/", "//evil.example", "a b", "rules", "\r\nX: y", ""):
        away = {"zone": "Asia/Tokyo", "next": nowhere}
        assert signed_in.post("/account/zone/", away).headers["Location"] == "/account/"


def test_nobody_chooses_for_somebody_else(client, alice):
    assert client.post("/account/zone/", {"zone": "Asia/Tokyo"}).status_code == 302
    assert stored(alice) == ""


def zone_of_pages(client, monkeypatch):
    """The zone in which a page is made for this browser."""
    seen = []
    real = timezone.get_current_timezone
    monkeypatch.setattr("accounts.people.table_settings_of", lambda _id: seen.append(str(real())))
    client.get("/account/")
    return seen[-1]


def test_pages_are_made_in_the_zone_of_their_reader(signed_in, client, alice, monkeypatch):
    assert zone_of_pages(signed_in, monkeypatch) == settings.TIME_ZONE
    people.choose_time_zone(alice.pk, "Pacific/Auckland")
    assert zone_of_pages(signed_in, monkeypatch) == "Pacific/Auckland"
    assert str(timezone.get_current_timezone()) == settings.TIME_ZONE


def test_a_zone_the_tables_have_dropped_is_the_zone_of_the_site(signed_in, alice, monkeypatch):
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Atlantis")
    assert zone_of_pages(signed_in, monkeypatch) == settings.TIME_ZONE
    assert zoneinfo.ZoneInfo(settings.TIME_ZONE)


def test_a_page_is_for_those_one_played_with_until_somebody_says_otherwise(signed_in, alice):
    assert alice.pages_for == "played"
    for pages_for in ("nobody", "everyone"):
        assert keep(signed_in, pages_for=pages_for).status_code == 302
        alice.refresh_from_db()
        assert alice.pages_for == pages_for
    assert keep(signed_in).status_code == 302
    alice.refresh_from_db()
    assert alice.pages_for == "everyone"
    assert keep(signed_in, pages_for="friends").context["form"].errors["pages_for"]


def test_the_database_knows_no_other_choice(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(pages_for="friends")
