"""The log: what it says, and what it must never say."""

from __future__ import annotations

import json
import logging
import re
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver
from django.utils.module_loading import import_string

from accounts import about
from games.models import Hand, Room
from ginrami import traffic
from ginrami.logs import Discreet, DiscreetJson, Plain
from tests.world import every_route

DECK = "9s3s2sKdAcTh4h5c6d7s8hQcJd"


def written(message, *args, error=None):
    record = logging.LogRecord("x", logging.ERROR, "f", 1, message, args, None)
    if error is not None:
        record.exc_info = (type(error), error, None)
    return Discreet("{message}", style="{").format(record)


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("Forbidden (CSRF token missing.): /j/s3cr3t_Token-1/", "s3cr3t"),
        ("Not Found: /s/s3cr3t_Token-1/hands/2/", "s3cr3t"),
        ("Refused: /account/login/?next=%2Fs%2Fs3cr3t_Token-1%2F", "s3cr3t"),
        ("Not Found: /first-admin/s3cr3t/", "s3cr3t"),
        ("Internal Server Error: /account/password/reset/key/1-s3cr3t/", "s3cr3t"),
        ("Forbidden: /account/login/?next=%2Fj%2Fs3cr3t%2F", "s3cr3t"),
        (f"Failing row contains (1, 2, {DECK}, null)", "3s2s"),
    ],
)
def test_secrets_are_masked(line, secret):
    for text in (written("%s", line), written(line), written("Oh", error=ValueError(line))):
        assert secret not in text
        assert "***" in text


def test_no_link_whose_address_is_the_right_to_it_is_written_in_a_log():
    known = every_route(get_resolver().url_patterns)
    found = [one for one in known if "token>" in one or "key>" in one]
    assert len(found) >= 8
    for route in found:
        numbered = "/" + re.sub(r"<(id|int):\w+>", "1", route.replace("^", ""))
        asked = re.sub(r"<\w+:\w+>|\(.*\)", "W3r4:1v_s3cr3t:-x", numbered)
        for address in (asked, quote(asked, safe=""), quote(asked)):
            assert "s3cr3t" not in written("Not Found: %s", address), route


@pytest.mark.parametrize(
    "line", ["Not Found: /rooms/12/", "Table 7: OperationalError", "GET /join/", "hash 5c6d7s8h9c"]
)
def test_the_rest_is_told_in_full(line):
    assert written("%s", line) == line


def test_every_handler_is_discreet():
    handlers = settings.LOGGING["handlers"].values()
    formatters = settings.LOGGING["formatters"]
    assert {formatters[handler["formatter"]]["()"] for handler in handlers} <= {
        "ginrami.logs.Discreet", "ginrami.logs.DiscreetJson"
    }
    for one in formatters.values():
        assert issubclass(import_string(one["()"]), Discreet)


def as_json(message, *args, error=None, **more):
    record = logging.LogRecord("x", logging.ERROR, "f", 1, message, args, None)
    record.exc_info = error and (type(error), error, None)
    vars(record).update(more)
    line = DiscreetJson().format(record)
    assert "\n" not in line
    return json.loads(line)


@pytest.mark.parametrize("line", ['Not Found: "/j/s3cr3t\\"', f'row "{DECK}"\nof s3cr3t /j/s3cr3t'])
def test_a_line_for_machines_is_masked_and_whole_whatever_stands_in_it(line):
    for said in (as_json("%s", line), as_json("Oh", error=ValueError(line))):
        text = said["message"] + said.get("error", "")
        assert "***" in text
        assert "/j/s3cr3t" not in text
        assert DECK not in text


def test_a_line_for_machines_says_what_it_is_about():
    about.begin(request="r1")
    about.note(table=7, game=12, message=99)
    said = as_json("Oh %s", 3, figures={"ms": 1.5})
    assert said["message"] == "Oh 3"
    assert (said["request"], said["table"], said["game"], said["ms"]) == ("r1", 7, 12, 1.5)
    about.begin()
    assert "game" not in as_json("Oh")


