"""Whoever locks several rows does so in the order of ARCHITECTURE.md, so that no two wait for ever.

A verb is stopped at the row it must lock first; the one it locks later must still be free.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import Model

from accounts import guests
from accounts.models import User
from games import friends, merging, rooms, table
from games.farewell import say_farewell
from games.models import Game, Member, Room, Rotation
from games.presets import rule_set
from scoring import chips, ledger, pad
from scoring.chips import accounts
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ScoreSheet
from scoring.rules import HandResult
from tests.processes import wait_until
from tests.services.test_table_at_once import at_once, lock_waits

pytestmark = pytest.mark.django_db(transaction=True)

OTHER_RULES = {"preset": "complete", "target": 250}


def lock(row: Model, how: str = "UPDATE") -> None:
    """Lock a row now, or fail."""
    with connection.cursor() as cursor:
        name = connection.ops.quote_name(row._meta.db_table)
        wanted = f"SELECT 1 FROM {name} WHERE id = %s FOR {how} NOWAIT"  # noqa: S608 - our names
        cursor.execute(wanted, [row.pk])


@contextmanager
def stopped_at(row: Model, verb: Callable[[], object]):
    """While this verb waits for this row. It ends well once the row is free."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock(row)
            running = pool.submit(at_once, [verb])
            wait_until(lambda: lock_waits() == 1 or running.done(), 20, "the verb waits")
            assert not running.done()
            yield
        running.result(30)


@pytest.fixture
def over(room_id, alice, bob) -> Game:
    """A game of the room that is over, at a table where turns are taken."""
    place = rooms.open_table(room_id, bob.pk, rotation=Rotation.LOSER)
    return begun_and_resigned(place, alice, bob)


def begun_and_resigned(place: int, alice: User, bob: User) -> Game:
    table.sit_down(place, alice.pk)
    table.resign(place, bob.pk)
    return Game.objects.get(table_id=place)


@pytest.fixture
def later(room_id, over, alice, bob) -> Game:
    """A game that begins after that."""
    place = rooms.open_table(room_id, bob.pk)
    return Game.objects.get(table_id=place)


def test_a_room_that_changes_locks_all_its_games_by_number(room_id, over, later, alice):
    wanted = ("Salle", OTHER_RULES, False, "none", True)
    change = partial(rooms.change_room, room_id, alice.pk, *wanted)
    with stopped_at(over, change):
        lock(later)
    later.refresh_from_db()
    assert later.rules["target"] == 250


def test_who_leaves_a_room_locks_all_its_games_by_number(room_id, over, later, alice):
    with stopped_at(over, partial(rooms.leave, room_id, alice.pk)):
        lock(later)


def test_who_goes_for_good_locks_their_rooms_before_their_games(room_id, later, alice):
    table.sit_down(later.table_id, alice.pk)
    with stopped_at(Room.objects.get(pk=room_id), partial(say_farewell, alice.pk)):
        lock(later)
    later.refresh_from_db()
    assert later.ended_at is not None


def test_who_blocks_somebody_steps_aside_from_games_by_number(room_id, alice, bob, charlie):
    Room.objects.filter(pk=room_id).update(is_public=True)
    rooms.enter_public(room_id, charlie.pk)
    first, second = (opened(room_id, alice, bob) for _ in range(2))
    table.resign(first, bob.pk)
    for one in (alice, bob):
        table.rematch(first, one.pk)
    for place in (first, second):
        table.line_up(place, charlie.pk)
    early, late = Game.objects.filter(ended_at=None, started_at__isnull=False).order_by("pk")
    assert early.table_id == second
    with stopped_at(early, partial(friends.block, alice.pk, charlie.pk, True)):
        lock(late)


def opened(room_id: int, alice: User, bob: User) -> int:
    place = rooms.open_table(room_id, bob.pk, rotation=Rotation.LOSER)
    table.sit_down(place, alice.pk)
    return place


def test_a_merged_guest_has_their_rooms_locked_before_their_memberships(room_id, alice, charlie):
    guest = guests.arrive("Dédé")
    rooms.join_room(Room.objects.get(pk=room_id).invitation, guest.pk)
    with stopped_at(Room.objects.get(pk=room_id), partial(merging.merge, guest.pk, charlie.pk)):
        lock(Member.objects.get(user=guest))
    assert Member.objects.filter(user=charlie).exists()


def test_who_lets_a_sheet_go_leaves_the_key_of_its_first_edition_to_who_corrects_it(alice):
    rules = rule_set({}).as_dict()
    seats = [SeatEntry("alice", alice.pk, "person"), SeatEntry("Camille", None, "name")]
    hands = [HandResult(0, "knock", 1, 20)] * 2
    first = ledger.write_whole(rules, seats, hands, keeper_id=alice.pk)
    latest = ScoreSheet.objects.get(pk=ledger.edition(first, hands[:1]))
    with stopped_at(latest, partial(ledger.let_go, first, alice.pk)):
        lock(ScoreSheet.objects.get(pk=first), "KEY SHARE")


def test_who_opens_a_pad_leaves_their_key_to_who_asks_them_to_another(alice, bob):
    rules = rule_set({"preset": "points_only"}).as_dict()
    open_pad = partial(pad.open_pad, alice.pk, rules, ["", "Bob"], [None, bob.pk], me_seat=0)
    with stopped_at(bob, open_pad):
        lock(alice, "KEY SHARE")


def test_who_goes_with_a_shortfall_has_their_chips_locked_by_number(alice, bob):
    for one in (alice, bob):
        chips.ensure_starting_grant(one.pk)
    owed, house = accounts.shortfall_of(bob.pk), accounts.house()
    with transaction.atomic():
        held = accounts.locked([owed, house])
        moved = {owed.pk: Decimal(-35), house.pk: Decimal(35)}
        accounts.post(held, moved, "grant", reason="for a test", author="the host")
    wallet = ChipAccount.objects.get(user=bob, kind="wallet")
    assert house.pk < wallet.pk
    with stopped_at(house, partial(chips.forget, bob.pk)):
        lock(wallet)
    owed.refresh_from_db()
    assert owed.balance == 0
