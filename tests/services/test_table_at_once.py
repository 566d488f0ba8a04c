"""Many clicks at one table at the same instant, on PostgreSQL: one of them counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts import sessions
from accounts.refusal import Refusal
from games import clicks, dealing, reading, rooms, table
from games.models import Game, GameSeat, Hand, Move, Room, Table, Waiting
from games.table import Click, Made
from scoring import ledger
from scoring.models import ScoreLine, ScoreSheet
from tests.games.players import Seat, choose, deal_alike, play_hand, seats_of
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

CLICKS = 8


def at_once(calls: list[Callable[[], object]]) -> list[object]:
    """Make all calls at the same instant, each on its own connection; results or refusal codes."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            connection.ensure_connection()
            gate.wait(10)
            return call()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_eight_identical_clicks_are_one_move_all_along_a_hand(table_id, alice, bob):
    seats = seats_of(table_id, [alice.pk, bob.pk])
    while True:
        view = table.look(table_id, alice.pk)
        if view["state"] != "playing" or view["at"][1] > 24:
            break
        mover = seats[view["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        text, at = choose(seen["hand"]), tuple(seen["at"])
        answers = at_once([partial(table.make_move, table_id, mover, text, at)] * CLICKS)
        # Those that find the hand over are told so; all others are stale.
        assert Counter(answers)[None] == 1
        assert set(answers) <= {None, "stale", "no_game"}
    plies = list(Move.objects.order_by("ply").values_list("ply", flat=True))
    assert plies == list(range(1, len(plies) + 1))
    assert ScoreLine.objects.count() <= 1


def test_a_move_made_at_once_by_both_ways_is_one_move(table_id, alice, bob):
    browsers = {person.pk: Client() for person in (alice, bob)}
    for person in (alice, bob):
        browsers[person.pk].force_login(person)
    held = {
        person.pk: sessions.pass_of(person, browsers[person.pk].session) for person in (alice, bob)
    }
    seats = seats_of(table_id, list(held))
    for ply in range(1, 9):
        view = table.look(table_id, alice.pk)
        mover = seats[view["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        text, at = choose(seen["hand"]), tuple(seen["at"])
        long = partial(table.make_move, table_id, mover, text, at)
        short = partial(table.make_and_look, [Click(table_id, held[mover], text, at, None)])
        answers = at_once([short, short, short, long])
        made = [answer == [[]] for answer in answers[:3]] + [answers[3] is None]
        assert sum(made) == 1
        assert Move.objects.count() == ply


def test_a_hand_that_is_ended_at_once_by_both_ways_is_ended_once(
    monkeypatch, waiting, alice, bob
):
    """And an administrator's line is on the sheet by then, whichever comes first."""
    deal_alike(monkeypatch)
    table.sit_down(waiting, bob.pk)
    seats = [Seat(person, waiting) for person in (alice, bob)]
    while True:
        mover = next(one for one in seats if one.acts())
        at, text = mover.stands()
        click = Click(waiting, mover.held, text, at, None)
        if text.startswith(clicks.ENDS_A_HAND):
            break
        table.make_and_show(click)
    sheet = Game.objects.get().sheet
    correct = partial(ledger.write_correction, sheet.pk, 0, 1, "why", "who")
    answers = at_once([partial(table.make_and_show, click)] * 4 + [correct])
    assert sum(isinstance(answer, Made) for answer in answers) == 1
    assert Hand.objects.get().ended_at is not None
    assert sheet.hands.count() == sheet.lines.exclude(hand=None).count() == 1
    assert sheet.lines.filter(kind="correction").count() == 1
    assert ledger.audited([sheet.pk])[0].differences == []


def test_a_table_that_somebody_holds_keeps_no_other_waiting(table_id, alice, bob):
    other = Table.objects.create(room_id=Table.objects.get().room_id, number=2).pk
    table.lay(other)
    clicks = []
    for laid in (other, table_id):
        if laid == other:
            for person in (alice, bob):
                table.sit_down(other, person.pk)
        seats = [Seat(person, laid) for person in (alice, bob)]
        mover = next(one for one in seats if one.acts())
        at, text = mover.stands()
        clicks.append(Click(laid, mover.held, text, at, None))
    with transaction.atomic():
        Game.objects.select_for_update().get(table_id=other)
        assert at_once([partial(table.make_and_look, clicks)]) == [[None, []]]
    assert table.make_and_look(clicks[:1]) == [[]]


def test_both_players_clicking_at_once_never_corrupt_the_hand(table_id, alice, bob):
    people = [alice.pk, bob.pk]
    for _ in range(40):
        views = {person: table.look(table_id, person) for person in people}
        if views[alice.pk]["state"] != "playing":
            break
        texts = {}
        for person, view in views.items():
            texts[person] = choose(view["hand"]) if view["hand"]["legal"] else "draw stock"
        at_once(
            [
                partial(
                    table.make_move, table_id, person, texts[person], tuple(views[person]["at"])
                )
                for person in people
                for _ in range(3)
            ]
        )
        reading.forget()
        assert table.look(table_id, alice.pk)["at"][1] == Move.objects.count()
        assert table.look(table_id, alice.pk)["at"][1] == views[alice.pk]["at"][1] + 1


def test_eight_friends_at_once_find_one_free_seat(waiting, alice, bob, charlie):
    invite = rooms.room_page(Table.objects.get().room_id, alice.pk)["invite"]
    rooms.join_room(invite, charlie.pk)
    people = [bob.pk, charlie.pk] * 4
    answers = at_once([partial(table.sit_down, waiting, person) for person in people])
    assert Counter(answers) == {1: 4, "full": 4}
    assert GameSeat.objects.count() == 2
    assert Hand.objects.count() == 1
    assert ScoreSheet.objects.count() == 1


def test_both_leaving_the_showdown_at_once_get_one_next_hand(table_id, alice, bob):
    play_hand(table_id, [alice.pk, bob.pk])
    at_once([partial(table.ready, table_id, person) for person in [alice.pk, bob.pk] * 4])
    assert list(Hand.objects.order_by("number").values_list("number", flat=True)) == [1, 2]


def test_both_pressing_rematch_at_once_get_one_new_game(table_id, alice, bob):
    for round_number in range(1, 6):
        table.resign(table_id, alice.pk)
        at_once([partial(table.rematch, table_id, person) for person in [alice.pk, bob.pk] * 4])
        assert Game.objects.count() == round_number + 1
        assert ScoreSheet.objects.count() == round_number + 1
        assert table.look(table_id, bob.pk)["state"] == "playing"


def test_resigning_against_a_move_ends_the_game_once(table_id, alice, bob):
    view = table.look(table_id, alice.pk)
    mover = seats_of(table_id, [alice.pk, bob.pk])[view["hand"]["to_act"]]
    at_once(
        [partial(table.make_move, table_id, mover, "pass", (1, 0))] * 4
        + [partial(table.resign, table_id, person) for person in [alice.pk, bob.pk] * 2]
    )
    sheet = ScoreSheet.objects.get()
    assert sheet.how == "resigned"
    assert not Hand.objects.filter(ended_at=None).exists()
    assert Game.objects.get().ended_at is not None
    assert Move.objects.count() <= 1


def test_a_click_that_waited_while_the_game_ended_is_not_played_in_the_next_one(
    table_id, alice, bob, monkeypatch
):
    """Its place, hand 1 and ply 0, is there again in the rematch; the game is not."""
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    people = [alice.pk, bob.pk]
    table.resign(table_id, alice.pk)
    for person in people:
        table.rematch(table_id, person)
    view = table.look(table_id, alice.pk)
    mover = seats_of(table_id, people)[view["hand"]["to_act"]]
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            table.resign(table_id, bob.pk)
            late = partial(table.make_move, table_id, mover, "pass", (1, 0))
            click = pool.submit(at_once, [late])
            wait_until(somebody_waits_for_a_lock, 10, "the click waits for the game")
            for person in people:
                table.rematch(table_id, person)
        assert click.result(10) == ["no_game"]
    assert Move.objects.count() == 0


@pytest.fixture
def turns(waiting, alice, bob, charlie):
    """Alice and Bob play where turns are taken, and Charlie is a member."""
    room_id = Table.objects.get().room_id
    table.sit_down(waiting, bob.pk)
    rooms.join_room(Room.objects.get().invitation, charlie.pk)
    opened = rooms.open_table(room_id, alice.pk, "loser")
    table.sit_down(opened, bob.pk)
    return opened


def test_lining_up_eight_times_at_once_is_one_place(turns, charlie):
    assert at_once([partial(table.line_up, turns, charlie.pk)] * CLICKS) == [None] * CLICKS
    assert Waiting.objects.count() == 1


@pytest.mark.parametrize("over", [True, False])
def test_who_is_removed_while_they_line_up_stands_in_no_line(over, turns, alice, bob, charlie):
    """They would be waited for a minute after each game, for ever."""
    room_id = Table.objects.get(pk=turns).room_id
    if over:
        table.resign(turns, bob.pk)
    for _ in range(6):
        rooms.join_room(Room.objects.get().invitation, charlie.pk)
        at_once(
            [
                partial(table.line_up, turns, charlie.pk),
                partial(rooms.remove_member, room_id, alice.pk, charlie.pk),
            ]
        )
        assert not charlie.memberships.exists()
        assert not Waiting.objects.exists()


def test_a_place_in_line_asked_for_before_the_removal_goes_with_it(turns, alice, bob, charlie):
    """The same in the worst order: the line is joined after those in it were sent away."""
    room_id = Table.objects.get(pk=turns).room_id
    table.resign(turns, bob.pk)
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            Game.objects.select_for_update().filter(table_id=turns).latest("number")
            asking = pool.submit(at_once, [partial(table.line_up, turns, charlie.pk)])
            wait_until(somebody_waits_for_a_lock, 10, "the place in line waits for the game")
            removing = partial(rooms.remove_member, room_id, alice.pk, charlie.pk)
            gone = pool.submit(at_once, [removing])
            wait_until(lambda: gone.done() or lock_waits() > 1, 10, "the removal is under way")
        asking.result(10)
        assert gone.result(10) == [None]
    assert not Waiting.objects.exists()


def somebody_waits_for_a_lock() -> bool:
    return lock_waits() > 0


def lock_waits() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return int(cursor.fetchone()[0])


def test_joining_a_room_eight_times_at_once_makes_one_member(waiting, alice, charlie):
    invite = rooms.room_page(Table.objects.get().room_id, alice.pk)["invite"]
    answers = at_once([partial(rooms.join_room, invite, charlie.pk)] * CLICKS)
    assert len(set(answers)) == 1
    assert charlie.memberships.count() == 1


def test_opening_a_table_eight_times_at_once_opens_one(waiting, alice, bob):
    room_id = Table.objects.get().room_id
    answers = at_once([partial(rooms.open_table, room_id, bob.pk)] * CLICKS)
    assert len(set(answers)) == 1
    assert Table.objects.count() == 2
