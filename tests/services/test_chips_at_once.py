"""Chips under real concurrency and with processes that die between two steps, on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum

from accounts.models import User
from games import rooms, table
from games.models import Game, Room, Table
from games.presets import rule_set
from scoring import chips, ledger
from scoring.chips.auditing import audit
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ChipEntry, ChipPosting
from scoring.rules import HandResult
from scoring.rules.stakes import Stakes
from tests.services.test_table_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)

STAKES = {"mode": "match", "amount": "300", "commission": "house"}
AT_ONCE = 8


@pytest.fixture(autouse=True)
def everything_adds_up():
    yield
    assert audit().differences == []
    assert not ChipAccount.objects.aggregate(sum=Sum("balance"))["sum"]


@transaction.atomic
def begin(*players: User, stakes: dict[str, str] = STAKES) -> int:
    seats = [SeatEntry(one.username, one.pk) for one in players]
    sheet = ledger.open_sheet(rule_set({"preset": "match_play"}).as_dict(), seats)
    chips.put_up(sheet, Stakes.from_dict(stakes), [one.pk for one in players], 7)
    return sheet


def won(*players: User) -> int:
    sheet = begin(*players)
    ledger.record_hand(sheet, 1, HandResult(0, "gin", 0, 90))
    return sheet


def money(*players: User) -> list[int]:
    return [int(chips.wallet(one.pk)) for one in players]


# --- at once


def test_eight_settlers_settle_once(alice, bob):
    sheet = won(alice, bob)
    answers = at_once([partial(ledger.write_bonuses, sheet)] * AT_ONCE)
    assert Counter(answers) == {True: 1, False: AT_ONCE - 1}
    assert money(alice, bob) == [1270, 700]
    assert ChipEntry.objects.filter(kind="settled").count() == 1


def test_a_late_task_and_a_correction_settle_by_the_correction(alice, bob):
    for _ in range(3):
        before = money(alice, bob)
        sheet = won(alice, bob)
        other = [HandResult(1, "gin", 0, 90)]
        answers = at_once(
            [*[partial(ledger.write_bonuses, sheet)] * 3, partial(ledger.edition, sheet, other)]
        )
        assert isinstance(answers[3], int)
        assert money(alice, bob) == [before[0] - 300, before[1] + 270]


def test_who_has_chips_for_three_games_begins_three_of_eight(alice, bob, charlie):
    chips.grant(bob.pk, Decimal(9000), "for all of them", "the host")
    pairs = [(alice, bob), (bob, alice)] * (AT_ONCE // 2)  # the other way round, too
    answers = at_once([partial(begin, *pair) for pair in pairs])
    assert answers.count("too_few_chips") == AT_ONCE - 3
    assert money(alice, bob) == [100, 9100]


def test_wallets_are_opened_once_by_whoever_comes_first(alice, bob, charlie):
    people = [alice, bob, charlie]
    give = [partial(chips.grant, one.pk, Decimal(5), "luck", "the host") for one in people]
    assert at_once(give * 3) == [None] * 9
    assert money(*people) == [1015] * 3
    assert ChipEntry.objects.filter(kind="start").count() == 3


def test_games_of_the_same_people_settle_side_by_side(alice, bob, charlie):
    chips.grant(alice.pk, Decimal(9000), "for all of them", "the host")
    sheets = [won(*pair) for pair in [(alice, bob), (charlie, alice), (alice, bob)]]
    calls = [partial(ledger.write_bonuses, sheet) for sheet in sheets]
    calls.append(partial(chips.grant, bob.pk, Decimal(1), "luck", "the host"))
    assert at_once(calls) == [True, True, True, None]
    assert money(alice, bob, charlie) == [10240, 401, 1270]


# --- cut short


def crash_everywhere(work: Callable[[], object], step: int = 1) -> int:
    """Do this with the connection lost at its first statement, a later one…; until it is done.

    The books must be as they were before, each time. Returns the last place it was lost at.
    """
    before = books()
    for place in range(1, 200, step):
        done = 0

        def lose(execute, sql, params, many, context, place: int = place):
            nonlocal done
            done += 1
            if done == place:
                context["connection"].connection.close()  # the server hears nothing more
            return execute(sql, params, many, context)

        try:
            with connection.execute_wrapper(lose):
                work()
        except DatabaseError:
            connection.close()
            assert books() == before, place
        else:
            return place - step
    raise AssertionError("it never came to an end")


def books() -> tuple[object, ...]:
    counts = [model.objects.count() for model in (ChipAccount, ChipEntry, ChipPosting)]
    ended = Game.objects.filter(ended_at__isnull=False).count()
    return (*counts, ended, *ChipAccount.objects.order_by("pk").values_list("balance", flat=True))


def test_a_settlement_cut_short_anywhere_settles_later_and_once(alice, bob):
    sheet = won(alice, bob)
    assert crash_everywhere(partial(ledger.write_bonuses, sheet)) > 15
    assert money(alice, bob) == [1270, 700]
    assert not ledger.write_bonuses(sheet)


def test_a_void_cut_short_anywhere_takes_nothing_back(alice, bob):
    sheet = won(alice, bob)
    ledger.write_bonuses(sheet)
    chips.grant(alice.pk, Decimal(-1200), "spent", "the host")
    assert crash_everywhere(partial(ledger.void, sheet), step=3) > 20
    assert money(alice, bob) == [0, 1000]
    assert chips.shortfalls()[0].amount == 200


@pytest.fixture
def staked(alice, bob) -> int:
    """Alice waits at a table of a room that plays for chips."""
    room = rooms.open_room(alice.pk, "Jeu", {"preset": "match_play"}, stakes=STAKES)
    rooms.join_room(Room.objects.get(pk=room).invitation, bob.pk)
    return Table.objects.get(room_id=room).pk


def test_a_start_cut_short_anywhere_takes_no_chips(staked, bob, alice):
    """A wallet is never debited for a game that did not start."""
    assert crash_everywhere(partial(table.sit_down, staked, bob.pk), step=3) > 30
    assert Game.objects.get(table_id=staked).started_at is not None
    assert money(alice, bob) == [700, 700]
