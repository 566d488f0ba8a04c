"""Three or four at one table: who makes room, who comes, and that nobody blocks the next game."""

from __future__ import annotations

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.refusal import Refusal
from games import friends, rooms, table
from games.models import Game, Room, Table, Waiting
from games.rotation import who_makes_room
from games.table.line import LINE_AT_MOST, PATIENCE

pytestmark = pytest.mark.django_db


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


@pytest.fixture
def rotation():
    return "loser"


@pytest.fixture
def dan(django_user_model):
    return django_user_model.objects.create_user(username="dan")


@pytest.fixture
def turns(room_id, alice, bob, charlie, dan, rotation):
    """Alice and Bob play at a table where turns are taken; Charlie and Dan are members."""
    table.sit_down(rooms.free_table(room_id, alice.pk), bob.pk)
    for person in (charlie, dan):
        rooms.join_room(Room.objects.get(pk=room_id).invitation, person.pk)
    opened = rooms.open_table(room_id, alice.pk, rotation)
    table.sit_down(opened, bob.pk)
    return opened


def seated(table_id):
    game = Game.objects.filter(table_id=table_id).latest("number")
    return {seat.user.username for seat in game.seats.select_related("user")}


def line(table_id):
    return [one.user.username for one in Waiting.objects.filter(table_id=table_id).order_by("pk")]


def next_game(table_id, *people):
    for person in people:
        table.rematch(table_id, person.pk)


# --- the line


def test_a_member_gets_in_line_once_and_out_again(turns, alice, charlie, dan):
    for _click in (1, 2):
        table.line_up(turns, charlie.pk)
    table.line_up(turns, dan.pk)
    view = table.look(turns, charlie.pk)
    assert view["rotation"] == "loser"
    assert view["line"] == [
        {"name": "charlie", "guest": False, "you": True},
        {"name": "dan", "guest": False, "you": False},
    ]
    for _click in (1, 2):
        table.step_out(turns, charlie.pk)
    assert table.look(turns, alice.pk)["line"] == [
        {"name": "dan", "guest": False, "you": False}
    ]


def test_nobody_lines_up_where_they_sit_where_a_seat_is_free_or_where_nobody_takes_turns(
    turns, room_id, alice, charlie, dan
):
    with refused("seated"):
        table.line_up(turns, alice.pk)
    free = rooms.open_table(room_id, dan.pk, "each")
    with refused("seat_free"):
        table.line_up(free, charlie.pk)
    with refused("no_rotation"):
        table.line_up(Game.objects.earliest("pk").table_id, charlie.pk)


def test_a_stranger_does_not_line_up(turns, django_user_model):
    with refused("not_found"):
        table.line_up(turns, django_user_model.objects.create_user(username="eve").pk)


def test_a_line_has_an_end(turns, room_id, charlie, django_user_model):
    invitation = Room.objects.get(pk=room_id).invitation
    for number in range(LINE_AT_MOST):
        guest = django_user_model.objects.create_user(username=f"guest {number}")
        rooms.join_room(invitation, guest.pk)
        table.line_up(turns, guest.pk)
    with refused("line_full"):
        table.line_up(turns, charlie.pk)
    table.line_up(turns, guest.pk)  # who stands there already stands there once
    assert len(line(turns)) == LINE_AT_MOST


def test_what_changes_nothing_rings_nothing_and_the_line_rings_in_no_lobby(
    turns, alice, bob, charlie, dan, monkeypatch, django_capture_on_commit_callbacks
):
    def rung(verb, person):
        bells = []
        monkeypatch.setattr("accounts.live.ring", lambda group, *_bell: bells.append(group))
        with django_capture_on_commit_callbacks(execute=True):
            verb(turns, person.pk)
        return {bell for bell in bells if not bell.startswith("turns.")}

    here = {f"table.{turns}", f"room.{Table.objects.get(pk=turns).room_id}"}
    assert rung(table.step_out, charlie) == set()
    assert rung(table.line_up, charlie) == here
    assert rung(table.line_up, charlie) == set()
    assert rung(table.step_out, charlie) == here
    table.line_up(turns, dan.pk)
    table.resign(turns, bob.pk)
    for person in (bob, dan):
        assert rung(table.rematch, person) == {*here, "lobby"}
        assert rung(table.rematch, person) == set()
    assert rung(table.rematch, alice) == {*here, "lobby"}
    assert seated(turns) == {"alice", "dan"}


# --- who makes room


def test_the_loser_makes_room_and_goes_to_the_end_of_the_line(turns, alice, bob, charlie, dan):
    table.line_up(turns, charlie.pk)
    table.line_up(turns, dan.pk)
    table.resign(turns, bob.pk)
    told = table.look(turns, charlie.pk)["next"]
    assert told == {"out": 1, "name": "charlie", "you": True, "ready": False}
    next_game(turns, alice, charlie)
    assert seated(turns) == {"alice", "charlie"}
    assert line(turns) == ["dan", "bob"]
    assert table.look(turns, alice.pk)["state"] == "playing"
    assert table.look(turns, bob.pk)["seat"] is None


@pytest.mark.parametrize("rotation", ["winner"])
def test_the_winner_makes_room(turns, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    next_game(turns, charlie, bob)
    assert seated(turns) == {"bob", "charlie"}
    assert line(turns) == ["alice"]


@pytest.mark.parametrize("rotation", ["each"])
def test_each_makes_room_in_turn(turns, alice, bob, charlie, dan):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)  # they came together: the loser goes
    next_game(turns, alice, charlie)
    assert seated(turns) == {"alice", "charlie"}
    table.resign(turns, charlie.pk)  # alice has sat longest, and won
    next_game(turns, charlie, bob)
    assert seated(turns) == {"charlie", "bob"}
    assert line(turns) == ["alice"]
    table.resign(turns, bob.pk)
    next_game(turns, bob, alice)
    assert seated(turns) == {"bob", "alice"}


