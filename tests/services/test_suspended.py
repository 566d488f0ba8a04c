"""Whoever is signed out on one process, in whatever way, is shown out on every other."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed

from accounts import people, suspensions
from games import sockets
from tests.sockets import Line, cookie_of

pytestmark = pytest.mark.django_db(transaction=True)

MARK = "a" * 32  # of a form: the same in the cookie and in what is sent


def press(web, cookie, path, **sent):
    """Send a form, as a browser with this cookie."""
    headers = {
        "Cookie": f"{cookie}; csrftoken={MARK}", "Origin": web.url,
        "Content-Type": "application/x-www-form-urlencoded",
    }  # fmt: skip
    browser = HTTPConnection("localhost", web.port, timeout=10)
    browser.request("POST", path, urlencode({"csrfmiddlewaretoken": MARK, **sent}), headers)
    assert browser.getresponse().status == 302
    browser.close()


def closed_with(line):
    """The code the server closes with; what is on its way before it is passed over."""
    with pytest.raises(ConnectionClosed) as closed:
        line.hear("nothing that is ever sent", seconds=5)
    return closed.value.rcvd.code


def suspended(alice, cookie, web):
    suspensions.suspend([alice], "Triche")
    suspensions.reinstate([alice])


def signed_out(alice, cookie, web):
    press(web, cookie, "/account/logout/")


def given_a_new_password(alice, cookie, web):
    people.set_password(alice, "trefle-et-pique-22")


def signed_out_from_elsewhere(alice, cookie, web):
    press(web, cookie_of(alice), "/account/devices/", close="others")


WAYS = (suspended, signed_out, given_a_new_password, signed_out_from_elsewhere)


def test_sockets_on_every_process_end_and_their_session_opens_nothing_more(
    web_process, table_id, alice, bob
):
    here, there = web_process(), web_process()
    his = Line(there, table_id, cookie_of(bob))
    for way in WAYS:
        alice.refresh_from_db()
        cookie = cookie_of(alice)
        hers = [Line(web, table_id, cookie) for web in (here, there, there)]
        way(alice, cookie, here)
        assert [closed_with(line) for line in hers] == [sockets.SIGNED_OUT] * 3, way
        with pytest.raises(ConnectionClosed):
            Line(here, table_id, cookie)
    his.say(verb="ping")
    assert his.hear("pong")
