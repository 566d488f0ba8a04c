"""The log: what it says, and what it must never say."""

from __future__ import annotations

import logging
import re
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from games.models import Hand, Room
from ginrami.logs import Discreet, Plain
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
    assert {formatters[handler["formatter"]]["()"] for handler in handlers} == {
        "ginrami.logs.Discreet"
    }


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
