"""Who may do what: every address and every word of a socket, tried by everybody.

The tables are in tests/permissions.py, which says how a row is added.
"""

from __future__ import annotations

import re
from http.cookies import SimpleCookie
from typing import Any, get_args, get_type_hints

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.messages import ERROR
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, resolve

from games import beside, dealing, messages, reading, rooms, sockets, table, talk
from games.models import Game, Message, Room, Table
from games.rooms import standings
from scoring import shares
from tests import world
from tests.games.wires import Wire, in_thread
from tests.permissions import CODES, PAGES, WORDS, Row, message
from tests.world import WHO, every_route, proper

# A program, the same for everybody, and an archive: no pages.
FILES = ("/pad/sw.js", "/history/export/{export}/")
# Of what no database decides.
ONCE = pytest.mark.skipif(not settings.EMBEDDED, reason="tried on the other database already")
# A mail program posts to it with nothing but the link, which is the right to it.
ITS_LINK_IS_ENOUGH = "/account/letters/stop/{stopping}/"
LED = {"/account/login/": "in", "/admin/login/": "in", "/account/keep/": "keep"}


@pytest.fixture
def site(db):
    return world.site()


def ask(site: Any, who: str, row: Row) -> str:
    """What somebody gets, in one short word; what they changed is undone."""
    browser, numbers = site[0][who], site[1]
    kept = browser.cookies.output(header="", sep=";")
    sent = {name: value.format(**numbers) for name, value in row.sent.items()}
    with transaction.atomic():
        answer = getattr(browser, row.method.lower())(row.address.format(**numbers), sent)
        if row.address not in FILES:
            proper(answer, f"{row.method} {row.address} {who}")
        transaction.set_rollback(True)
    browser.cookies = SimpleCookie(kept)
    forget()
    return word_of(answer)


def forget() -> None:
    cache.clear()
    for memory in (reading, beside, standings):
        memory.forget()


def word_of(answer: Any) -> str:
    if answer.status_code != 302:
        return {200: "ok", 404: "--", 403: "no"}.get(answer.status_code, str(answer.status_code))
    to = answer.headers["Location"].split("?")[0]
    said = getattr(getattr(answer.wsgi_request, "_messages", None), "_queued_messages", ())
    refused = any(one.level >= ERROR for one in said)
    return LED.get(to, "why" if refused else "go")


def hold(place: str, got: dict[Row, tuple[str, ...]]) -> None:
    """Fail with the answers as they are, where they are otherwise than written."""
    other = [(row.text, now) for row, now in got.items() if now != row.answers]
    if other:
        told = [f"{text}\n  now: {' '.join(now)}" for text, now in other]
        pytest.fail("\n".join([place, *told]), pytrace=False)


# --- pages


def test_every_address_has_its_row():
    bare = [row.bare.replace("{resetting}", "1-x") for row in PAGES]
    reached = {resolve(re.sub(r"\{.*?\}", "1", address)).route for address in bare}
    there = set(every_route(get_resolver().url_patterns))
    assert not there - reached, f"Add a row to tests/permissions.py for {sorted(there - reached)}"


def test_somebody_suspended_is_nobody():
    nobody, eve = WHO.index("nobody"), WHO.index("eve")
    for row in (*PAGES, *(row for rows in WORDS.values() for row in rows)):
        assert row.answers[nobody] == row.answers[eve], row.text


@pytest.mark.two_steps
def test_everybody_gets_what_is_written(site):
    # What is only read was read from the other database already.
    rows = PAGES if settings.EMBEDDED else [row for row in PAGES if row.method == "POST"]
    hold("pages", {row: tuple(ask(site, who, row) for who in WHO) for row in rows})


@ONCE
def test_no_form_of_another_site_is_taken(site):
    for who in ("nobody", "alice", "chief"):
        browser = site[0][who]
        browser.handler.enforce_csrf_checks = True
        for address in {row.address for row in PAGES} - {ITS_LINK_IS_ENOUGH}:
            answer = browser.post(address.format(**site[1]), {"csrfmiddlewaretoken": "x" * 64})
            assert answer.status_code == 403, address


@ONCE
def test_other_methods_do_no_harm(site):
    before = everything()
    for address in {row.address for row in PAGES}:
        for method in ("put", "delete", "patch", "options"):
            answer = getattr(site[0]["alice"], method)(address.format(**site[1]))
            assert answer.status_code < 500, (method, address)
    assert everything() == before


def everything() -> list[Any]:
    rows: list[Any] = list(Room.objects.order_by("pk").values_list("invitation", "code"))
    return [*rows, Game.objects.count(), Message.objects.count(), get_user_model().objects.count()]


def of_the_administration() -> list[Row]:
    own = ("/admin/login/", "/admin/logout/", "/admin/password_change/")
    return [row for row in PAGES if row.address.startswith("/admin/") and row.address not in own]


@pytest.mark.two_steps
@pytest.mark.parametrize("rights", [{"is_staff": True}, {"is_staff": True, "is_superuser": True}])
def test_no_page_of_the_administration_opens_before_the_second_step(rights, site):
    new = get_user_model().objects.create_user("nouveau", **rights)
    site[0]["nouveau"] = Client()
    site[0]["nouveau"].force_login(new)
    for row in of_the_administration():
        answer = getattr(site[0]["nouveau"], row.method.lower())(row.address.format(**site[1]))
        assert answer.headers.get("Location") == "/account/two-steps/", row.text