def test_a_game_nobody_won_moves_on_too(turns, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.call_off(turns, alice.pk, "offer")
    table.call_off(turns, bob.pk, "accept")
    next_game(turns, bob, charlie)
    assert seated(turns) == {"bob", "charlie"}


def test_with_nobody_in_line_the_same_two_play_on(turns, alice, bob):
    table.resign(turns, bob.pk)
    assert table.look(turns, alice.pk)["next"] is None
    next_game(turns, alice, bob)
    assert seated(turns) == {"alice", "bob"}


def test_somebody_who_left_the_room_makes_room_first(turns, room_id, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    table.resign(Game.objects.earliest("pk").table_id, bob.pk)
    rooms.pass_on(room_id, alice.pk, bob.pk)
    rooms.leave(room_id, alice.pk)
    next_game(turns, bob, charlie)
    assert seated(turns) == {"bob", "charlie"}
    assert line(turns) == []


def test_the_next_game_goes_by_the_rules_of_the_day(turns, room_id, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    changed = {"preset": "complete", "undercut": 20}
    rooms.change_room(room_id, alice.pk, "Salle", changed, False, "none", True)
    next_game(turns, alice, charlie)
    latest = Game.objects.filter(table_id=turns).latest("number")
    assert (latest.rules["undercut"], latest.sheet.rules["undercut"]) == (20, 20)


# --- asking


def test_the_game_starts_only_when_both_who_play_have_asked(turns, alice, bob, charlie, dan):
    table.line_up(turns, charlie.pk)
    table.line_up(turns, dan.pk)
    table.resign(turns, bob.pk)
    with refused("not_a_player"):
        table.rematch(turns, dan.pk)  # second in line
    next_game(turns, charlie, bob)
    assert table.look(turns, charlie.pk)["next"]["ready"]
    assert table.look(turns, alice.pk)["state"] == "finished"
    table.rematch(turns, alice.pk)
    assert seated(turns) == {"alice", "charlie"}


def test_asking_after_the_start_changes_nothing(turns, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    next_game(turns, alice, charlie, charlie, alice)
    with refused("not_a_player"):
        table.rematch(turns, bob.pk)
    assert Game.objects.filter(table_id=turns).count() == 2


def test_a_wish_of_an_earlier_game_does_not_count(turns, alice, bob, charlie):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    table.rematch(turns, charlie.pk)
    table.step_out(turns, charlie.pk)
    table.line_up(turns, charlie.pk)
    table.rematch(turns, alice.pk)
    assert table.look(turns, alice.pk)["state"] == "finished"


def test_an_absent_first_in_line_blocks_nobody(turns, alice, bob, charlie, monkeypatch):
    table.line_up(turns, charlie.pk)
    table.resign(turns, bob.pk)
    next_game(turns, alice, bob)
    assert table.look(turns, alice.pk)["state"] == "finished"
    later = timezone.now() + PATIENCE
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    table.rematch(turns, bob.pk)
    assert seated(turns) == {"alice", "bob"}
    assert line(turns) == ["charlie"]


# --- the rule by itself


@given(
    st.sampled_from(["loser", "winner", "each"]),
    st.sampled_from([None, 0, 1]),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
def test_somebody_always_makes_room_where_turns_are_taken(rotation, winner, since):
    out = who_makes_room(rotation, winner, since)
    assert out in (0, 1)
    if winner is not None and rotation != "each":
        assert (out == winner) == (rotation == "winner")
    elif since[0] != since[1]:
        assert since[out] == min(since)
    assert who_makes_room("none", winner, since) is None


# --- two who want nothing of each other


@pytest.fixture
def public(turns):
    Room.objects.update(is_public=True)
    return turns


@pytest.mark.parametrize("blocker", ["charlie", "bob"])
def test_nobody_gets_in_line_where_they_would_meet(blocker, public, bob, charlie, dan):
    one, other = (bob, charlie) if blocker == "bob" else (charlie, bob)
    friends.block(one.pk, other.pk, on=True)
    with refused("apart"):
        table.line_up(public, charlie.pk)
    table.line_up(public, dan.pk)
    friends.block(dan.pk, charlie.pk, on=True)
    friends.block(one.pk, other.pk, on=False)
    with refused("apart"):
        table.line_up(public, charlie.pk)
    Room.objects.update(is_public=False)
    table.line_up(public, charlie.pk)
    assert line(public) == ["dan", "charlie"]


def test_a_block_takes_out_of_line_whoever_would_meet(public, bob, charlie, dan):
    for person in (charlie, dan):
        table.line_up(public, person.pk)
    friends.block(dan.pk, charlie.pk, on=True)
    assert line(public) == ["charlie"]
    friends.block(bob.pk, charlie.pk, on=True)
    assert line(public) == []


def test_in_a_room_of_friends_a_block_leaves_the_line_as_it_is(turns, bob, charlie):
    table.line_up(turns, charlie.pk)
    friends.block(bob.pk, charlie.pk, on=True)
    assert line(turns) == ["charlie"]


def test_two_who_are_apart_since_have_no_rematch_in_public(public, alice, bob, charlie):
    table.resign(public, alice.pk)
    friends.block(alice.pk, bob.pk, on=True)
    with refused("apart"):
        table.rematch(public, bob.pk)
    table.line_up(public, charlie.pk)
    next_game(public, bob, charlie)  # alice makes room
    assert seated(public) == {"bob", "charlie"}
