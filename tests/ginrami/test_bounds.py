"""What is kept of a socket: little while it is open, and nothing once it is gone."""

from __future__ import annotations

import gc
import pprint
import socket
import sys
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from autobahn import util as autobahn
from channels.testing import WebsocketCommunicator
from daphne.http_protocol import HTTPFactory
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from ginrami import asgi, bounds, stopping
from ginrami.mailbox import Mailbox

COMES = (
    b"GET /ws/tables/1/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@pytest.fixture
def daphne():
    """As much of the server as a socket meets."""
    nothing = SimpleNamespace(begun=[], came=[])
    nothing.protocol_connected = lambda one: nothing.came.append(weakref.ref(one))
    nothing.protocol_disconnected = nothing.log_action = lambda *_: None
    nothing.root_path, nothing.proxy_forwarded_address_header = "", None
    nothing.create_application = lambda one, _scope: nothing.begun.append(one) or Mailbox()
    nothing.ws_factory = bounds.BoundedSockets(nothing, server="")
    nothing.ws_factory.setProtocolOptions(allowNullOrigin=True)
    return nothing


@pytest.fixture
def by_counting():
    """Without Python's search for rings: what nobody holds is gone at once, or not at all."""
    gc.disable()
    yield
    gc.enable()


def test_a_socket_that_is_gone_leaves_nothing_behind(daphne, by_counting):
    wire = StringTransport()
    line = HTTPFactory(daphne).buildProtocol(None)
    line.requestFactory = bounds.BoundedRequest
    line.makeConnection(wire)
    line.dataReceived(COMES)
    request, socket = daphne.came[0], daphne.begun.pop()
    assert request() is None, "the request that became a socket"
    socket.serverAccept()
    assert socket.state == socket.STATE_OPEN
    assert socket.http_headers is socket.clean_headers is None
    gone = weakref.ref(socket)
    del wire.protocol  # as a real one does by itself
    socket.connectionLost(Failure(ConnectionDone()))
    del socket
    assert gone() is None, "the socket"


@pytest.fixture
def cut_off(daphne, monkeypatch):
    """After how many seconds a socket is cut off, by what is called then."""
    calls = {}

    def call_later(after, cut):
        calls[cut.__name__] = after
        return SimpleNamespace(cancel=lambda: None)

    timer = SimpleNamespace(call_later=call_later)
    monkeypatch.setattr(daphne.ws_factory, "_batched_timer", timer)
    return calls


async def test_a_process_that_stops_waits_for_no_line_that_is_dead(daphne, cut_off, monkeypatch):
    monkeypatch.setattr(stopping, "_began", [])
    line = HTTPFactory(daphne).buildProtocol(None)
    line.makeConnection(StringTransport())
    line.dataReceived(COMES)
    socket = daphne.begun.pop()
    socket.serverAccept()
    server = object.__new__(stopping.GentleServer)
    server.ports, server.connections = [], {socket: {}}
    await server._let_go()
    assert cut_off["onCloseHandshakeTimeout"] == stopping.ANSWERED_WITHIN < bounds.CLOSING_SECONDS


def test_who_is_shown_out_on_a_slow_line_hears_why(daphne, cut_off):
    wire = StringTransport()
    line = HTTPFactory(daphne).buildProtocol(None)
    line.makeConnection(wire)
    line.dataReceived(COMES)
    socket = daphne.begun.pop()
    socket.serverAccept()
    socket.serverClose(4404)
    assert wire.value().endswith((4404).to_bytes(2))
    assert cut_off["onCloseHandshakeTimeout"] == bounds.CLOSING_SECONDS > 3


def test_hundreds_who_come_at_once_find_room_to_wait():
    """Linux tells of a socket that listens how many it keeps, where it tells others of losses."""
    server = object.__new__(stopping.GentleServer)
    server.ports, server.listening_addresses, server.ready_callable = [], [], None
    with socket.create_server(("127.0.0.1", 0), backlog=50) as there:
        where = SimpleNamespace(host="127.0.0.1", port=there.getsockname()[1])
        server.listen_success(SimpleNamespace(socket=there, getHost=lambda: where))
        told = there.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32)
    allowed = int(Path("/proc/sys/net/core/somaxconn").read_text())
    assert int.from_bytes(told[28:32], sys.byteorder) == min(stopping.WAIT_OUTSIDE, allowed)


def test_nothing_is_worded_for_a_log_that_nobody_keeps(daphne, monkeypatch):
    worded = []
    monkeypatch.setattr(autobahn, "_qn", worded.append)
    monkeypatch.setattr(autobahn, "hl", lambda said, **_how: worded.append(said))
    monkeypatch.setattr(pprint.PrettyPrinter, "pformat", lambda _self, said: worded.append(said))
    line = HTTPFactory(daphne).buildProtocol(None)
    line.makeConnection(StringTransport())
    line.dataReceived(COMES)
    daphne.begun.pop().serverAccept()
    assert worded == []


async def test_behind_the_doors_a_socket_keeps_little_of_what_it_came_with(monkeypatch):
    seen = []

    async def behind(scope, _receive, send):
        seen.append(scope)
        await send({"type": "websocket.accept"})

    monkeypatch.setattr(asgi, "_sockets", behind)
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", b"a=b")]
    wire = WebsocketCommunicator(asgi.application, "/ws/tables/1/", headers=headers)
    assert (await wire.connect())[0]
    assert seen == [
        {"type": "websocket", "path": "/ws/tables/1/", "root_path": "", "cookies": {"a": "b"},
         "language": "fr"}
    ]  # fmt: skip