FOR_ALL_STAFF = {"/admin/", "/admin/jsi18n/", "/admin/password_change/done/", "/admin/nothing/"}


def test_staff_without_a_right_open_nothing_and_do_nothing(site):
    helper = get_user_model().objects.create_user("aide", is_staff=True)
    site[0]["aide"] = Client()
    site[0]["aide"].force_login(helper)
    before = everything()
    for row in of_the_administration():
        if row.address not in FOR_ALL_STAFF:
            # go: a row that is not there, or its old address, led to the page that is refused.
            led_on = "go" if "/1/" in row.address or row.address.endswith("}/") else "no"
            assert ask(site, "aide", row) in ("no", "--", "405", led_on), row.text
    assert everything() == before


def test_an_archive_is_not_kept_by_the_browser_after_signing_out(site):
    answer = site[0]["alice"].get("/history/export/{export}/".format(**site[1]))
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_link_that_was_revoked_opens_nothing(site):
    shares.revoke(site[1]["sheet"], site[1]["alice"])
    for row in PAGES:
        if "{token}" in row.address and row.method == "GET":
            assert {ask(site, who, row) for who in WHO} == {"--"}, row.text


def test_what_one_was_removed_from_opens_no_more(site):
    rooms.remove_member(site[1]["room"], site[1]["alice"], site[1]["dora"])
    places = ("/rooms/{room}/", "/tables/{table}/", "/sheets/{sheet}")
    hers = [row for row in PAGES if row.address.startswith(places) and row.method == "GET"]
    assert len(hers) > 8
    for row in hers:
        if row.answers[WHO.index("dora")] == "ok":
            assert ask(site, "dora", row) == "--", row.text


# --- sockets


def test_every_word_has_its_row():
    known = {"move", *messages._verbs, *get_args(get_type_hints(messages.VerbMessage)["verb"])}
    for place in ("tables/{table}", "tables/{open_table}", "rooms/{room}", "rooms/{open_room}"):
        assert {row.bare for row in WORDS[place]} == known, place


def two_rooms() -> tuple[dict[str, bytes], dict[str, Any]]:
    """Everybody's cookie; a private and a public room where Alice is to move against Bob."""
    people = world.cast()
    places = world.a_paper(people)
    for before in ("", "open_"):
        room_id = rooms.open_room(people["alice"].pk, "Salle", {"preset": "complete"})
        room = Room.objects.get(pk=room_id)
        for name in ("bob", "dora", "camille", "eve"):
            rooms.join_room(room.invitation, people[name].pk)
        at = Table.objects.get(room=room).pk
        table.sit_down(at, people["bob"].pk)
        line = talk.say(room_id, None, people["eve"].pk, "Bonsoir")
        places |= {f"{before}room": room_id, f"{before}table": at, f"{before}line": line}
        Room.objects.filter(pk=room_id).update(is_public=bool(before))
    browsers = world.browsers(people)
    keys = {who: browsers[who].cookies.output(header="", sep=";").encode() for who in WHO}
    return keys, places | {name: person.pk for name, person in people.items()}


async def answered(wire: Wire, said: dict[str, Any], me: int) -> str:
    """The code of a refusal, or done."""
    talks = wire.address.startswith(("tables", "rooms"))
    last = {"verb": "mute", "user": me, "on": True} if talks else {"verb": "nothing"}
    await wire.say(**said)
    await wire.say(**last)
    code = "done"
    while True:
        refused = await wire.hear("refused")
        if refused["code"] == ("yourself" if talks else "malformed"):
            return code
        code = refused["code"]


async def shut(wire: Wire) -> str:
    """How a socket was closed that should not have been opened; nothing was told before."""
    heard, code = await wire.until_closed()
    assert heard == [], wire.address
    return {sockets.SIGNED_OUT: "in", sockets.NOT_HERE: "--"}[code]


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_everybody_is_answered_what_is_written(monkeypatch):
    monkeypatch.setattr(messages, "AT_ONCE", 1000.0)
    monkeypatch.setattr(talk, "SAYS_AT_MOST", 100)
    monkeypatch.setattr(dealing, "first_dealer", lambda _stream, seats=2: 1)
    keys, numbers = await in_thread(two_rooms)()
    for place, rows in WORDS.items():
        got: dict[Row, tuple[str, ...]] = dict.fromkeys(rows, ())
        wires = [await Wire(place.format(**numbers), keys[who]).open() for who in WHO]
        answers = {}
        for who, wire, first in zip(WHO, wires, rows[0].answers, strict=True):
            answers[who] = None if first not in ("in", "--") else await shut(wire)
        for row in rows:
            for who, wire in zip(WHO, wires, strict=True):
                said = message(row, numbers)
                code = answers[who] or await answered(wire, said, numbers.get(who, 0))
                got[row] += (CODES.get(code, code),)
        for wire in wires:
            await wire.leave()
        hold(place, got)
