"""Talk on pages: said without script, and reports in the administration."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games import talk
from games.models import Message, Mute, Report, Room

pytestmark = pytest.mark.django_db


def browser_of(person):
    browser = Client()
    browser.force_login(person)
    return browser


def test_a_line_is_said_and_read_without_script(room_id, alice, bob):
    browser = browser_of(bob)
    answer = browser.post(f"/rooms/{room_id}/say/", {"text": "<i>Bonsoir</i>"}, follow=True)
    assert answer.redirect_chain == [(f"/rooms/{room_id}/#talk", 302)]
    assert "&lt;i&gt;Bonsoir&lt;/i&gt;" in answer.content.decode()
    talk.mute(alice.pk, bob.pk, True)
    assert "Bonsoir" not in browser_of(alice).get(f"/rooms/{room_id}/").content.decode()


@pytest.mark.parametrize("text", ["", "\x00\u202e", "x" * 501, "x" * 100_000])
def test_what_cannot_be_said_is_answered_on_the_room_s_page(text, room_id, bob):
    answer = browser_of(bob).post(f"/rooms/{room_id}/say/", {"text": text}, follow=True)
    assert answer.status_code == 200
    assert len(list(answer.context["messages"])) == 1
    assert not Message.objects.exists()


def test_the_sixth_line_in_a_row_is_refused_on_the_page_too(room_id, bob):
    browser = browser_of(bob)
    for number in range(talk.SAYS_AT_MOST + 1):
        answer = browser.post(f"/rooms/{room_id}/say/", {"text": str(number)}, follow=True)
    assert "très vite" in str(next(iter(answer.context["messages"])))
    assert Message.objects.count() == talk.SAYS_AT_MOST


def test_a_stranger_finds_no_room_to_talk_in(room_id, charlie):
    assert browser_of(charlie).post(f"/rooms/{room_id}/say/", {"text": "x"}).status_code == 404


def test_somebody_is_hidden_and_shown_again_without_script(room_id, alice, bob):
    talk.say(room_id, None, bob.pk, "Bonsoir")
    browser = browser_of(alice)
    page = browser.get(f"/rooms/{room_id}/").content.decode()
    assert f'form="hide" name="user" value="{bob.pk}"' in page
    answer = browser.post(f"/rooms/{room_id}/hide/", {"user": bob.pk}, follow=True)
    assert answer.redirect_chain == [(f"/rooms/{room_id}/#talk", 302)]
    page = answer.content.decode()
    assert "Bonsoir" not in page
    assert f'form="hide" name="again" value="{bob.pk}"' in page
    answer = browser.post(f"/rooms/{room_id}/hide/", {"again": bob.pk}, follow=True)
    assert "Bonsoir" in answer.content.decode()
    assert "Bonsoir" in browser_of(bob).get(f"/rooms/{room_id}/").content.decode()


def test_one_s_own_lines_offer_nothing_to_hide_or_report(room_id, bob):
    number = talk.say(room_id, None, bob.pk, "Bonsoir")
    browser = browser_of(bob)
    assert 'class="about"' not in browser.get(f"/rooms/{room_id}/").content.decode()
    answer = browser.post(f"/rooms/{room_id}/hide/", {"user": bob.pk}, follow=True)
    assert len(list(answer.context["messages"])) == 1
    assert browser.post(f"/rooms/{room_id}/report/{number}/").status_code == 404
    assert not Mute.objects.exists()
    assert not Report.objects.exists()


def test_a_message_is_reported_without_script(room_id, alice, bob):
    number = talk.say(room_id, None, bob.pk, "<b>Tricheuse</b>")
    browser, address = browser_of(alice), f"/rooms/{room_id}/report/{number}/"
    assert f'href="{address}"' in browser.get(f"/rooms/{room_id}/").content.decode()
    assert "&lt;b&gt;Tricheuse&lt;/b&gt;" in browser.get(address).content.decode()
    assert not Report.objects.exists()
    answer = browser.post(address, {"reason": "Insulte"}, follow=True)
    assert answer.redirect_chain == [(f"/rooms/{room_id}/#talk", 302)]
    assert Report.objects.get().reason == "Insulte"
    again = browser.post(address)
    assert again.status_code == 422
    assert "déjà signalé" in again.content.decode()


@pytest.mark.parametrize("user", ["", "x", "-1", "9" * 30, "²"])
def test_a_number_that_names_nobody_hides_nobody(user, room_id, alice):
    answer = browser_of(alice).post(f"/rooms/{room_id}/hide/", {"user": user})
    assert answer.status_code == 404


def test_a_stranger_hides_and_reports_nobody_here(room_id, bob, charlie):
    number = talk.say(room_id, None, bob.pk, "Bonsoir")
    browser = browser_of(charlie)
    assert browser.post(f"/rooms/{room_id}/hide/", {"user": bob.pk}).status_code == 404
    for ask in (browser.get, browser.post):
        assert ask(f"/rooms/{room_id}/report/{number}/").status_code == 404
    Room.objects.update(is_public=True)
    assert browser.post(f"/rooms/{room_id}/report/{number}/").status_code == 404
    assert not Mute.objects.exists()
    assert not Report.objects.exists()


# --- the administration


@pytest.fixture
def report(room_id, alice, bob):
    room = Room.objects.get()
    talk.say(room_id, None, alice.pk, f"Venez : /j/{room.invitation}/ ou {room.code}")
    talk.report(talk.say(room_id, None, bob.pk, "<b>Tricheuse</b>"), alice.pk, "Insulte")
    return Report.objects.get()


def staff(*rights):
    person = get_user_model().objects.create_user("host", password="x", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return browser_of(person)


LIST = "/admin/games/report/"


def act(browser, action, report):
    return browser.post(LIST, {"action": action, "_selected_action": [report.pk]}, follow=True)


def test_a_report_is_read_with_its_lines_and_opens_no_room(report, bob):
    browser = staff("view_report", "view_user")
    listed = browser.get(LIST).content.decode()
    page = browser.get(f"{LIST}{report.pk}/change/").content.decode()
    assert "&lt;b&gt;Tricheuse&lt;/b&gt;" in page
    assert "Insulte" in page
    assert reverse("admin:accounts_user_change", args=[bob.pk]) in page
    room = Room.objects.get()
    for text in (listed, page):
        assert room.invitation not in text
        assert room.code not in text


def test_settling_and_opening_again_are_each_noted(report):
    browser = staff("view_report", "change_report")
    for action, open_now in (("settle", False), ("settle", False), ("open_again", True)):
        act(browser, action, report)
        report.refresh_from_db()
        assert (report.settled_at is None) is open_now
    assert LogEntry.objects.filter(object_id=str(report.pk)).count() == 2
    assert browser.get(LIST, {"state": "settled"}).context["cl"].result_count == 0
    assert browser.get(LIST, {"state": "open"}).context["cl"].result_count == 1


def test_who_may_only_look_settles_nothing(report):
    act(staff("view_report"), "settle", report)
    report.refresh_from_db()
    assert report.settled_at is None


def test_nobody_adds_changes_or_deletes_a_report(report):
    browser = browser_of(get_user_model().objects.create_superuser("host"))
    assert browser.get(f"{LIST}add/").status_code == 403
    assert browser.post(f"{LIST}{report.pk}/change/", {"reason": "x"}).status_code == 403
    assert browser.post(f"{LIST}{report.pk}/delete/", {"post": "yes"}).status_code == 403
    report.refresh_from_db()
    assert report.reason == "Insulte"


def test_a_report_outlives_message_and_people(report, alice, bob):
    Message.objects.all().delete()
    alice.delete()
    bob.delete()
    browser = browser_of(get_user_model().objects.create_superuser("host"))
    assert browser.get(LIST).status_code == 200
    assert "Tricheuse" in browser.get(f"{LIST}{report.pk}/change/").content.decode()
