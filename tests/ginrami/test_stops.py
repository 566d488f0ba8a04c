"""The embedded site, running for real: a line gone dead, and a stop in the middle of a turn.

And what a process that stops has done before it ends.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from accounts import live
from ginrami import stopping
from tests.processes import Web, embedded_site, manage
from tests.sockets import Line, two_at_a_table

NOTICED_WITHIN = 20  # seconds
STANDS_STILL = 3


@contextmanager
def mute_line(web: Web, table_id: int, cookie: str) -> Iterator[None]:
    """A browser whose network is gone: its socket stays open and answers no ping."""
    with socket.create_connection(("127.0.0.1", web.port)) as wire:
        lines = [
            f"GET /ws/tables/{table_id}/ HTTP/1.1",
            f"Host: localhost:{web.port}",
            f"Origin: http://localhost:{web.port}",
            f"Cookie: {cookie}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        assert b" 101 " in wire.recv(1024)
        yield


def wait_for_presence(line: Line, present: list[bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while line.view["present"] != present:
        line.hear("table", until - time.monotonic())


def test_a_line_gone_dead_without_a_word_is_noticed_and_a_silent_one_that_lives_is_not(tmp_path):
    """L5 and L7: hers says nothing either, but answers the pings as every browser does."""
    with embedded_site(tmp_path) as web:
        table_id, cookies = two_at_a_table(web.env)
        hers = Line(web, table_id, cookies[0])
        with mute_line(web, table_id, cookies[1]):
            wait_for_presence(hers, [True, True], 5)
            begun = time.monotonic()
            wait_for_presence(hers, [True, False], NOTICED_WITHIN)
            assert time.monotonic() - begun > 5
        hers.say(verb="look")
        assert hers.hear("table")["present"] == [True, False]


def test_a_stop_between_draw_and_discard_changes_nothing_and_costs_no_time(tmp_path):
    """L14 and L3."""
    with embedded_site(tmp_path) as web:
        table_id, cookies = two_at_a_table(web.env)
        lines = play_at_a_pace(web, table_id, cookies)
        for move in ("pass", "pass", "draw stock"):
            in_turn(*lines).move(move)
        mover = in_turn(*lines)
        cookie, before = cookies[lines.index(mover)], mover.view
        web.kill()
        time.sleep(STANDS_STILL)
        again = Web(web.env, tmp_path, "again")
        try:
            again.wait()
            back = Line(again, table_id, cookie)
            until = time.monotonic() + 10
            while back.view["clock"]["deadline"] == before["clock"]["deadline"]:
                assert time.monotonic() < until
                back.say(verb="look")
                back.hear("table")
                time.sleep(0.2)
            gap = back.view["clock"]["deadline"] - before["clock"]["deadline"]
            assert STANDS_STILL * 1000 <= gap <= 30_000
            assert back.view["hand"] == before["hand"]
            assert len(back.view["hand"]["held"]) == 11
            back.say(move="draw stock", at=back.view["at"])
            assert back.hear("refused")["code"] != "stale"
            back.move(f"discard {back.view['hand']['drawn']}")
            assert back.view["clock"]["reserve_ms"] == [240_000, 240_000]
            again.stop()
            assert_let_go(back)
        finally:
            again.stop()


async def test_a_process_that_stops_has_its_bells_heard_before_it_ends(monkeypatch):
    heard = []

    class Layer:
        async def ring(self, group, _message, _but):
            await asyncio.sleep(0.2)  # it waits to go with others
            heard.append(group)

    monkeypatch.setattr(live, "get_channel_layer", Layer)
    monkeypatch.setattr(live, "_server_loop", asyncio.get_running_loop())
    monkeypatch.setattr(stopping, "_began", [])
    server = object.__new__(stopping.GentleServer)
    server.ports, server.connections = [], {}
    live.ring("table.7")
    await server._let_go()
    assert heard == ["table.7"]


def assert_let_go(line: Line) -> None:
    """An orderly stop, unlike a cut, tells the browser to connect again, and names no server."""
    with pytest.raises(ConnectionClosed) as told:
        list(iter(line.any, None))  # everything it still says
    assert told.value.rcvd is not None
    assert (told.value.rcvd.code, told.value.rcvd.reason) == (stopping.RECONNECT, "reconnect")
    assert line.socket.response.headers.get("Server") is None


def play_at_a_pace(web: Web, table_id: int, cookies: list[str]) -> list[Line]:
    """The rematch is played at the pace the room has chosen meanwhile."""
    hers, his = (Line(web, table_id, cookie) for cookie in cookies)
    hers.say(verb="resign")
    until_state("finished", hers, his)
    script = "from games.models import Room; Room.objects.update(pace='60')"
    manage(web.env, "shell", "--no-imports", "-c", script)
    for line in (hers, his):
        line.say(verb="rematch")
    until_state("playing", hers, his)
    return [hers, his]


def until_state(state: str, *lines: Line) -> None:
    for line in lines:
        while line.view["state"] != state:
            line.hear("table")


def in_turn(*lines: Line) -> Line:
    """The line of whoever must act, once both have the same view."""
    newest = max(line.view["version"] for line in lines)
    for line in lines:
        line.wait_for(newest)
    return next(line for line in lines if line.my_turn)
