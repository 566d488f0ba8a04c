"""Rooms are changed, passed on and left; what is not one's own stays as it was."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts.refusal import Refusal
from games import rooms, table
from games.models import Game, GameSeat, Member, Room, Table, Waiting
from games.rooms import opening
from scoring import ledger
from tests.games.players import play_game

pytestmark = pytest.mark.django_db

CHANGED = {
    "name": "Salle du jeudi",
    "options": {"preset": "complete", "undercut": 20},
    "public": True,
    "pace": "60",
    "spectators": False,
}


@pytest.fixture
def room(room_id):
    return Room.objects.get(pk=room_id)


@pytest.fixture
def three(room, charlie):
    """Charlie is a member too."""
    rooms.join_room(room.invitation, charlie.pk)
    return room


def refused(code):
    """A refusal with this code."""
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


def sees(room_id, user):
    return [member["name"] for member in rooms.room_page(room_id, user.pk)["members"]]


# --- changing a room


def test_the_owner_changes_what_a_room_is(room, alice):
    rooms.change_room(room.pk, alice.pk, **CHANGED)
    room.refresh_from_db()
    assert (room.name, room.is_public, room.pace, room.spectators) == (
        "Salle du jeudi", True, "60", False
    )  # fmt: skip
    assert room.rules["undercut"] == 20


@pytest.mark.parametrize(
    "wrong", [{"name": " "}, {"pace": "blitz"}, {"options": {"preset": "complete", "gin": 24}}]
)
def test_a_room_is_not_changed_into_what_is_none(room, alice, wrong):
    with pytest.raises(Refusal):
        rooms.change_room(room.pk, alice.pk, **{**CHANGED, **wrong})
    before = (room.name, room.rules, room.pace, room.is_public)
    room.refresh_from_db()
    assert (room.name, room.rules, room.pace, room.is_public) == before


def test_only_members_are_told_whether_the_lists_of_a_room_changed(room, alice, bob, charlie):
    assert rooms.watch_room(room.pk, alice.pk) == rooms.watch_room(room.pk, bob.pk)
    with refused("not_found"):
        rooms.watch_room(room.pk, charlie.pk)


def test_only_the_owner_runs_a_room(three, bob, charlie):
    for verb in (rooms.pass_on, rooms.remove_member):
        with refused("forbidden"):
            verb(three.pk, bob.pk, charlie.pk)
    with refused("forbidden"):
        rooms.change_room(three.pk, bob.pk, **CHANGED)
    with refused("forbidden"):
        rooms.settings_page(three.pk, bob.pk)


def test_new_rules_are_for_games_to_come(room, table_id, alice, bob, charlie):
    rooms.join_room(room.invitation, charlie.pk)
    waiting = rooms.open_table(room.pk, charlie.pk)
    rooms.change_room(room.pk, alice.pk, **CHANGED)
    running = Game.objects.get(table_id=table_id)
    assert running.rules["undercut"] == 25
    assert running.sheet.rules["undercut"] == 25
    assert Game.objects.get(table_id=waiting).rules["undercut"] == 20
    table.sit_down(waiting, bob.pk)
    assert Game.objects.get(table_id=waiting).sheet.rules["undercut"] == 20


def test_who_waits_sees_the_new_rules_before_the_game_starts(room, waiting, alice):
    shown = table.look(waiting, alice.pk)
    assert shown["game"]["rules"] == "Gin complet"
    rooms.change_room(room.pk, alice.pk, **{**CHANGED, "options": {"preset": "first_to_knock"}})
    now = table.look(waiting, alice.pk)
    assert now["game"]["rules"] != shown["game"]["rules"]
    assert now["version"] > shown["version"]


def test_the_form_shows_a_room_as_it_is(room, alice):
    rooms.change_room(room.pk, alice.pk, **CHANGED)
    page = rooms.settings_page(room.pk, alice.pk)
    assert page == {
        "id": room.pk, "name": "Salle du jeudi", "public": "yes", "pace": "60",
        "spectators": "no", "guests": "yes", "preset": "complete", "undercut": 20,
        "stakes": {},
    }  # fmt: skip


# --- passing it on, removing, leaving


def test_a_room_is_passed_on_to_a_member(three, alice, bob):
    rooms.pass_on(three.pk, alice.pk, bob.pk)
    three.refresh_from_db()
    assert three.owner == bob
    with refused("forbidden"):
        rooms.pass_on(three.pk, alice.pk, alice.pk)


def test_a_room_is_passed_on_to_nobody_else(room, alice, charlie):
    for other in (charlie.pk, alice.pk, 9999):
        with refused("not_found"):
            rooms.pass_on(room.pk, alice.pk, other)


def test_a_removed_member_loses_access_at_once(three, alice, bob, charlie):
    invitation, code = three.invitation, three.code
    rooms.remove_member(three.pk, alice.pk, charlie.pk)
    assert sees(three.pk, alice) == ["alice", "bob"]
    with refused("not_found"):
        rooms.room_page(three.pk, charlie.pk)
    with refused("no_such_invitation"):
        rooms.join_room(invitation, charlie.pk)
    with refused("no_such_code"):
        rooms.join_by_code(code, charlie.pk)


def test_whoever_plays_is_not_removed_and_does_not_leave(three, table_id, alice, bob):
    with refused("still_playing"):
        rooms.remove_member(three.pk, alice.pk, bob.pk)
    with refused("still_playing"):
        rooms.leave(three.pk, bob.pk)
    assert sees(three.pk, bob) == ["alice", "bob", "charlie"]
    assert str(rooms.why_not_gone(three.pk, bob.pk)) == (
        "A game is still being played at table 1. Finish it or resign first."
    )


def test_after_the_game_one_may_go_and_the_finished_table_closes_too(three, table_id, alice, bob):
    table.resign(table_id, bob.pk)
    rooms.leave(three.pk, bob.pk)
    with refused("not_found"):
        table.look(table_id, bob.pk)
    with refused("not_found"):
        table.rematch(table_id, bob.pk)
    with refused("player_gone"):
        table.rematch(table_id, alice.pk)


def test_no_rematch_starts_with_somebody_who_was_removed(three, table_id, alice, bob):
    table.resign(table_id, bob.pk)
    table.rematch(table_id, bob.pk)
    rooms.remove_member(three.pk, alice.pk, bob.pk)
    with refused("player_gone"):
        table.rematch(table_id, alice.pk)
    assert Game.objects.filter(table_id=table_id).count() == 1
    assert not GameSeat.objects.get(game__table_id=table_id, user=bob).wants_rematch


def test_a_waiting_seat_is_free_again_when_its_holder_goes(three, charlie, bob):
    opened = rooms.open_table(three.pk, charlie.pk)
    rooms.leave(three.pk, charlie.pk)
    assert table.look(opened, bob.pk)["seats"] == []
    assert table.sit_down(opened, bob.pk) == 0


def hosts(room_id, user):
    return [one["name"] for one in rooms.room_page(room_id, user.pk)["members"] if one["host"]]


def test_a_host_who_leaves_makes_room_for_the_oldest_member(three, alice, bob, charlie):
    rooms.leave(three.pk, alice.pk)
    assert sees(three.pk, bob) == ["bob", "charlie"]
    assert hosts(three.pk, charlie) == ["bob"]
    rooms.remove_member(three.pk, bob.pk, charlie.pk)
    three.refresh_from_db()
    rooms.join_room(three.invitation, alice.pk)
    assert hosts(three.pk, alice) == ["bob"]


def test_a_host_may_choose_who_follows_before_leaving(three, alice, bob, charlie):
    rooms.pass_on(three.pk, alice.pk, charlie.pk)
    rooms.leave(three.pk, alice.pk)
    assert hosts(three.pk, bob) == ["charlie"]


def test_a_room_whose_host_s_account_is_gone_is_run_by_its_oldest_member(three, bob, charlie):
    get_user_model().objects.get(username="alice").delete()
    assert hosts(three.pk, charlie) == ["bob"]
    assert rooms.invitation(three.invitation)["inviter"] == "bob"
    assert [room["host"] for room in rooms.my_rooms(bob.pk)] == [True]
    with refused("forbidden"):
        rooms.change_room(three.pk, charlie.pk, **CHANGED)
    rooms.change_room(three.pk, bob.pk, **CHANGED)
    rooms.pass_on(three.pk, bob.pk, charlie.pk)
    assert hosts(three.pk, bob) == ["charlie"]


def test_a_room_all_of_whose_accounts_are_gone_waits_for_whoever_has_its_link(room, charlie):
    get_user_model().objects.exclude(pk=charlie.pk).delete()
    assert rooms.invitation(room.invitation)["inviter"] == ""
    rooms.join_room(room.invitation, charlie.pk)
    assert hosts(room.pk, charlie) == ["charlie"]


def test_the_last_to_go_closes_the_room(room, alice, bob):
    rooms.change_room(room.pk, alice.pk, **CHANGED)
    rooms.leave(room.pk, bob.pk)
    rooms.leave(room.pk, alice.pk)
    closed = Room.objects.get(pk=room.pk)
    assert (closed.owner, closed.is_public) == (None, False)
    with refused("no_such_invitation"):
        rooms.join_room(room.invitation, bob.pk)
    with refused("not_found"):
        rooms.enter_public(room.pk, bob.pk)


def test_sheets_stay_with_those_who_played(three, table_id, alice, bob):
    table.resign(table_id, bob.pk)
    rooms.remove_member(three.pk, alice.pk, bob.pk)
    (sheet,) = rooms.last_sheets(bob.pk)
    assert (sheet["verdict"], sheet["opponent"]) == ("lost", "alice")


# --- coming in


def test_two_clicks_on_an_invitation_take_one_seat(room, waiting, charlie):
    for _click in (1, 2):
        rooms.join_room(room.invitation, charlie.pk)
        table.sit_down(waiting, charlie.pk)
    assert Game.objects.get(table_id=waiting).seats.filter(user=charlie).count() == 1
    assert Member.objects.filter(room=room, user=charlie).count() == 1


def test_the_same_link_works_again_for_someone_who_left_before_the_start(three, waiting, charlie):
    rooms.leave(three.pk, charlie.pk)
    rooms.join_room(three.invitation, charlie.pk)
    assert table.sit_down(waiting, charlie.pk) == 1


def test_anyone_sits_down_in_a_public_room_and_is_a_member_then(room, waiting, alice, charlie):
    with refused("not_found"):
        rooms.come_in(waiting, charlie.pk)
    Room.objects.filter(pk=room.pk).update(is_public=True)
    assert rooms.come_in(waiting, charlie.pk) == 1
    assert sees(room.pk, charlie) == ["alice", "bob", "charlie"]


def test_a_full_table_makes_nobody_a_member(room, table_id, charlie):
    Room.objects.filter(pk=room.pk).update(is_public=True)
    with refused("full"):
        rooms.come_in(table_id, charlie.pk)
    assert not Member.objects.filter(room=room, user=charlie).exists()


# --- tables


def test_several_tables_are_played_at_once(three, table_id, bob, charlie):
    second = rooms.open_table(three.pk, bob.pk)
    table.sit_down(second, charlie.pk)
    third = rooms.open_table(three.pk, bob.pk)
    states = {row["id"]: row["state"] for row in rooms.room_page(three.pk, bob.pk)["tables"]}
    assert states == {table_id: "playing", second: "playing", third: "waiting"}


def test_tables_that_wait_stand_first_and_finished_ones_last(three, table_id, alice, bob, charlie):
    table.resign(table_id, bob.pk)
    second = rooms.open_table(three.pk, bob.pk)
    table.sit_down(second, charlie.pk)
    third = rooms.open_table(three.pk, charlie.pk)
    rows = rooms.room_page(three.pk, alice.pk)["tables"]
    assert [row["id"] for row in rows] == [third, second, table_id]


def test_a_table_is_opened_with_a_rotation_the_site_knows(room, bob):
    with refused("unknown_choice"):
        rooms.open_table(room.pk, bob.pk, "everyone")
    opened = rooms.open_table(room.pk, bob.pk, "loser")
    assert Table.objects.get(pk=opened).rotation == "loser"


# --- standings


def test_standings_count_games_won_and_points_of_members(three, waiting, alice, bob, charlie):
    table.sit_down(waiting, bob.pk)
    table.resign(waiting, bob.pk)  # alice 1, bob 0
    second = rooms.open_table(three.pk, bob.pk)
    table.sit_down(second, charlie.pk)
    end = play_game(second, [bob.pk, charlie.pk])["end"]
    page = rooms.room_page(three.pk, alice.pk)
    ranks = {rank.name: rank for rank in page["standings"]}
    first, other = (bob, charlie) if end["winner"] == 0 else (charlie, bob)
    assert (ranks["alice"].games, ranks["alice"].won, ranks["alice"].rate) == (1, 1, 100)
    assert ranks["bob"].games == 2
    assert ranks[first.username].won == 1
    assert ranks[other.username].won == 0
    assert {ranks["bob"].points, ranks["charlie"].points} == set(end["totals"])
    duels = {duel.names: duel.won for duel in page["duels"]}
    assert duels.get(("alice", "bob")) == (1, 0)
    assert sum(won for pair in duels.values() for won in pair) == 2


def test_a_game_nobody_won_does_not_count(room, table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "accept")
    page = rooms.room_page(room.pk, alice.pk)
    assert page["standings"] == []
    assert len(page["finished"]) == 1


def test_a_line_written_later_changes_the_standings(room, table_id, alice, bob):
    table.resign(table_id, bob.pk)
    before = rooms.room_page(room.pk, alice.pk)["standings"][0].points
    sheet = Game.objects.get(table_id=table_id).sheet
    rooms.room_page(room.pk, alice.pk)
    ledger.write_correction(sheet.pk, 0, 7, "faute de frappe", "admin")
    assert rooms.room_page(room.pk, alice.pk)["standings"][0].points == before + 7


# --- bells


@pytest.fixture
def bells(django_capture_on_commit_callbacks, monkeypatch):
    """The groups whose bells a call rings."""

    def listen(verb, *arguments, **more):
        rung = set()
        monkeypatch.setattr("accounts.live.ring", lambda group, *_bell: rung.add(group))
        with django_capture_on_commit_callbacks(execute=True):
            verb(*arguments, **more)
        return rung

    return listen


def test_whoever_is_removed_is_shown_out(three, alice, bob, charlie, bells):
    rung = bells(rooms.remove_member, three.pk, alice.pk, charlie.pk)
    assert {f"user.{charlie.pk}", f"room.{three.pk}", "lobby"} <= rung
    assert f"user.{bob.pk}" not in rung


def test_every_change_a_room_page_shows_rings_for_it(room, waiting, alice, bob, charlie, bells):
    page = {f"room.{room.pk}", "lobby"}
    assert page <= bells(rooms.join_room, room.invitation, charlie.pk)
    assert not page & bells(rooms.join_room, room.invitation, charlie.pk)
    assert page <= bells(table.sit_down, waiting, bob.pk)
    assert page <= bells(table.resign, waiting, bob.pk)
    assert page <= bells(table.rematch, waiting, bob.pk)
    assert page <= bells(rooms.open_table, room.pk, charlie.pk, "loser")
    assert page | {f"table.{waiting}"} <= bells(rooms.change_room, room.pk, alice.pk, **CHANGED)
    assert page <= bells(rooms.pass_on, room.pk, alice.pk, bob.pk)
    assert page <= bells(rooms.leave, room.pk, charlie.pk)


def test_a_removed_member_leaves_the_line_too(three, alice, bob, charlie):
    opened = rooms.open_table(three.pk, bob.pk, "loser")
    table.sit_down(opened, alice.pk)
    table.line_up(opened, charlie.pk)
    rooms.leave(three.pk, charlie.pk)
    assert not Waiting.objects.exists()
    assert table.look(opened, alice.pk)["line"] == []


# --- how many


def open_public(person, number=1):
    for _ in range(number):
        rooms.open_room(person.pk, "Salle", {"preset": "complete"}, public=True)


def test_one_person_has_a_few_public_rooms_and_no_more(alice, bob, monkeypatch):
    monkeypatch.setattr(opening, "PUBLIC_AT_MOST", 2)
    open_public(alice, 2)
    with refused("too_many_public"):
        open_public(alice)
    private = rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
    with refused("too_many_public"):
        rooms.change_room(private, alice.pk, **CHANGED)
    one = Room.objects.filter(is_public=True).first()
    rooms.change_room(one.pk, alice.pk, **CHANGED)  # one that is public already may stay so
    open_public(bob)
    rooms.change_room(one.pk, alice.pk, **{**CHANGED, "public": False})
    rooms.change_room(private, alice.pk, **CHANGED)


def test_one_person_opens_only_so_many_rooms_a_day(alice, bob, monkeypatch):
    monkeypatch.setattr(opening, "OPENED_A_DAY", 2)
    for _ in range(2):
        rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
    with refused("too_many_rooms"):
        rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
    rooms.open_room(bob.pk, "Salle", {"preset": "complete"})
    Room.objects.filter(owner=alice).update(opened_at=timezone.now() - timedelta(hours=25))
    rooms.open_room(alice.pk, "Salle", {"preset": "complete"})
