"""``manage.py demo``: a year of games by the real rules, that everybody can sign in to look at."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from itertools import count
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.models import User
from games import table
from games.audit import audit, parts
from games.demo import times
from games.demo.writing import fill
from games.fair.finding import proof_of
from games.fair.proof import faults
from games.management.commands.demo import beside_a_running_site, is_served
from games.models import Analysis, Game, Hand, Message, Move, Room, Table
from scoring.chips.auditing import audit as chips_audited
from scoring.models import (
    PadInvitation,
    ScoreLine,
    ScoreSheet,
    SheetHand,
    SheetSeat,
    Tally,
    Wager,
)
from tests.processes import prepare

ROOT = Path(__file__).resolve().parents[3]


def year(games=70, seed=11, people=6, now=None):
    now = now or timezone.now()
    zone = timezone.get_default_timezone()
    return fill(Random(seed), now, zone, "bois-mort-et-gin", people, games)


@pytest.fixture(autouse=True)
def quick(settings):
    """What the coach finds is the coach's to say."""
    settings.COACH_PLAYOUTS = 10


def demo(*arguments):
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_its_site_audits_clean_and_every_page_has_something_to_show():
    site = year()
    found = [audit(*part) for part in parts()]
    assert [line for one in found for line in one.differences] == []
    sheets = ScoreSheet.objects.filter(replaces=None)
    assert sheets.count() == 70 + 1 + 2  # the pad that was just begun, two against the computer
    hands = Hand.objects.filter(ended_at__isnull=False)
    assert {tuple(faults(proof_of(*hand))) for hand in hands.values_list("game", "number")} == {()}
    assert {"table", "paper"} == set(sheets.values_list("source", flat=True))
    assert {"target", "resigned", ""} <= set(sheets.values_list("how", flat=True))
    assert ScoreSheet.objects.filter(replaces__isnull=False).exists()
    kinds = set(SheetHand.objects.values_list("kind", flat=True))
    assert {"knock", "gin", "big_gin", "undercut", "first_knock", "void"} <= kinds
    assert {"shutout", "correction"} <= set(ScoreLine.objects.values_list("kind", flat=True))
    assert SheetSeat.objects.filter(kind="name", user=None).exists()
    assert {True, False} == set(Room.objects.values_list("is_public", flat=True))
    assert Game.objects.filter(ended_at=None, started_at__isnull=False).exists()
    assert Tally.objects.filter(user=site.friends[0]).count() > 15
    assert PadInvitation.objects.get().user == site.friends[0]
    assert Game.objects.filter(started_at=None, table__room__is_public=True).exists()
    assert {"money", "match"} <= set(Wager.objects.values_list("stakes__mode", flat=True))
    assert chips_audited().differences == []
    assert ScoreSheet.objects.filter(source="paper", keeper=site.friends[0], how="").exists()
    assert Message.objects.filter(table=None).exists()
    assert Message.objects.filter(table__isnull=False).exists()


@pytest.mark.django_db
def test_nothing_happens_in_the_future_or_out_of_order():
    now = timezone.now()
    year(games=20, now=now)
    for model, when in ((Move, "made_at"), (Message, "said_at"), (Hand, "dealt_at"),
                        (Room, "opened_at"), (Table, "opened_at"), (Game, "started_at"),
                        (ScoreSheet, "started_at")):  # fmt: skip
        times = model.objects.filter(**{f"{when}__isnull": False}).values_list(when, flat=True)
        assert max(times) <= timezone.now(), model
        assert max(times) - min(times) > timedelta(days=30) or model is Room, model
    for hand in Hand.objects.select_related("game__table__room"):
        moves = list(hand.moves.order_by("ply").values_list("made_at", flat=True))
        came = [hand.game.table.room.opened_at, hand.game.started_at, hand.dealt_at, *moves]
        assert came == sorted(came)
        assert hand.ended_at is None or hand.ended_at >= came[-1]


@pytest.mark.django_db
def test_a_pad_that_was_just_begun_is_not_over_however_quick_they_are(monkeypatch):
    on_paper = times.on_paper

    def at_once(hands, at, random):
        return [(result, at) for result, _written_at in on_paper(hands, at, random)]

    monkeypatch.setattr(times, "on_paper", at_once)
    site = year(games=3)
    assert ScoreSheet.objects.filter(source="paper", keeper=site.friends[0], how="").exists()


@pytest.mark.django_db
def test_the_same_seed_plays_the_same_year(monkeypatch):
    now = timezone.now()

    def made():
        numbers = count(1_000_000, 1_000)  # decks are made from the numbers of their games too
        monkeypatch.setattr(table, "reserve_game", lambda: next(numbers))
        with transaction.atomic():
            year(games=5, now=now)
            told = (
                list(Move.objects.order_by("made_at", "text").values_list("text", "made_at")),
                list(SheetSeat.objects.order_by("pk").values_list("name", "seat")),
            )
            transaction.set_rollback(True)
        return told

    assert made() == made()


@pytest.mark.django_db
def test_everyone_signs_in_with_the_password_that_is_printed_once():
    said = demo("--games=2", "--players=3")
    password = re.search(r"shown this once: (\S+)\n", said).group(1)
    names = re.search(r"Sign in as (.*)\.", said).group(1).split(", ")
    assert len(names) == 3
    for name in names:
        assert authenticate(username=name, password=password) is not None
    assert not User.objects.filter(is_staff=True).exists()
    asked = Analysis.objects.get().hand.game
    assert asked.table.room.practice
    assert {seat.user.bot for seat in asked.seats.select_related("user")} == {"", "regular"}


@pytest.mark.django_db
def test_it_waits_for_a_site_that_runs_and_says_plainly_where_it_cannot(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    assert not is_served()
    with (tmp_path / "server.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert is_served()
    if settings.EMBEDDED:
        with beside_a_running_site(), connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            assert cursor.fetchone() == (60_000,)
    # PostgreSQL has many writers: there it would be an error like any other.
    expected = (CommandError, "Stop it") if settings.EMBEDDED else (OperationalError, "locked")
    with pytest.raises(expected[0], match=expected[1]), beside_a_running_site():
        raise OperationalError("database is locked")


@pytest.mark.django_db
def test_it_does_not_touch_a_site_that_people_use(alice):
    with pytest.raises(CommandError, match="--yes-add"):
        demo("--games=2")
    assert User.objects.count() == 1
    demo("--games=2", "--players=2", "--yes-add")
    demo("--games=2", "--players=2", "--yes-add")
    assert User.objects.filter(username="Camille 2").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", ["--players=1", "--players=99", "--games=0"])
def test_a_number_that_cannot_be_is_refused_with_a_sentence(wrong):
    with pytest.raises(CommandError, match=wrong.split("=")[0]):
        demo(wrong)
    assert not User.objects.exists()


@pytest.mark.skipif(not settings.EMBEDDED, reason="a site of its own")
def test_a_fresh_site_is_filled_and_audited_by_several_processes(tmp_path):
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}

    def manage(*arguments):
        return subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, text=True, capture_output=True,
            env={**kept, "DATA_DIR": str(tmp_path), "COACH_PLAYOUTS": "10"}, check=False,
        )  # fmt: skip

    prepare({"DATA_DIR": str(tmp_path)})
    told = manage("demo", "--games", "4", "--players", "2")
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""  # no bar where there is no terminal
    done = manage("audit_sheets", "--processes", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"\d sheets, \d+ hands replayed, ", done.stdout)
    assert done.stderr == ""
