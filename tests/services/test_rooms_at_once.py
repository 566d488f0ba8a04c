"""Friends who settle things at the same instant, on PostgreSQL: one order of events, whichever."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from games import dealing, presence, reading, rooms, table
from games.models import (
    CallOff,
    Game,
    GameSeat,
    Hand,
    Heartbeat,
    Member,
    Move,
    Room,
    Table,
    Waiting,
)
from games.presence import Spot
from games.rooms import joining
from scoring.models import ScoreSheet
from tests.processes import wait_until
from tests.services.test_table_at_once import at_once, lock_waits

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
ROUNDS = 5


@pytest.fixture
def first(table_id, alice, bob, monkeypatch):
    """Alice, at seat 0, is the first to act in every game."""
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    begin_anew(table_id, alice, bob)
    return table_id


def begin_anew(table_id, alice, bob):
    """The next game, whose first to act is Alice."""
    if Game.objects.filter(table_id=table_id, ended_at=None).exists():
        table.resign(table_id, bob.pk)
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    reading.forget()


def test_an_agreement_against_a_move_ends_the_game_once_with_or_without_the_move(
    first, alice, bob
):
    for _ in range(ROUNDS):
        table.call_off(first, bob.pk, "offer")
        move, *agreed = at_once(
            [partial(table.make_move, first, alice.pk, "pass", (1, 0))]
            + [partial(table.call_off, first, alice.pk, "accept")] * 3
        )
        assert Counter(agreed) == {None: 1, "no_game": 2}
        assert move in (None, "no_game")
        game = Game.objects.latest("pk")
        assert Move.objects.filter(hand__game=game).count() == (move is None)
        assert game.ended_at is not None
        assert ScoreSheet.objects.get(pk=game.sheet_id).how == "called_off"
        begin_anew(first, alice, bob)


def test_offers_that_cross_at_once_are_an_agreement_or_one_offer_answered(first, alice, bob):
    for _ in range(ROUNDS):
        people = (alice.pk, bob.pk)
        at_once([partial(table.call_off, first, person, "offer") for person in people])
        assert Game.objects.latest("pk").ended_at is not None
        assert not CallOff.objects.filter(game=Game.objects.latest("pk")).exists()
        begin_anew(first, alice, bob)


@pytest.fixture
def long_alone(first, bob, monkeypatch):
    """Nobody has seen Alice for an hour, and it is her turn."""
    long_ago = timezone.now() - HOUR
    monkeypatch.setattr(presence, "STARTED", long_ago)
    monkeypatch.setattr("games.clocks.GONE_AFTER", timedelta())
    cache.set(presence.STORE_SINCE, int(long_ago.timestamp() * 1000), None)
    Heartbeat.objects.create(pk=1, beat_at=timezone.now(), started_at=long_ago)
    presence.seen(first, 1, bob.pk)
    return first


def test_who_comes_back_and_plays_as_the_game_is_claimed_has_either_played_or_lost(
    long_alone, alice, bob
):
    outcomes = set()
    for _ in range(ROUNDS):

        def return_and_play():
            presence.seen(long_alone, 0, alice.pk)
            table.make_move(long_alone, alice.pk, "pass", (1, 0))

        answers = at_once([return_and_play, *[partial(table.claim, long_alone, bob.pk)] * 3])
        game = Game.objects.latest("pk")
        claimed = game.ended_at is not None
        outcomes.add(claimed)
        assert Counter(answers[1:])[None] == claimed
        # Played first and claimed all the same: never, for she was seen before she played.
        assert answers[0] == ("no_game" if claimed else None)
        assert Move.objects.filter(hand__game=game).count() == (not claimed)
        begin_anew(long_alone, alice, bob)
        presence.left(Spot("table", long_alone, alice.pk, plays=True))


def test_claim_adjourn_and_wait_at_once_are_one_of_them(long_alone, alice, bob):
    verbs = (table.claim, table.adjourn, table.resign)
    for _ in range(ROUNDS):
        answers = at_once([partial(verb, long_alone, bob.pk) for verb in verbs * 2])
        game = Game.objects.latest("pk")
        assert game.ended_at is not None  # resigning is always free to do
        assert Counter(answers)[None] in (1, 2)  # put aside first, then given up
        assert game.hands.filter(ended_at=None).count() == 0
        begin_anew(long_alone, alice, bob)


# --- rooms


@pytest.fixture
def three(waiting, charlie):
    room = Room.objects.get()
    rooms.join_room(room.invitation, charlie.pk)
    return room


def test_a_room_passed_on_while_its_heir_is_removed_keeps_a_host_who_is_there(
    three, alice, bob, charlie
):
    for _ in range(ROUNDS):
        at_once(
            [
                partial(rooms.pass_on, three.pk, alice.pk, charlie.pk),
                partial(rooms.remove_member, three.pk, alice.pk, charlie.pk),
                partial(rooms.leave, three.pk, charlie.pk),
                partial(rooms.pass_on, three.pk, alice.pk, bob.pk),
            ]
        )
        three.refresh_from_db()
        assert Member.objects.filter(room=three, user_id=three.owner_id).exists()
        Room.objects.filter(pk=three.pk).update(owner=alice)
        Member.objects.get_or_create(room=three, user=charlie)


def test_who_sits_down_while_they_are_removed_plays_or_is_gone(three, waiting, alice, charlie):
    """And the host may save the settings meanwhile: nobody waits for each other for ever."""
    rules = {"preset": "complete"}
    for _ in range(ROUNDS):
        answers = at_once(
            [
                partial(table.sit_down, waiting, charlie.pk),
                partial(rooms.remove_member, three.pk, alice.pk, charlie.pk),
                partial(
                    rooms.change_room, three.pk, alice.pk, "Salle", rules, False, "none", True
                ),
            ]
        )
        assert answers[0] in (1, "not_found")
        assert answers[1] in (None, "still_playing")
        assert answers[2] is None
        member = Member.objects.filter(room=three, user=charlie).exists()
        seated = GameSeat.objects.filter(user=charlie, game__ended_at=None).exists()
        assert member == seated
        if seated:
            table.resign(waiting, charlie.pk)
            waiting = rooms.open_table(three.pk, alice.pk)
        else:
            Member.objects.create(room=three, user=charlie)


DOORS = {
    "link": lambda room, person: rooms.join_room(room.invitation, person),
    "code": lambda room, person: rooms.join_by_code(room.code, person),
}


@pytest.mark.parametrize("door", DOORS)
def test_who_is_removed_does_not_come_back_through_a_door_that_is_being_shut(
    door, three, alice, charlie, monkeypatch
):
    come_in, trying, removals = joining._join, threading.Event(), []

    def slowly(*who):
        trying.set()
        wait_until(lambda: bool(removals), 10, "somebody removes them")
        wait_until(lambda: removals[0].done() or lock_waits() > 0, 10, "the removal is under way")
        return come_in(*who)

    monkeypatch.setattr(joining, "_join", slowly)
    with ThreadPoolExecutor(2) as pool:
        coming = pool.submit(at_once, [partial(DOORS[door], three, charlie.pk)])
        assert trying.wait(10)
        removal = partial(rooms.remove_member, three.pk, alice.pk, charlie.pk)
        removals.append(pool.submit(at_once, [removal]))
        coming.result(20)
        assert removals[0].result(20) == [None]
    assert not Member.objects.filter(room=three, user=charlie).exists()


def test_two_strangers_at_the_last_seat_of_a_public_table_are_one_player_and_no_member_too_many(
    waiting, alice, charlie, django_user_model
):
    Room.objects.update(is_public=True)
    dan = django_user_model.objects.create_user(username="dan")
    people = [charlie.pk, dan.pk] * 3
    answers = at_once([partial(rooms.come_in, waiting, person) for person in people])
    assert Counter(answers) == {1: 3, "full": 3}
    players = set(GameSeat.objects.values_list("user_id", flat=True)) - {alice.pk}
    members = set(Member.objects.values_list("user_id", flat=True))
    assert len(players) == 1
    assert members & {charlie.pk, dan.pk} == players
    assert Hand.objects.count() == 1


# --- turns


def test_all_three_asking_at_once_start_one_game_with_the_next_in_line(
    three, waiting, alice, bob, charlie
):
    table.sit_down(waiting, bob.pk)
    opened = rooms.open_table(three.pk, alice.pk, "loser")
    table.sit_down(opened, bob.pk)
    people = {person.pk: person for person in (alice, bob, charlie)}
    out = charlie.pk
    for number in range(2, 2 + ROUNDS):
        at_once([partial(table.line_up, opened, out)] * 3)
        loser = GameSeat.objects.filter(game__table_id=opened, game__ended_at=None).first().user_id
        table.resign(opened, loser)
        at_once([partial(table.rematch, opened, person) for person in people] * 3)
        game = Game.objects.filter(table_id=opened).latest("number")
        players = set(game.seats.values_list("user_id", flat=True))
        assert (game.number, game.ended_at) == (number, None)
        assert players == set(people) - {loser}
        assert list(Waiting.objects.values_list("user_id", flat=True)) == [loser]
        out = loser
    assert Table.objects.get(pk=opened).games.count() == ROUNDS + 1


def test_a_wish_under_way_while_the_room_asks_for_more_is_asked_for_again(alice, bob):
    """Whoever comes second would start, for the new stake, a game the first agreed to for less."""
    match, dearer = ({"mode": "match", "amount": amount} for amount in ("50", "400"))
    room_id = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=match)
    rooms.join_room(Room.objects.get(pk=room_id).invitation, bob.pk)
    GameSeat.objects.filter(game__table__room=room_id).delete()
    opened = rooms.open_table(room_id, alice.pk, "loser")
    table.sit_down(opened, bob.pk)
    table.resign(opened, bob.pk)
    settings = {"preset": "match_play"}, False, "none", True
    change = partial(rooms.change_room, room_id, alice.pk, "Salle", *settings, stakes=dearer)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            table.rematch(opened, bob.pk)
            changing = pool.submit(at_once, [change])
            wait_until(lambda: changing.done() or lock_waits() > 0, 10, "the settings are saved")
        assert changing.result(10) == [None]
    assert not GameSeat.objects.filter(wants_rematch=True).exists()
