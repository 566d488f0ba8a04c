"""A suspension on one process ends what is open on every other."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed

from accounts import suspensions
from games import sockets
from tests.sockets import Line, cookie_of

pytestmark = pytest.mark.django_db(transaction=True)


def closed_with(line):
    """The code the server closes with; what is on its way before it is passed over."""
    with pytest.raises(ConnectionClosed) as closed:
        line.hear("nothing that is ever sent", seconds=5)
    return closed.value.rcvd.code


def test_sockets_on_every_process_end_and_their_sessions_open_nothing(
    web_process, table_id, alice, bob
):
    here, there = web_process(), web_process()
    cookie = cookie_of(alice)
    hers = [Line(web, table_id, cookie) for web in (here, there, there)]
    his = Line(there, table_id, cookie_of(bob))
    suspensions.suspend([alice], "Triche")
    assert [closed_with(line) for line in hers] == [sockets.SIGNED_OUT] * 3
    his.say(verb="ping")
    assert his.hear("pong")
    suspensions.reinstate([alice])
    with pytest.raises(ConnectionClosed):
        Line(here, table_id, cookie)
