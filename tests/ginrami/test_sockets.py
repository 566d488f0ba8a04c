"""The way to a socket, and the server's own bounds: before any table is asked."""

from __future__ import annotations

import asyncio
import resource
from types import SimpleNamespace

import pytest
from channels.testing import HttpCommunicator, WebsocketCommunicator
from daphne import server

from ginrami import bounds, doors
from ginrami.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "path",
    ["/", "/ws/", "/ws/tables/", "/ws/tables/1", "/ws/tables/x/", "/ws/tables/1/\0", "/rooms/",
     "/ws/tables/-1/", "/ws/tables/1/2/", "/" + "x" * 5000],
)  # fmt: skip
async def test_where_there_is_no_socket_one_is_turned_away(path):
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    wire = WebsocketCommunicator(application, path, headers=headers)
    connected, _code = await wire.connect(timeout=5)
    assert not connected


ORIGINS = {
    b"http://localhost:8000": True,
    b"https://localhost:8000": True,
    b"http://LOCALHOST:8000": True,
    b"http://localhost": False,
    b"http://localhost:8001": False,
    b"https://rami.example": True,
    b"http://rami.example": False,
    b"https://rami.example.elsewhere.example": False,
    b"null": False,
    b"": False,
    b"://": False,
    b"\xff": False,
}


async def let_in(_scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})


@pytest.mark.parametrize("origin", ORIGINS)
async def test_only_pages_of_this_site_open_sockets(origin, settings):
    settings.SITE_URL = "https://rami.example"
    headers = [(b"host", b"localhost:8000"), (b"origin", origin)]
    wire = WebsocketCommunicator(doors.OwnOrigin(let_in), "/", headers=headers)
    assert (await wire.connect(timeout=5))[0] is ORIGINS[origin]


async def test_without_a_public_address_an_empty_origin_opens_nothing(alice, settings):
    settings.SITE_URL = ""
    headers = [(b"host", b""), (b"origin", b"://")]
    wire = WebsocketCommunicator(application, "/ws/tables/1/", headers=headers)
    assert not (await wire.connect(timeout=5))[0]


@pytest.mark.parametrize(
    "root", [".elsewhere.example", "@elsewhere.example", "//elsewhere.example"]
)
async def test_a_visitor_does_not_choose_the_root_of_our_links(root):
    """Daphne takes it from a header; the link of a reset mail would lead there."""
    wire = HttpCommunicator(application, "GET", "/rooms/", headers=[(b"host", b"localhost")])
    wire.scope["root_path"] = root
    answer = await wire.get_response(timeout=10)
    assert answer["status"] == 302
    assert dict(answer["headers"])[b"Location"] == b"/account/login/?next=/rooms/"


@pytest.mark.parametrize(
    "said", ["charset=utf-7", "charset=idna", 'x="; y"; CHARSET="rot13"', "charset*=utf-8''idna"]
)
async def test_a_form_in_another_spelling_is_refused_without_an_error(said, caplog):
    kind = f"application/x-www-form-urlencoded; {said}".encode()
    headers = [(b"host", b"localhost"), (b"content-type", kind)]
    for method in ("GET", "POST"):
        wire = HttpCommunicator(
            application, method, "/join/?code=%ff", body=b"code=%ff", headers=headers
        )
        answer = await wire.get_response(timeout=10)
        assert answer["status"] == (200 if method == "GET" else 403)
        await wire.wait()
    assert len(caplog.records) <= 2


async def test_a_form_that_says_it_is_in_our_spelling_is_believed():
    kept = [(b"content-type", b"text/csv; Charset=UTF-8"), (b"Content-Type", b"a/b; boundary=x")]
    assert doors.in_our_spelling(kept) == kept


class Wire:
    """What a request knows of its connection."""

    def __init__(self):
        self.written, self.lost = b"", False
        self.transport = self
        self.factory = SimpleNamespace(server=SimpleNamespace(protocol_connected=lambda _: None))
        self.site = self.requestFactory = self

    def write(self, data):
        self.written += data

    def loseConnection(self):
        self.lost = True

    def __getattr__(self, name):
        return lambda *_, **__: None


@pytest.fixture
def request_of():
    opened = []

    def made(length):
        wire = Wire()
        request = bounds.BoundedRequest(wire, False)
        opened.append(request.content)
        request.gotLength(length)
        opened.append(request.content)
        return wire, request

    yield made
    for content in opened:
        if content is not None:
            content.close()


def test_a_body_said_to_be_too_large_is_not_waited_for(request_of):
    wire, request = request_of(bounds.BODY_BYTES + 1)
    request.handleContentChunk(b"x")
    assert wire.lost
    assert wire.written == bounds.TOO_LARGE
    assert request.content.tell() == 0


def test_a_body_without_a_length_ends_at_the_bound(request_of):
    wire, request = request_of(None)
    for _ in range(bounds.BODY_BYTES // 65536 + 10):
        request.handleContentChunk(b"x" * 65536)
    assert wire.lost
    assert wire.written.count(b"413") == 1
    assert request.content.tell() <= bounds.BODY_BYTES


def test_a_body_within_the_bound_is_taken(request_of):
    wire, request = request_of(1000)
    request.handleContentChunk(b"x" * 1000)
    assert not wire.lost
    assert request.content.tell() == 1000


def test_a_socket_is_closed_by_a_message_longer_than_any_can_be():
    made = server.WebSocketFactory(SimpleNamespace(), server="daphne")
    made.setProtocolOptions(maxMessagePayloadSize=1 << 20, maxFramePayloadSize=1 << 20)
    bound = (made.maxMessagePayloadSize, made.maxFramePayloadSize)
    assert bound == (bounds.MESSAGE_BYTES, bounds.MESSAGE_BYTES)
    assert bounds.MESSAGE_BYTES < 20_000


def test_who_says_more_than_is_answered_is_hung_up_on(monkeypatch):
    monkeypatch.setattr(bounds, "WAITING_AT_MOST", 3)
    socket, lost = bounds.BoundedSockets.protocol(), []
    socket.application_queue, socket.client_addr = asyncio.Queue(), ["here", 1]
    socket.dropConnection = lambda abort: lost.append(abort)
    for _ in range(5):
        socket.onMessage(b"{}", False)
    assert socket.application_queue.empty()  # the end is not waited for
    assert lost == [True]


# --- the way to a page


async def test_pages_wait_their_turn_and_whoever_goes_away_gives_theirs_up():
    begun, done = [], asyncio.Event()

    async def page(scope, _receive, _send):
        begun.append(scope["path"])
        await done.wait()

    few = doors.FewAtOnce(page, 2)
    paths = ("/1/", "/2/", "/3/", "/healthz/live/")
    asked = [asyncio.create_task(few({"path": path}, None, None)) for path in paths]
    async with asyncio.timeout(20):
        while len(begun) < 3:
            await asyncio.sleep(0)
        assert begun == ["/1/", "/2/", "/healthz/live/"]
        asked[0].cancel()
        while len(begun) < 4:
            await asyncio.sleep(0)
        done.set()
        await asyncio.gather(*asked[1:])
    assert begun[-1] == "/3/"


def test_a_process_holds_as_many_connections_as_the_system_allows():
    now, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1000, now), allowed))
    bounds.hold_what_the_system_allows()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (allowed, allowed)
