"""Every door of the site, tried by everyone: what each gets is written down here, door by door.

A new address without a row here, or in test_who_may_open_what.py where sheets, replays, pads and
players are, fails the first test there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import URLPattern, URLResolver

from accounts.people import make_first_admin_link
from games import reading, rooms, table
from games.models import Room, Table

pytestmark = pytest.mark.django_db

WHO = ("anonymous", "stranger", "member", "player", "staff", "superuser")
FEW = ("anonymous", "player", "superuser")

OPEN = (200,) * 6
IN_ONLY = (302, 200, 200, 200, 200, 200)
ROOM_ONLY = (302, 404, 200, 200, 404, 404)
OWNER_ONLY = (302, 404, 404, 404, 404, 404)  # and the owner is none of WHO
OUT_ONLY = (200, 302, 302, 302, 302, 302)
NOBODY = (404,) * 6
SET_UP_ONLY = (302, 404, 404, 404, 404, 404)  # and none of WHO has set two steps up
GET_REFUSED = (405,) * 6
IN_GET_REFUSED = (302, 405, 405, 405, 405, 405)

# The route as it is written -> an address of it, and what a GET answers to each of WHO.
READING = {
    "": ("/", OPEN),
    "rules/": ("/rules/", OPEN),
    "help/": ("/help/", OPEN),
    "help/<slug:slug>/": ("/help/first-hand/", OPEN),
    "healthz/": ("/healthz/", OPEN),
    "jsi18n/": ("/jsi18n/", OPEN),
    "i18n/setlang/": ("/i18n/setlang/", (302,) * 6),
    "rooms/": ("/rooms/", IN_ONLY),
    "rooms/new/": ("/rooms/new/", IN_ONLY),
    "rooms/<id:room_id>/": ("/rooms/{room}/", ROOM_ONLY),
    "lobby/": ("/lobby/", IN_ONLY),
    "rooms/<id:room_id>/tables/": ("/rooms/{room}/tables/", ROOM_ONLY),
    "rooms/<id:room_id>/invitation/": ("/rooms/{room}/invitation/", IN_GET_REFUSED),
    "rooms/<id:room_id>/say/": ("/rooms/{room}/say/", IN_GET_REFUSED),
    "rooms/<id:room_id>/hide/": ("/rooms/{room}/hide/", IN_GET_REFUSED),
    "rooms/<id:room_id>/report/<id:message_id>/":
        ("/rooms/{room}/report/0/", (302, 404, 404, 404, 404, 404)),
    "rooms/<id:room_id>/join/": ("/rooms/{room}/join/", IN_GET_REFUSED),
    "rooms/<id:room_id>/settings/": ("/rooms/{room}/settings/", OWNER_ONLY),
    "rooms/<id:room_id>/leave/": ("/rooms/{room}/leave/", IN_GET_REFUSED),
    "rooms/<id:room_id>/members/": ("/rooms/{room}/members/", ROOM_ONLY),
    "rooms/<id:room_id>/members/<id:member_id>/":
        ("/rooms/{room}/members/{person}/", (302, 404, 200, 404, 404, 404)),
    "rooms/<id:room_id>/members/<id:member_id>/host/":
        ("/rooms/{room}/members/{person}/host/", IN_GET_REFUSED),
    "rooms/<id:room_id>/members/<id:member_id>/remove/":
        ("/rooms/{room}/members/{person}/remove/", IN_GET_REFUSED),
    "friends/": ("/friends/", IN_ONLY),
    "friends/invitations/<id:invitation_id>/": ("/friends/invitations/1/", IN_GET_REFUSED),
    "join/": ("/join/", OPEN),
    "f/<str:token>/": ("/f/none/", NOBODY),
    "j/<str:token>/": ("/j/{invitation}/", OPEN),
    "tables/<id:table_id>/": ("/tables/{table}/", ROOM_ONLY),
    "tables/<id:table_id>/sit/": ("/tables/{table}/sit/", IN_GET_REFUSED),
    "tables/<id:table_id>/line/": ("/tables/{table}/line/", IN_GET_REFUSED),
    "account/": ("/account/", IN_ONLY),
    "account/delete/": ("/account/delete/", IN_ONLY),
    "account/keep/": ("/account/keep/", (302,) * 6),  # for guests
    "account/table/": ("/account/table/", IN_GET_REFUSED),
    "account/zone/": ("/account/zone/", IN_GET_REFUSED),
    "account/letters/": ("/account/letters/", IN_GET_REFUSED),
    "account/letters/stop/<str:token>/": ("/account/letters/stop/none/", NOBODY),
    "first-admin/<str:token>/": ("/first-admin/{host}/", NOBODY),
    "account/signup/": ("/account/signup/", OUT_ONLY),
    "account/login/": ("/account/login/", OUT_ONLY),
    "account/logout/": ("/account/logout/", IN_ONLY),
    "account/inactive/": ("/account/inactive/", OPEN),
    "account/password/change/": ("/account/password/change/", IN_ONLY),
    "account/confirm/": ("/account/confirm/", IN_ONLY),
    "account/address/": ("/account/address/", IN_GET_REFUSED),
    "account/address/<str:token>/": ("/account/address/none/", NOBODY),
    "account/devices/": ("/account/devices/", IN_ONLY),
    "account/two-steps/": ("/account/two-steps/", IN_ONLY),
    "account/two-steps/sign-in/": ("/account/two-steps/sign-in/", (302,) * 6),
    "account/two-steps/confirm/": ("/account/two-steps/confirm/", (302,) * 6),
    "account/two-steps/app/": ("/account/two-steps/app/", (302,) * 6),  # the password first
    "account/two-steps/app/remove/": ("/account/two-steps/app/remove/", SET_UP_ONLY),
    "account/two-steps/codes/": ("/account/two-steps/codes/", SET_UP_ONLY),
    "account/two-steps/codes/new/": ("/account/two-steps/codes/new/", (302,) * 6),
    "account/two-steps/codes/download/": ("/account/two-steps/codes/download/", SET_UP_ONLY),
    "account/two-steps/keys/": ("/account/two-steps/keys/", IN_ONLY),
    "account/two-steps/keys/add/": ("/account/two-steps/keys/add/", (302,) * 6),
    "account/two-steps/keys/confirm/": ("/account/two-steps/keys/confirm/", (302,) * 6),
    "account/two-steps/keys/sign-in/": ("/account/two-steps/keys/sign-in/", (302,) * 6),
    "account/two-steps/keys/<int:pk>/remove/": ("/account/two-steps/keys/1/remove/", (302,) * 6),
    "account/password/set/": ("/account/password/set/", (302,) * 6),
    "account/password/reset/": ("/account/password/reset/", OPEN),
    "account/password/reset/done/": ("/account/password/reset/done/", OPEN),
    "account/^password/reset/key/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[-\\w]{1,100})/$":
        ("/account/password/reset/key/1-bent/", OPEN),
    "account/password/reset/key/done/": ("/account/password/reset/key/done/", OPEN),
}  # fmt: skip

# What a POST that changes nothing for those who may not answers to each of WHO.
WRITING = {
    "/": GET_REFUSED,
    "/rules/": GET_REFUSED,
    "/help/": GET_REFUSED,
    "/help/glossary/": GET_REFUSED,
    "/healthz/": GET_REFUSED,
    "/i18n/setlang/": (302,) * 6,
    "/rooms/": IN_GET_REFUSED,
    "/rooms/new/": (302, 422, 422, 422, 422, 422),
    "/rooms/{room}/": IN_GET_REFUSED,
    "/rooms/{room}/tables/": (302, 404, 302, 302, 404, 404),
    "/rooms/{room}/invitation/": (302, 404, 404, 404, 404, 404),
    "/rooms/{room}/say/": (302, 404, 302, 302, 404, 404),
    "/rooms/{room}/hide/": (302, 404, 404, 404, 404, 404),  # nobody has no number
    "/rooms/{room}/report/0/": OWNER_ONLY,
    "/rooms/{room}/join/": (302, 404, 404, 404, 404, 404),  # for public rooms only
    "/rooms/{room}/settings/": OWNER_ONLY,
    "/rooms/{room}/members/": IN_GET_REFUSED,
    "/rooms/{room}/members/{person}/host/": OWNER_ONLY,
    "/rooms/{room}/members/{person}/remove/": OWNER_ONLY,
    "/lobby/": IN_GET_REFUSED,
    "/friends/": (302,) * 6,
    "/friends/invitations/1/": (302,) * 6,
    "/f/none/": (302,) * 6,
    "/join/": (422,) * 6,
    "/j/no-such-invitation/": (404, 302, 302, 302, 302, 302),
    "/account/keep/": (302,) * 6,
    "/tables/{table}/": IN_GET_REFUSED,
    "/tables/{table}/sit/": (302, 404, 302, 302, 404, 404),
    "/sheets/{sheet}/": GET_REFUSED,
    "/first-admin/{host}/": NOBODY,
    "/account/": IN_ONLY,
    "/account/address/": (302,) * 6,
    "/account/address/none/": NOBODY,
    "/account/delete/": IN_ONLY,  # the password is asked first
    "/account/zone/": (302,) * 6,
    "/account/letters/": (302,) * 6,
    "/account/letters/stop/none/": NOBODY,
    "/account/password/change/": IN_ONLY,
}

# Models of the admin, and what its list answers to staff with every permission, and to superusers.
ADMIN_LISTS = {
    "accounts/user": (200, 200),
    "auth/group": (200, 200),
    "games/room": (200, 200),
    "games/game": (200, 200),
    "games/report": (200, 200),
    "games/message": (404, 404),
    "games/mute": (404, 404),
    "scoring/scoresheet": (200, 200),
    "games/hand": (404, 404),
    "games/move": (404, 404),
    "games/member": (404, 404),
    "games/table": (404, 404),
    "accounts/firstadminlink": (404, 404),
    "sessions/session": (404, 404),
    "account/emailaddress": (404, 404),
}


def routes(patterns, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if not route.startswith("admin/"):
                yield from routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test() -> None:
    reading.forget()


@pytest.fixture
def doors(db):
    """The browsers of everyone, and the numbers that fill the addresses."""
    users = get_user_model().objects
    dead_link = make_first_admin_link()
    cast = {
        "host": users.create_user("host", password="x"),
        "other": users.create_user("other", password="x"),
        "stranger": users.create_user("stranger", password="x"),
        "member": users.create_user("member", password="x"),
        "staff": users.create_user("staff", password="x", is_staff=True),
        "superuser": users.create_superuser("superuser", password="x"),
    }
    cast["player"] = cast["other"]
    cast["staff"].user_permissions.set(Permission.objects.all())
    room = rooms.open_room(cast["host"].pk, "Salle", {"preset": "complete"})
    invitation = Room.objects.get().invitation
    for name in ("other", "member"):
        rooms.join_room(invitation, cast[name].pk)
    table_id = Table.objects.get().pk
    table.sit_down(table_id, cast["other"].pk)
    sheet = table.look(table_id, cast["host"].pk)["sheet_id"]
    browsers = {"anonymous": Client()}
    for who in WHO[1:]:
        browsers[who] = Client()
        browsers[who].force_login(cast[who])
    numbers = {
        "room": room, "table": table_id, "sheet": sheet, "invitation": invitation,
        "host": dead_link, "person": cast["member"].pk,
    }  # fmt: skip
    return browsers, numbers


def walk(doors, address, method="get", people=WHO, **more):
    """What everyone got; each answer keeps the rules that hold for all of them."""
    browsers, numbers = doors
    answers = []
    for who in people:
        answer = getattr(browsers[who], method)(address.format(**numbers), **more)
        proper(answer, f"{method} {address} {who}")
        answers.append(answer)
    return answers


def proper(answer, where):
    headers = answer.headers
    assert answer.status_code < 500, where
    assert "default-src 'none'" in headers["Content-Security-Policy"], where
    assert headers["X-Content-Type-Options"] == "nosniff", where
    assert headers["Referrer-Policy"] == "same-origin", where
    assert "Cookie" in headers["Vary"], where
    asked_who = getattr(getattr(answer, "wsgi_request", None), "session", None)
    if asked_who is not None and asked_who.accessed:
        assert "no-store" in headers["Cache-Control"], where
        assert "private" in headers["Cache-Control"], where
    text = answer.content.decode()
    assert "Traceback" not in text, where
    for name, cookie in answer.cookies.items():
        assert cookie["samesite"] == "Lax", (where, name)


def statuses(answers):
    return tuple(answer.status_code for answer in answers)


@pytest.mark.parametrize("route", READING)
def test_everyone_reads_what_is_theirs(route, doors):
    address, expected = READING[route]
    assert statuses(walk(doors, address)) == expected


@pytest.mark.parametrize("address", WRITING)
def test_everyone_changes_what_is_theirs(address, doors):
    assert statuses(walk(doors, address, "post")) == WRITING[address]


# A mail program posts to it with nothing but the link, which is the right to it.
ITS_LINK_IS_ENOUGH = "/account/letters/stop/none/"


@pytest.mark.parametrize(
    "address", [address for address, _ in READING.values() if address != ITS_LINK_IS_ENOUGH]
)
def test_no_form_of_another_site_is_taken(address, doors):
    for browser in doors[0].values():
        browser.handler.enforce_csrf_checks = True
    answers = walk(doors, address, "post", FEW, data={"csrfmiddlewaretoken": "x" * 64})
    assert set(statuses(answers)) == {403}


@pytest.mark.parametrize("address", [address for address, _expected in READING.values()])
def test_other_methods_do_no_harm(address, doors):
    before = list(Room.objects.values_list("invitation", "code"))
    for method in ("put", "delete", "patch", "options", "trace"):
        walk(doors, address, method, people=("anonymous", "player"))
    assert list(Room.objects.values_list("invitation", "code")) == before


@pytest.mark.parametrize("model", ADMIN_LISTS)
def test_the_admin_lists_are_for_who_looks_after_the_site(model, doors):
    answers = walk(doors, f"/admin/{model}/")
    assert statuses(answers)[:4] == (302,) * 4
    assert statuses(answers)[4:] == ADMIN_LISTS[model]


@pytest.mark.parametrize(
    "page",
    ["games/room/{room}/", "games/game/1/", "scoring/scoresheet/{sheet}/",
     "accounts/user/{person}/"],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["change", "history", "delete"])
def test_the_admin_pages_open_and_hold_no_secret(page, verb, doors):
    _browsers, numbers = doors
    room = Room.objects.get()
    dealt = table.look(numbers["table"], room.owner_id)
    page = page.replace("/1/", f"/{dealt['game']['id']}/")
    answers = walk(doors, f"/admin/{page}{verb}/")
    assert statuses(answers)[:4] == (302,) * 4
    wanted = {403} if verb == "delete" else {200}
    assert set(statuses(answers)[4:]) == wanted
    for answer in answers:
        text = answer.content.decode()
        assert room.invitation not in text
        assert room.code not in text
        assert open_deck() not in text


def open_deck():
    return Table.objects.get().games.get().hands.get().deck


@pytest.mark.parametrize(
    "lookup",
    ["games/room/?code__startswith=A", "games/room/?invitation__gte=A", "games/room/?invitation=x",
     "games/game/?hands__deck__startswith=9s", "games/game/?table__room__code__startswith=A",
     "games/game/?sheet__game__hands__deck__contains=9s",
     "scoring/scoresheet/?game__hands__deck__startswith=9s",
     "accounts/user/?rooms_owned__invitation__startswith=A"],
)  # fmt: skip
def test_nobody_fishes_for_secrets_by_a_filter_in_the_address(lookup, doors):
    assert statuses(walk(doors, f"/admin/{lookup}")) == (302, 302, 302, 302, 400, 400)


NUMBERS = ("0", "9223372036854775807", "9223372036854775808", "9" * 30)


@pytest.mark.parametrize(
    "address",
    ["/rooms/%s/", "/tables/%s/", "/sheets/%s/", "/rooms/%s/tables/", "/rooms/%s/invitation/",
     "/tables/%s/sit/", "/admin/games/room/%s/change/", "/admin/accounts/user/%s/reset-link/",
     "/admin/games/game/%s/history/", "/admin/r/%s/%s/"],
)  # fmt: skip
def test_a_number_of_nothing_is_nothing(address, doors):
    for number in NUMBERS:
        for method in ("get", "post"):
            answers = walk(doors, address.replace("%s", number), method, FEW)
            assert 200 not in statuses(answers)


@pytest.mark.parametrize(
    "address",
    ["/j/%00/", "/j/a%00b/", "/join/?code=%00", "/first-admin/%00/", "/admin/%00",
     "/admin/games/room/?q=%00", "/admin/games/room/?name=%00", "/admin/games/room/%00/change/",
     "/admin/accounts/user/?username=a%00", "/account/login/?next=/%00", "/%00",
     "/static/%00", "/static/../ginrami/settings.py", "/static/%2e%2e/manage.py", "/%ff%fe/",
     "/j/%ed%a0%80/", "/rooms/-1/", "/rooms/1e3/", "/rooms/%D9%A1/",
     "/j/" + "x" * 3000 + "/", "/rooms/" + "9" * 5000 + "/"],
)  # fmt: skip
def test_a_bent_address_is_refused_plainly(address, doors):
    assert set(statuses(walk(doors, address, people=FEW))) <= {400, 404, 302}


HOSTILE = [
    "\x00", "a\x00b", "\u202egnikcah", "\u200b", "\ud83c\udccf".encode("utf-16", "surrogatepass")
    .decode("utf-16"), "' OR 1=1 --", "<script>alert(1)</script>", "{{ 7*7 }}", "%(name)s",
    "\u0301" * 50, "9" * 400, "x" * 100_000, "-1", "1e9", "\r\nSet-Cookie: a=b", "١٢",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_texts_in_every_field_are_refused_or_kept_as_text(text, doors):
    fields = [
        "name", "preset", "public", "target", "gin", "big_gin", "undercut", "layoffs", "format",
        "code", "username", "password", "password1", "login", "oldpassword", "email", "language",
        "next", "remember", "text",
    ]  # fmt: skip
    data = {name: ["twice", text] for name in fields}
    for address, _expected in READING.values():
        if address not in ("/account/logout/", "/healthz/"):
            for answer in walk(doors, address, "post", ("anonymous", "stranger"), data=data):
                assert "<script>alert" not in answer.content.decode()


def test_a_session_cookie_may_say_anything(doors):
    for said in ('"abcdefgh\\000"', "x" * 5000, "é" * 32, "a" * 32, "../../etc/passwd", "\\"):
        browser = Client(headers={"cookie": f"sessionid={said}"})
        assert browser.get("/rooms/").status_code == 302


def test_a_host_that_is_not_ours_is_refused(doors):
    for host in ("elsewhere.example", "localhost@elsewhere.example", "a\x00b", "localhost:99999x"):
        answers = walk(doors, "/account/login/", headers={"host": host})
        assert set(statuses(answers)) == {400}
        for answer in answers:
            assert "elsewhere" not in answer.content.decode()


def test_a_private_page_is_not_kept_by_the_browser_after_signing_out(doors):
    browsers, numbers = doors
    for address in ("/", "/rooms/", "/rooms/{room}/", "/tables/{table}/", "/sheets/{sheet}/",
                    "/account/", "/account/password/change/", "/admin/"):  # fmt: skip
        for who in ("player", "superuser"):
            answer = browsers[who].get(address.format(**numbers))
            assert "no-store" in answer.headers["Cache-Control"], address
