"""Where somebody is signed in: listed, and closed."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession

from accounts import agents, people, sessions
from tests.conftest import PASSWORD
from tests.games.pages import door, read

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
PAGE = "/account/devices/"


def signed_in(name, agent=FIREFOX):
    browser = door()
    sent = {"login": name, "password": PASSWORD}
    assert browser.post("/account/login/", sent, headers={"user-agent": agent}).status_code == 302
    return browser


@pytest.fixture
def phone(alice):
    return signed_in("alice", IPHONE)


@pytest.fixture
def laptop(alice, phone):
    return signed_in("alice")


def test_every_session_is_listed_to_its_owner(laptop, phone, charlie):
    page = read(laptop.get(PAGE))
    assert page.index("Firefox · Windows") < page.index("this device") < page.index("iPhone")
    assert "127.0.0.0/24" in page
    assert "127.0.0.1" not in page
    assert "iPhone" not in read(signed_in("charlie").get(PAGE))


def test_one_session_is_closed_and_the_others_go_on(laptop, phone, alice):
    held = sessions.pass_of(alice, phone.session)
    sessions.require_open(held)
    (there,) = UserSession.objects.filter(session_key=phone.session.session_key)
    laptop.post(PAGE, {"close": there.pk})
    assert phone.get("/account/").status_code == 302
    assert laptop.get("/account/").status_code == 200
    with pytest.raises(sessions.SignedOut):
        sessions.require_open(held)


def test_nobody_closes_the_session_of_another(laptop, phone, charlie):
    other = signed_in("charlie")
    for session in UserSession.objects.filter(user__username="alice"):
        other.post(PAGE, {"close": session.pk})
    assert phone.get("/account/").status_code == 200


@pytest.mark.parametrize("sent", ["", "x", "-1", "٣", "9" * 400])
def test_a_bent_choice_closes_nothing(sent, laptop, phone):
    assert laptop.post(PAGE, {"close": sent}).status_code == 302
    assert phone.get("/account/").status_code == 200


def test_all_others_are_closed_at_once_those_nobody_noted_too(laptop, phone, alice):
    unnoted = door(alice)
    page = laptop.post(PAGE, {"close": "others"}, follow=True)
    assert "You are signed out everywhere else." in read(page)
    assert phone.get("/account/").status_code == 302
    assert unnoted.get("/account/").status_code == 302
    assert laptop.get("/account/").status_code == 200


def test_a_session_nobody_noted_is_noted_when_it_looks(alice):
    browser = door(alice)
    assert "this device" in read(browser.get(PAGE))


@pytest.mark.django_db(transaction=True)
def test_closing_a_session_rings_for_its_sockets(laptop, phone, alice, monkeypatch):
    rung = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    there = UserSession.objects.get(session_key=phone.session.session_key)
    laptop.post(PAGE, {"close": there.pk})
    assert rung == [f"user.{alice.pk}"]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox · Windows"),
        (IPHONE, "Safari · iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Linux"),
        ("curl/8.5", ""),
        ("", ""),
    ],
)
def test_a_browser_is_told_in_a_few_words(agent, words):
    assert agents.in_words(agent) == words
