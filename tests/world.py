"""A site with everybody on it, for the tables of tests/permissions.py: who may do what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from accounts import addresses, guests, letters, people, suspensions
from accounts.models import User
from games import friends, rooms, table, talk, tasks
from games.demo.playing import play_game
from games.demo.times import on_paper, timed
from games.fair.chain import Sealed
from games.models import Game, Member, Message, Pace, Report, Room, RoomInvitation, Table
from games.presets import rule_set
from scoring import archive, ledger, pad, shares
from scoring.ledger import PastSheet, SeatEntry
from scoring.models import PadInvitation

# One column each: signed out; a guest, member of both rooms; the host, who plays; who plays with
# her, and keeps the paper; a member; somebody else, who may watch where all may; a suspended
# member; who looks after the site, with every right but no superuser; a superuser.
WHO = ("nobody", "camille", "alice", "bob", "dora", "charlie", "eve", "staff", "chief")
RULES = rule_set({"preset": "complete"})
PASSWORD = "violette-et-bois-mort-7"


def site() -> tuple[dict[str, Client], dict[str, Any]]:
    """Everybody's browser, and what fills the addresses."""
    dead = people.make_first_admin_link()
    everybody = cast()
    found = browsers(everybody)
    return found, {**numbers(everybody), "dead": dead}


def cast() -> dict[str, User]:
    """Everybody but nobody. Eve is suspended once she is signed in."""
    users = get_user_model().objects
    found = {name: users.create_user(name, password=PASSWORD) for name in WHO[2:7]}
    found["camille"] = guests.arrive("camille")
    found["staff"] = users.create_user("staff", password=PASSWORD, is_staff=True)
    found["staff"].user_permissions.set(Permission.objects.all())
    found["chief"] = users.create_superuser("chief", password=PASSWORD)
    for name in ("staff", "chief"):  # an app they sign in with; nothing here asks its secret
        Authenticator.objects.create(user=found[name], type=Authenticator.Type.TOTP, data={})
    return found


def browsers(people_: Mapping[str, User]) -> dict[str, Client]:
    """Everybody's browser, in English, signed in."""
    found = {who: Client(headers={"accept-language": "en"}) for who in WHO}
    for who in WHO[1:]:
        found[who].force_login(people_[who])
    suspensions.suspend([people_["eve"]], "Triche")
    return found


def numbers(people_: Mapping[str, User]) -> dict[str, Any]:
    """What fills the addresses: a private room with its table, sheet and share link, and the same
    of a public one and of a game with real cards."""
    told: dict[str, Any] = {name: person.pk for name, person in people_.items()}
    for before, public in (("", False), ("open_", True)):
        told |= {before + what: number for what, number in _room(people_, public).items()}
    told |= a_paper(people_) | _links(people_)
    told["export"] = archive.begin(people_["alice"].pk)
    tasks.build_export(told["export"])
    friends.ask(people_["alice"].pk, "charlie")
    friends.accept(people_["charlie"].pk, people_["alice"].pk)
    friends.invite(told["room"], people_["alice"].pk, people_["charlie"].pk)
    told["asked"] = RoomInvitation.objects.get().pk
    return told


def _room(people_: Mapping[str, User], public: bool) -> dict[str, Any]:
    began = timezone.now() - timedelta(days=3)
    members = [people_[name].pk for name in ("alice", "bob", "dora", "eve")]
    room_id = rooms.open_past_room(members, "Salle", RULES.as_dict(), began, public)
    Member.objects.create(room_id=room_id, user=people_["camille"])
    at = Table.objects.get(room_id=room_id)
    sealed = Sealed(table.reserve_game(), bytes(32), (b"\1" * 32, b"\2" * 32))
    played = play_game(RULES, (10, 10), Random(1), sealed=sealed)
    past = timed(played, began, Pace.NONE, Random(1))
    seats = [SeatEntry(name, people_[name].pk) for name in ("alice", "bob")]
    ended = past[-1].ended_at
    game = table.PastGame(seats, RULES.as_dict(), began, past, ended_at=ended, sealed=sealed)
    sheet_id = table.write_past(at.pk, [game])[0]
    line = talk.say(room_id, None, people_["bob"].pk, "Bonsoir")
    room = Room.objects.get(pk=room_id)
    Message.objects.filter(pk=line).update(said_at=began)  # so that he may write again at once
    talk.report(line, people_["eve"].pk)
    return {
        "room": room_id, "table": at.pk, "sheet": sheet_id, "line": line,
        "game": Game.objects.get(sheet_id=sheet_id).pk, "report": Report.objects.last().pk,
        "link": room.invitation, "token": shares.share(sheet_id, people_["alice"].pk),
    }  # fmt: skip


def a_paper(people_: Mapping[str, User]) -> dict[str, Any]:
    """Bob writes; Alice plays against somebody who has no account: Dora is asked if it is her."""
    began = timezone.now() - timedelta(days=2)
    results = list(on_paper(play_game(RULES, (10, 10), Random(1))[:2], began, Random(1)))
    seats = [SeatEntry("alice", people_["alice"].pk), SeatEntry("Mamie", None, "name")]
    paper = PastSheet(
        RULES.as_dict(), seats, results, began, source="paper", first_dealer=0,
        keeper_id=people_["bob"].pk,
    )  # fmt: skip
    sheet_id = ledger.write_past([paper])[0]
    pad.invite(sheet_id, people_["bob"].pk, 1, people_["dora"].pk)
    invited = PadInvitation.objects.get().pk
    token = shares.share(sheet_id, people_["alice"].pk)
    return {"paper": sheet_id, "paper_token": token, "invitation": invited}


def _links(people_: Mapping[str, User]) -> dict[str, str]:
    """The secrets that stand in letters and on the host's terminal."""
    alice = people_["alice"]
    return {
        "confirming": addresses._links.sign_object([alice.pk, alice.email]),
        "stopping": letters.ending_path(alice.pk).split("/")[-2],
        "resetting": people.reset_path(alice).split("/")[-2],
    }


# --- what holds of every address and every answer


def every_route(patterns: Any, before: str = "") -> Iterator[str]:
    """The addresses of the site, as they are written in the code."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from every_route(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


def proper(answer: Any, where: str) -> None:
    """The rules that hold for all pages."""
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
    text = answer.content.decode(errors="replace")
    assert "Traceback" not in text, where
    for name, cookie in answer.cookies.items():
        assert cookie["samesite"] == "Lax", (where, name)
