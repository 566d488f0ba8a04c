"""Who may open what: sheets, replays, pads and players, whatever address somebody tries.

Every address of the site has its row here or in tests/test_doors.py; a new one without a row fails
the first test, which says what to write. The same visitors come to three places: a game in a
private room, one in a public room, and a game on paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts import suspensions
from games import rooms, table, tasks
from games.demo.playing import play_game
from games.demo.times import on_paper, timed
from games.models import Pace, Table
from games.presets import rule_set
from scoring import archive, ledger, pad, shares
from scoring.ledger import PastSheet, SeatEntry
from tests.test_doors import READING, proper, routes

pytestmark = pytest.mark.django_db

# Signed out; a stranger; a member of the room; who played; who wrote the paper; who looks after
# the site.
WHO = ("nobody", "charlie", "dora", "alice", "keeper", "admin")
PLACES = ("private", "public", "paper")
LOGIN = "sign in first"
Answers = tuple[object, ...]

ALL: Answers = (200,) * 6
NONE: Answers = (404,) * 6
SIGNED_IN: Answers = (LOGIN, 200, 200, 200, 200, 200)
POST_ONLY: Answers = (LOGIN, 405, 405, 405, 405, 405)
NOTHING: Answers = (LOGIN, 404, 404, 404, 404, 404)
ALICE: Answers = (LOGIN, 404, 404, 200, 404, 404)

SHEET = {
    "private": (404, 404, 200, 200, 404, 404),
    "public": ALL,
    "paper": (404, 404, 404, 200, 200, 404),
}
REPLAY = {**SHEET, "paper": NONE}  # nobody saw the cards
COACH = {"private": ALICE, "public": ALICE, "paper": NOTHING}  # each player's own
HELD = {"private": ALL, "public": ALL, "paper": NONE}  # a replay, by a link
PAD = {"private": NOTHING, "public": NOTHING, "paper": (LOGIN, 404, 404, 200, 200, 404)}
PAD_STATE = {place: (401, *answers[1:]) for place, answers in PAD.items()}
KEPT = {"private": NOTHING, "public": NOTHING, "paper": (LOGIN, 404, 404, 404, 200, 404)}

# The route as it is written -> an address of it, and what a GET answers to each of WHO: the same
# everywhere, or by PLACES. What may be filled in: {sheet} {token} {room} {table} {alice} {export}
# {invitation}.
ROWS: Mapping[str, tuple[str, Answers | Mapping[str, Answers]]] = {
    "sheets/<id:sheet_id>/": ("/sheets/{sheet}/", SHEET),
    "sheets/<id:sheet_id>.json": ("/sheets/{sheet}.json", SHEET),
    "sheets/<id:sheet_id>.csv": ("/sheets/{sheet}.csv", SHEET),
    "sheets/<id:sheet_id>/share/": ("/sheets/{sheet}/share/", POST_ONLY),
    "sheets/<id:sheet_id>/hands/<id:number>/": ("/sheets/{sheet}/hands/1/", REPLAY),
    "sheets/<id:sheet_id>/hands/<id:number>/coach/": ("/sheets/{sheet}/hands/1/coach/", COACH),
    "s/<str:token>/": ("/s/{token}/", ALL),
    "s/<str:token>.json": ("/s/{token}.json", ALL),
    "s/<str:token>.csv": ("/s/{token}.csv", ALL),
    "s/<str:token>/hands/<id:number>/": ("/s/{token}/hands/1/", HELD),
    "history/": ("/history/", SIGNED_IN),
    "history/import/": ("/history/import/", SIGNED_IN),
    "history/export/": ("/history/export/", SIGNED_IN),
    "history/export/progress/": ("/history/export/progress/", SIGNED_IN),
    "history/export/<id:export_id>/": ("/history/export/{export}/", ALICE),
    "players/<id:person_id>/": ("/players/{alice}/", (404, 404, 404, 200, 404, 404)),
    "players/<id:person_id>/with-me/":
        ("/players/{alice}/with-me/", (LOGIN, 404, 404, 302, 404, 404)),  # 302: to her own page
    "pad/": ("/pad/", SIGNED_IN),
    "pad/sw.js": ("/pad/sw.js", ALL),
    "pad/<id:sheet_id>/": ("/pad/{sheet}/", PAD),
    "pad/<id:sheet_id>/state/": ("/pad/{sheet}/state/", PAD_STATE),
    "pad/<id:sheet_id>/hand/": ("/pad/{sheet}/hand/", KEPT),
    "pad/<id:sheet_id>/hands/<id:number>/": ("/pad/{sheet}/hands/1/", KEPT),
    "pad/<id:sheet_id>/change/": ("/pad/{sheet}/change/", POST_ONLY),
    "pad/<id:sheet_id>/invite/": ("/pad/{sheet}/invite/", POST_ONLY),
    "pad/invitations/<id:invitation_id>/": ("/pad/invitations/{invitation}/", POST_ONLY),
}  # fmt: skip



def keeper_gets(status: int) -> dict[str, Answers]:
    """What the keeper of a paper gets; for everybody else it is not there."""
    return {
        place: tuple(status if one == 200 else one for one in answers)
        for place, answers in KEPT.items()
    }


# The same for a POST that does something, with what it sends.
SENT: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, Answers]]] = {
    "share": ("/sheets/{sheet}/share/", {}, {
        "private": (LOGIN, 404, 404, 302, 404, 404),
        "public": (LOGIN, 404, 404, 302, 404, 404),
        "paper": (LOGIN, 404, 404, 302, 302, 404),
    }),
    "ask the coach": ("/sheets/{sheet}/hands/1/coach/", {}, {
        "private": (LOGIN, 404, 404, 302, 404, 404),
        "public": (LOGIN, 404, 404, 302, 404, 404),
        "paper": NOTHING,
    }),
    "undo": ("/pad/{sheet}/change/", {"do": "undo", "sheet": "{sheet}"}, keeper_gets(302)),
    "enter": ("/pad/{sheet}/hand/", {}, keeper_gets(422)),
    "correct": ("/pad/{sheet}/hands/1/", {}, keeper_gets(422)),
    "invite": ("/pad/{sheet}/invite/", {"name": "bob", "seat": "1"}, keeper_gets(302)),
    "decline": ("/pad/invitations/{invitation}/", {"do": "decline"},
                {"private": NOTHING, "public": NOTHING,
                 "paper": (LOGIN, 302, 404, 404, 404, 404)}),  # charlie was invited
}  # fmt: skip

# What tests/test_doors.py walks in a private room, in a public one.
PUBLIC_ROOM: Mapping[str, Answers] = {
    "rooms/<id:room_id>/": SIGNED_IN,
    "rooms/<id:room_id>/tables/": SIGNED_IN,
    "rooms/<id:room_id>/members/": SIGNED_IN,
    "rooms/<id:room_id>/settings/": ALICE,
    "rooms/<id:room_id>/members/<id:member_id>/": (LOGIN, 404, 200, 200, 404, 404),
    "rooms/<id:room_id>/report/<id:message_id>/": NOTHING,
    "rooms/<id:room_id>/invitation/": POST_ONLY,
    "rooms/<id:room_id>/say/": POST_ONLY,
    "rooms/<id:room_id>/hide/": POST_ONLY,
    "rooms/<id:room_id>/join/": POST_ONLY,
    "rooms/<id:room_id>/leave/": POST_ONLY,
    "rooms/<id:room_id>/members/<id:member_id>/host/": POST_ONLY,
    "rooms/<id:room_id>/members/<id:member_id>/remove/": POST_ONLY,
    "tables/<id:table_id>/": SIGNED_IN,
    "tables/<id:table_id>/sit/": POST_ONLY,
    "tables/<id:table_id>/line/": POST_ONLY,
}

# A program, the same for everybody, and an archive: no pages.
FILES = ("pad/sw.js", "history/export/<id:export_id>/")

TO_DO = (
    "Addresses without a row. Of a sheet, replay, pad or player: add to ROWS in this file\n"
    '    "{0}": ("an address of it", SHEET),\n'
    "with what a GET answers to each of WHO (and to SENT what a POST does). Of anything else: add\n"
    "a row to READING in tests/test_doors.py; and if a room or a table stands in it, to\n"
    "PUBLIC_ROOM here what it answers in a public room.\nWithout one: {1}"
)


def test_every_address_has_its_row():
    there = set(routes(get_resolver().url_patterns))
    without = sorted(there - ROWS.keys() - READING.keys())
    assert not without, TO_DO.format(without[0], without)
    assert not ROWS.keys() & READING.keys(), "a row in one of the two files is enough"
    assert not (ROWS.keys() | READING.keys()) - there, "rows of addresses that are gone"
    in_rooms = {one for one in READING if "<id:room_id>" in one or "<id:table_id>" in one}
    without = sorted(in_rooms ^ PUBLIC_ROOM.keys())
    assert not without, TO_DO.format(without[0], without)


# --- the places, and who comes

RULES = rule_set({"preset": "complete"})


@pytest.fixture
def people(db):
    users = get_user_model().objects
    cast = {name: users.create_user(name, password="x") for name in (*WHO[1:5], "bob")}
    return {**cast, "admin": users.create_superuser("admin", password="x")}


@pytest.fixture
def browsers(people):
    found = {who: Client() for who in WHO}
    for who in WHO[1:]:
        found[who].force_login(people[who])
    return found


@pytest.fixture
def numbers(people, place):
    """What fills the addresses in one of the places."""
    began = timezone.now() - timedelta(days=3)
    seats = [SeatEntry(name, people[name].pk) for name in ("alice", "bob")]
    told = {"alice": people["alice"].pk, "dora": people["dora"].pk}
    members = [people[name].pk for name in ("alice", "bob", "dora")]
    public = place != "private"
    told["room"] = rooms.open_past_room(members, "Salle", RULES.as_dict(), began, public)
    told["table"] = Table.objects.get().pk
    hands = play_game(RULES, (10, 10), Random(1))
    if place == "paper":
        seats[1] = SeatEntry("Mamie", None, "name")
        results = list(on_paper(hands[:2], began, Random(1)))
        paper = PastSheet(
            RULES.as_dict(), seats, results, began, source="paper", first_dealer=0,
            keeper_id=people["keeper"].pk,
        )  # fmt: skip
        told["sheet"] = ledger.write_past([paper])[0]
        invited = pad.invite(told["sheet"], people["keeper"].pk, 1, people["charlie"].pk)
        told["invitation"] = invited if invited is not None else 1
    else:
        past = timed(hands, began, Pace.NONE, Random(1))
        game = table.PastGame(seats, RULES.as_dict(), began, past, ended_at=past[-1].ended_at)
        told["sheet"] = table.write_past(told["table"], [game])[0]
        told["invitation"] = 0
    told["token"] = shares.share(told["sheet"], people["alice"].pk)
    told["export"] = archive.begin(people["alice"].pk)
    tasks.build_export(told["export"])
    return told


def answer_of(response) -> object:
    if response.status_code == 302 and response.headers["Location"].startswith("/account/login/"):
        return LOGIN
    return response.status_code


def in_place(answers, place):
    return answers[place] if isinstance(answers, Mapping) else answers


@pytest.mark.parametrize("place", PLACES)
def test_everyone_reads_what_is_theirs(place, browsers, numbers):
    otherwise = {}
    for route, (address, answers) in ROWS.items():
        responses = [browsers[who].get(address.format(**numbers)) for who in WHO]
        for who, response in zip(WHO, responses, strict=True):
            if route not in FILES:
                proper(response, f"{address} {who}")
        said = tuple(map(answer_of, responses))
        if said != in_place(answers, place):
            otherwise[route] = {"expected": in_place(answers, place), "got": said}
    assert otherwise == {}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("what", SENT)
def test_everyone_changes_what_is_theirs(what, place, browsers, numbers):
    address, data, answers = SENT[what]
    said = []
    for who in WHO:
        sent = {name: value.format(**numbers) for name, value in data.items()}
        said.append(answer_of(browsers[who].post(address.format(**numbers), sent)))
    assert tuple(said) == answers[place]


@pytest.mark.parametrize("place", ["public"])
def test_a_public_room_is_open_to_all_who_signed_in(place, browsers, numbers):
    otherwise = {}
    for route, answers in PUBLIC_ROOM.items():
        address = READING[route][0].format(**numbers, person=numbers["dora"])
        said = tuple(answer_of(browsers[who].get(address)) for who in WHO)
        if said != answers:
            otherwise[route] = {"expected": answers, "got": said}
    assert otherwise == {}


@pytest.mark.parametrize("place", ["paper"])
def test_no_form_of_another_site_is_taken(place, browsers, numbers):
    for who in ("nobody", "alice", "keeper"):
        browsers[who].handler.enforce_csrf_checks = True
        for address, _answers in ROWS.values():
            assert browsers[who].post(address.format(**numbers)).status_code == 403, address


@pytest.mark.parametrize("place", ["private"])
def test_an_archive_is_not_kept_by_the_browser_after_signing_out(place, browsers, numbers):
    response = browsers["alice"].get("/history/export/{export}/".format(**numbers))
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("place", PLACES)
def test_a_link_that_was_revoked_opens_nothing(place, people, browsers, numbers):
    shares.revoke(numbers["sheet"], people["alice"].pk)
    for address, _answers in ROWS.values():
        if "{token}" in address:
            for who in WHO:
                assert browsers[who].get(address.format(**numbers)).status_code == 404


@pytest.mark.parametrize("place", ["private"])
def test_what_one_was_removed_from_opens_no_more(place, people, browsers, numbers):
    rooms.remove_member(numbers["room"], people["alice"].pk, people["dora"].pk)
    for route in ("sheets/<id:sheet_id>/", "sheets/<id:sheet_id>/hands/<id:number>/"):
        assert browsers["dora"].get(ROWS[route][0].format(**numbers)).status_code == 404


# --- the administration


def admin_addresses(patterns, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from admin_addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith("admin/"):
            yield route


@pytest.mark.parametrize("place", ["private"])
def test_the_administration_is_for_who_looks_after_the_site(place, browsers, numbers):
    found = list(admin_addresses(get_resolver().url_patterns))
    assert len(found) > 20
    for route in found:
        path = "/" + re.sub(r"<(\w+:)?\w+>", "1", route)
        for who in ("nobody", "charlie", "alice", "keeper"):
            wanted = (200, 302) if route == "admin/logout/" else (302, 403, 404)
            assert browsers[who].get(path).status_code in wanted, (route, who)


# What the administration shows to somebody of the staff who was given no right at all.
FOR_ALL_STAFF = {
    "admin/", "admin/jsi18n/", "admin/logout/", "admin/login/", "admin/password_change/",
    "admin/password_change/done/", "admin/(?P<url>.*)$",
}  # fmt: skip


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("place", ["private"])
def test_staff_without_a_right_open_nothing_and_do_nothing(method, place, people, numbers):
    helper = get_user_model().objects.create_user("aide", password="x", is_staff=True)
    browser = Client()
    browser.force_login(helper)
    target = str(people["charlie"].pk)
    sent = {"reason": "Parce que", "name": "alice", "do": "dismiss", "password1": "x"}
    for route in set(admin_addresses(get_resolver().url_patterns)) - FOR_ALL_STAFF:
        path = "/" + re.sub(r"<(\w+:)?\w+>", target, route)
        answer = getattr(browser, method)(path, sent)
        # 302: an old address of a row, led to the page that is refused; or a row that is not there.
        to = answer.headers.get("Location", "")
        led_on = answer.status_code == 302 and (to.endswith("/change/") or to == "/admin/")
        assert led_on or answer.status_code in (403, 404, 405), route
    person = get_user_model().objects.get(pk=people["charlie"].pk)
    assert person.is_active
    assert person.check_password("x")


@pytest.mark.parametrize("place", ["private", "public", "paper"])
def test_somebody_suspended_opens_what_a_visitor_does(place, people, browsers, numbers):
    """Alice was signed in; from the suspension on she is nobody."""
    suspensions.suspend([people["alice"]], "Triche")
    for address, _answers in ROWS.values():
        path = address.format(**numbers)
        hers, nobodys = (answer_of(browsers[who].get(path)) for who in ("alice", "nobody"))
        assert hers == nobodys, address
