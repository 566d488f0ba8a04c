"""Playing against the computer: it sits down, moves as it would see, and keeps nobody waiting."""

from __future__ import annotations

import pytest

from accounts import bots
from accounts.refusal import Refusal
from games import presence, presets, reading, rooms, table
from games.engine.bots import LEVELS
from games.models import Game, GameSeat, Hand, Member, Move, Room, Table
from games.rooms import practice
from games.table import bots as verbs
from games.table import summons
from scoring.models import ScoreSheet, SheetSeat
from tests.games.hours import Hours
from tests.games.players import choose

pytestmark = pytest.mark.django_db

LATE = 60  # seconds


@pytest.fixture
def options():
    return {"preset": "first_to_knock"}


@pytest.fixture
def hours(monkeypatch):
    return Hours(monkeypatch)


@pytest.fixture
def against(waiting, alice):
    """Alice plays against the Habitué at the table where she waited."""
    table.seat_bot(waiting, alice.pk, "regular")
    return waiting


def refused(code, call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    assert refusal.value.code == code


def person_moves(table_id, person):
    """The person's move, if it is their turn; whether it was."""
    view = table.look(table_id, person.pk)
    if view["state"] != "playing" or view["hand"]["to_act"] != view["seat"]:
        return False
    table.make_move(table_id, person.pk, choose(view["hand"]), tuple(view["at"]))
    return True


def play_on(table_id, person, until="finished"):
    """Both play, the person from one hand to the next too, until the table is in this state."""
    while (view := table.look(table_id, person.pk))["state"] != until:
        if view["state"] == "between":
            table.ready(table_id, person.pk)
        elif not person_moves(table_id, person):
            assert table.think(table_id)
    return view


def bots_turn(table_id, person):
    while table.look(table_id, person.pk)["hand"]["to_act"] == 0:
        person_moves(table_id, person)


def test_the_computer_sits_down_opposite_who_waits_and_the_sheet_says_so(against, alice):
    game = Game.objects.get(table_id=against)
    seats = SheetSeat.objects.filter(sheet=game.sheet_id).order_by("seat")
    assert [(seat.name, seat.kind) for seat in seats] == [("alice", "person"), ("Habitué", "bot")]
    assert [chair["bot"] for chair in table.look(against, alice.pk)["seats"]] == ["", "regular"]
    table.seat_bot(against, alice.pk, "regular")  # a double click
    assert game.seats.count() == 2


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_against_each_level_is_written_as_any_other(waiting, alice, level):
    table.seat_bot(waiting, alice.pk, level)
    end = play_on(waiting, alice)["end"]
    assert end["how"] == "target"
    sheet = ScoreSheet.objects.get(game__table_id=waiting)
    assert list(sheet.lines.values_list("kind", "points")) == [("first_knock", 1)]
    moves = Move.objects.filter(hand__game__table_id=waiting)
    assert {0, 1} == set(moves.values_list("seat", flat=True))


def test_whoever_does_not_wait_there_brings_no_computer(waiting, bob, charlie, alice):
    refused("not_a_player", table.seat_bot, waiting, bob.pk, "regular")
    refused("not_found", table.seat_bot, waiting, charlie.pk, "regular")
    refused("unknown_level", table.seat_bot, waiting, alice.pk, "champion")
    table.sit_down(waiting, bob.pk)
    refused("full", table.seat_bot, waiting, bob.pk, "regular")
    assert not GameSeat.objects.exclude(user__bot="").exists()


def test_a_move_thought_out_for_a_place_that_is_past_is_dropped(against, alice, monkeypatch):
    bots_turn(against, alice)
    known = reading.frame_of(against)
    views = verbs.views_of(known, 1)
    assert table.think(against)
    made = Move.objects.count()
    assert verbs._make(known, 1, verbs._thoughts(known, 1, views)) is False
    assert Move.objects.count() == made


def test_a_computer_is_asked_only_when_it_is_to_act(against, alice):
    while table.look(against, alice.pk)["hand"]["to_act"] != 0:
        assert table.think(against)
    assert table.think(against) is False
    assert table.think(0) is False


def test_what_the_computer_is_shown_is_the_view_of_its_own_seat(against, alice, monkeypatch):
    bots_turn(against, alice)
    shown = []
    thought = verbs.choose

    def watched(level, views, *rest):
        shown.extend(views)
        return thought(level, views, *rest)

    monkeypatch.setattr(verbs, "choose", watched)
    assert table.think(against)
    hand = Hand.objects.get()
    hers = set(table.look(against, alice.pk)["hand"]["held"])
    assert shown
    for view in shown:
        assert len(view["held"]) in (10, 11)
        assert view["others"] == [{"seat": 0, "count": 10}]
        assert not hers & set(view["held"])
        assert hand.deck not in repr(view)


def test_a_level_that_fails_is_logged_without_a_card_and_a_move_is_made(
    against, alice, monkeypatch, caplog
):
    bots_turn(against, alice)

    def fail(level, views, *rest):
        raise ValueError(str(views[-1]["held"]))

    monkeypatch.setattr(verbs, "choose", fail)
    assert table.think(against)
    assert "regular at table" in caplog.text
    assert not any(card in caplog.text for card in table.look(against, alice.pk)["hand"]["held"])
    assert "'" not in caplog.text


def test_an_illegal_move_of_a_level_is_replaced_by_one_that_may_be_made(
    against, alice, monkeypatch
):
    bots_turn(against, alice)
    monkeypatch.setattr(verbs, "choose", lambda *_anything: "big gin")
    before = Move.objects.count()
    assert table.think(against)
    assert Move.objects.count() == before + 1


def test_the_computer_is_ready_at_once_and_the_person_alone_decides(hours, waiting, alice):
    Room.objects.update(rules=presets.rule_set({"preset": "match_play"}).as_dict())
    table.seat_bot(waiting, alice.pk, "regular")
    view = play_on(waiting, alice, until="between")
    assert [chair["ready"] for chair in view["seats"]] == [False, True]
    assert view["next_deal_at"] is None
    hours.pass_by(LATE)
    table.deal_overdue(waiting)
    assert table.look(waiting, alice.pk)["state"] == "between"
    table.ready(waiting, alice.pk)
    assert table.look(waiting, alice.pk)["at"] == [2, 0]


def test_the_computer_wants_another_game_as_soon_as_it_is_asked(against, alice):
    play_on(against, alice)
    table.rematch(against, alice.pk)
    view = table.look(against, alice.pk)
    assert (view["game"]["number"], view["state"]) == (2, "playing")
    assert [chair["name"] for chair in view["seats"]] == ["alice", "Habitué"]


def test_the_computer_agrees_to_call_the_game_off(against, alice):
    table.call_off(against, alice.pk, "offer")
    view = table.look(against, alice.pk)
    assert (view["state"], view["end"]["how"]) == ("finished", "called_off")


def test_a_person_may_resign_against_the_computer(against, alice):
    table.resign(against, alice.pk)
    assert table.look(against, alice.pk)["end"]["winner"] == 1


def test_the_computer_is_always_there_and_nothing_is_offered_against_it(against, alice):
    presence.seen(against, 0, alice.pk)
    bots_turn(against, alice)
    view = table.look(against, alice.pk)
    assert view["present"] == [True, True]
    assert view["absence"] is view["absence_at"] is None
    refused("still_here", table.claim, against, alice.pk)


def test_whoever_looks_at_a_computer_that_is_late_has_its_move_made(hours, against, alice):
    bots_turn(against, alice)
    made = Move.objects.count()
    hours.pass_by(5)
    table.look(against, alice.pk)
    assert Move.objects.count() == made
    hours.pass_by(LATE)
    table.look(against, alice.pk)
    assert Move.objects.count() == made + 1


def test_the_sweep_moves_where_a_worker_died_and_nowhere_else(hours, against, alice, bob, room_id):
    bots_turn(against, alice)
    assert table.sweep_bots() == 0
    other = rooms.open_table(room_id, bob.pk)
    table.seat_bot(other, bob.pk, "expert")
    while table.look(other, bob.pk)["hand"]["to_act"] != 0:
        table.think(other)
    hours.pass_by(LATE)
    made = Move.objects.count()
    assert table.sweep_bots() == 1
    assert Move.objects.count() == made + 1


def test_a_table_left_for_hours_waits_for_whoever_looks(hours, against, alice):
    bots_turn(against, alice)
    made = Move.objects.count()
    hours.pass_by(2 * 3600)
    assert table.sweep_bots() == 0
    table.look(against, alice.pk)
    assert Move.objects.count() == made + 1


def test_the_clock_does_not_play_for_the_computer_nor_count_its_time(hours, waiting, alice):
    Room.objects.update(pace="30")
    table.seat_bot(waiting, alice.pk, "strong")
    while table.look(waiting, alice.pk)["hand"]["to_act"] == 0:
        presence.seen(waiting, 0, alice.pk)
        person_moves(waiting, alice)
    made = Move.objects.count()
    hours.pass_by(10 * 60)
    presence.seen(waiting, 0, alice.pk)
    assert table.run_out(waiting)
    assert Move.objects.count() == made + 1
    assert table.look(waiting, alice.pk)["timeouts"] == [0, 0]


def test_a_person_gone_from_a_clock_against_the_computer_puts_the_game_aside(
    hours, waiting, alice
):
    Room.objects.update(pace="30")
    table.seat_bot(waiting, alice.pk, "strong")
    while table.look(waiting, alice.pk)["hand"]["to_act"] != 0:
        table.think(waiting)
    made = Move.objects.count()
    hours.pass_by(10 * 60)
    assert table.run_out(waiting)
    assert table.look(waiting, alice.pk)["adjourned"]
    assert Move.objects.count() == made
    assert table.think(waiting) is False


# --- practice, and in place of a friend


def test_a_practice_room_is_ones_own_private_and_used_again(alice, bob):
    first = rooms.practise(alice.pk, "strong", "Practice")
    room = Room.objects.get(tables=first)
    assert (room.practice, room.is_public, room.owner) == (True, False, alice)
    assert rooms.practise(alice.pk, "strong", "Practice") == first  # the game goes on
    other = rooms.practise(alice.pk, "beginner", "Practice")
    assert other != first
    table.resign(first, alice.pk)
    assert rooms.practise(alice.pk, "expert", "Practice") == first  # a table that was free
    assert Room.objects.filter(owner=alice).count() == 1
    assert Room.objects.get(tables=other) == room
    assert rooms.my_rooms(alice.pk) == []
    assert rooms.practice_of(alice.pk) == (room.pk, "expert")
    assert rooms.practice_of(bob.pk) == (None, bots.USUAL)


def test_a_game_that_began_again_meanwhile_is_not_laid_over(against, alice, room_id, monkeypatch):
    table.resign(against, alice.pk)
    read = practice.frames_of

    def look_and_play_again(**where):
        found = read(**where)
        table.rematch(against, alice.pk)  # in another window
        return found

    monkeypatch.setattr(practice, "frames_of", look_and_play_again)
    refused("stale", rooms.against_computer, room_id, alice.pk, "strong")


def test_a_table_others_wait_for_in_line_is_not_taken_past_them(against, alice, bob, room_id):
    Table.objects.filter(pk=against).update(rotation="loser")
    table.line_up(against, bob.pk)
    table.resign(against, alice.pk)
    assert rooms.against_computer(room_id, alice.pk, "strong") != against


def test_nobody_else_comes_into_a_practice_room(alice, bob):
    table_id = rooms.practise(alice.pk, "regular", "Practice")
    room = Room.objects.get(tables=table_id)
    refused("no_such_invitation", rooms.join_room, room.invitation, bob.pk)
    refused("no_such_code", rooms.join_by_code, room.code, bob.pk)
    refused("no_such_code", rooms.invitation_of, room.code)
    assert rooms.invitation(room.invitation) is None
    page = rooms.settings_page(room.pk, alice.pk)
    refused(
        "practice_is_private", rooms.change_room,
        room.pk, alice.pk, page["name"], {"preset": "complete"}, True, "none", True,
    )  # fmt: skip
    refused("not_found", table.look, table_id, bob.pk)


def test_an_unknown_level_opens_no_room(alice):
    refused("unknown_level", rooms.practise, alice.pk, "", "Practice")
    assert not Room.objects.exists()


def test_where_a_friend_has_resigned_the_computer_goes_on_at_a_table_of_its_own(
    table_id, alice, bob
):
    refused("not_left", rooms.bring_computer, table_id, alice.pk, "strong")
    table.resign(table_id, bob.pk)
    assert [table.look(table_id, who.pk)["computer"] for who in (alice, bob)] == [True, False]
    refused("not_left", rooms.bring_computer, table_id, bob.pk, "strong")
    before = table.look(table_id, alice.pk)["end"]
    Room.objects.update(rules={**Room.objects.get().rules, "preset": "match_play"})
    there = rooms.bring_computer(table_id, alice.pk, "strong")
    assert there != table_id
    game = Game.objects.get(table_id=there)
    assert game.rules == Game.objects.get(table_id=table_id).rules
    assert table.look(table_id, alice.pk)["end"] == before
    assert rooms.bring_computer(table_id, alice.pk, "strong") == there  # a double click


def test_whoever_was_not_there_puts_no_computer_in_a_friends_place(table_id, alice, bob, charlie):
    table.resign(table_id, bob.pk)
    refused("not_found", rooms.bring_computer, table_id, charlie.pk, "strong")
    assert Table.objects.count() == 1


def test_the_computer_belongs_to_no_room_and_ranks_in_none(against, alice, room_id):
    play_on(against, alice)
    assert not Member.objects.exclude(user__bot="").exists()
    page = rooms.room_page(room_id, alice.pk)
    assert page["standings"] == []
    assert page["finished"][0].shown == ["alice", "Habitué (ordinateur)"]


def test_a_table_without_the_computer_summons_nobody(table_id, alice, monkeypatch):
    monkeypatch.setattr(summons, "_send", lambda *_anything: pytest.fail("summoned"))
    view = table.look(table_id, alice.pk)
    if view["hand"]["to_act"] == view["seat"]:
        table.make_move(table_id, alice.pk, choose(view["hand"]), tuple(view["at"]))


def test_each_change_that_leaves_the_computer_to_act_summons_it(
    against, alice, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(summons, "_send", sent.append)
    while not sent:
        with django_capture_on_commit_callbacks(execute=True):
            if not person_moves(against, alice):
                table.think(against)
        view = table.look(against, alice.pk)
        assert bool(sent) == (view["hand"]["to_act"] == 1)
    with django_capture_on_commit_callbacks(execute=True):
        Move.objects.count()
    assert sent == [against]


def test_the_next_deal_summons_the_computer(
    waiting, alice, monkeypatch, django_capture_on_commit_callbacks
):
    Room.objects.update(rules=presets.rule_set({"preset": "match_play"}).as_dict())
    table.seat_bot(waiting, alice.pk, "regular")
    play_on(waiting, alice, until="between")
    sent = []
    monkeypatch.setattr(summons, "_send", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        table.ready(waiting, alice.pk)
    assert sent == [waiting]


def test_where_a_room_came_to_play_for_chips_the_computer_plays_on_for_nothing_or_not_at_all(
    against, alice
):
    table.resign(against, alice.pk)
    room, match = Room.objects.get(), {"preset": "match_play"}
    told = (room.pk, alice.pk, room.name, match, False, "none", True)
    rooms.change_room(*told, stakes={"mode": "match", "amount": "50"})
    offered = table.look(against, alice.pk)["following"]
    assert (offered["same"], offered["staked"]) == (True, False)
    table.rematch(against, alice.pk, seen=offered["terms"])
    assert Game.objects.latest("pk").stakes == {}
    table.resign(against, alice.pk)
    Table.objects.filter(pk=against).update(rotation="loser")  # there the room says for what
    reading.forget()
    offered = table.look(against, alice.pk)["following"]
    assert (offered["same"], offered["staked"]) == (False, True)
    refused("no_chips", lambda: table.rematch(against, alice.pk, seen=offered["terms"]))
