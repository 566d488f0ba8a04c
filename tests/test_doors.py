"""Every door of the site, tried by somebody who means harm: bent addresses, numbers of nothing,
hostile texts, hosts that are not ours. Who may open what is in tests/permissions.py.
"""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.people import make_first_admin_link
from games import reading, rooms, table
from games.models import Room, Table
from tests import world
from tests.permissions import PAGES
from tests.world import proper

pytestmark = pytest.mark.django_db

WHO = ("anonymous", "stranger", "member", "player", "staff", "superuser")
FEW = ("anonymous", "player", "superuser")


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


def statuses(answers):
    return tuple(answer.status_code for answer in answers)


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


# Wherever a form is taken, but where an answer would sign out.
FORMS = sorted({row.address for row in PAGES if row.method == "POST"} - {"/account/logout/"})


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_texts_in_every_field_are_refused_or_kept_as_text(text, db):
    fields = [
        "name", "preset", "public", "target", "gin", "big_gin", "undercut", "layoffs", "format",
        "code", "username", "password", "password1", "login", "oldpassword", "email", "language",
        "next", "remember", "text", "do", "reason", "user", "who", "room", "seat", "sheet", "zone",
        "close", "level", "number",
    ]  # fmt: skip
    data = {name: ["twice", text] for name in fields}
    site = world.site()
    for address in (*FORMS, "/account/login/", "/account/signup/"):
        for who in ("nobody", "charlie"):
            answer = site[0][who].post(address.format(**site[1]), data=data)
            proper(answer, address)
            assert "<script>alert" not in answer.content.decode()


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=é", "multipart/form-data"])
def test_a_form_that_cannot_be_read_is_refused_though_its_address_leads_nowhere(kind, db):
    for address in ("/nothing/", "/rooms/-1/hide/", "/join/"):
        assert Client().post(address, b"--b\r\n", content_type=kind).status_code == 400


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