@pytest.mark.parametrize(
    ("proxies", "given", "kept"),
    [(1, b"0123456789abcdef", True), (0, b"0123456789abcdef", False), (1, b'a"}\n{forged', False)],
)
def test_a_request_has_the_name_a_trusted_proxy_gave_it_or_one_of_ours(
    settings, proxies, given, kept
):
    settings.TRUSTED_PROXIES = proxies
    traffic.begin({"headers": [(b"x-request-id", given)]})
    assert (about.ids()["request"] == given.decode()) is kept


@pytest.mark.django_db
def test_a_request_is_told_by_its_route_and_the_numbers_in_it(client, table_id, alice, caplog):
    client.force_login(alice)
    about.begin(request="r1")
    with caplog.at_level(logging.INFO, "ginrami.traffic"):
        assert client.get(f"/tables/{table_id}/").headers["X-Request-ID"] == "r1"
        client.get("/j/S3cret/")
    page, invitation = (one.figures for one in caplog.records if one.name == "ginrami.traffic")
    assert (page["route"], page["status"]) == ("tables/<id:table_id>/", 200)
    assert about.ids()["table"] == table_id
    assert "S3cret" not in str(invitation)


@pytest.mark.parametrize(
    ("more", "whole"), [({}, True), ({"status_code": 500}, True), ({"status_code": 400}, False)]
)
def test_what_a_visitor_does_wrong_is_one_line_and_what_we_do_wrong_is_told_whole(more, whole):
    record = logging.LogRecord("django.security", logging.ERROR, "f", 1, "Oh", (), None)
    record.exc_info = (ValueError, ValueError("why"), None)
    vars(record).update(more)
    assert Plain().filter(record)
    text = Discreet("{levelname} {message}", style="{").format(record)
    assert ("why" in text, text.startswith("ERROR")) == (whole, whole)


@pytest.mark.parametrize(
    ("name", "error", "whole"),
    [
        ("channels_redis.pubsub", ConnectionRefusedError("gone"), False),
        ("celery.beat", ConnectionRefusedError("gone"), False),
        ("django.db.backends.base", ConnectionRefusedError("gone"), False),
        ("channels_redis.pubsub", ValueError("wrong"), True),
        ("games.sockets", ConnectionRefusedError("gone"), True),
    ],
)
def test_a_server_out_of_reach_is_one_line_and_everything_else_is_told_whole(name, error, whole):
    args = ("Redis", ["  File"])
    record = logging.LogRecord(name, logging.ERROR, "f", 1, "Oh: %s\n%s", args, None)
    record.exc_info = (type(error), error, None)
    assert Plain().filter(record)
    text = Discreet("{message}", style="{").format(record)
    assert (str(error) in text, "\n" in text) == (whole, whole)
    assert "Oh: " in text
    assert whole or type(error).__name__ in text


def test_every_handler_is_plain():
    plain = {name for name, how in settings.LOGGING["filters"].items()
             if how["()"] == "ginrami.logs.Plain"}  # fmt: skip
    assert all(plain & set(one["filters"]) for one in settings.LOGGING["handlers"].values())


@pytest.mark.django_db
def test_a_refused_request_leaves_no_secret_in_the_log(alice, bob, caplog):
    from_her = Client(enforce_csrf_checks=True, raise_request_exception=False)
    from_her.force_login(alice)
    caplog.handler.setFormatter(Discreet("{message}", style="{"))
    from_her.post("/j/S3cretInvitation/")
    from_her.get("/first-admin/S3cretLink/")
    from_her.post("/account/password/reset/key/1-S3cretKey/")
    assert len(caplog.records) >= 3
    assert "S3cret" not in caplog.text
    assert Room.objects.count() == Hand.objects.count() == 0
