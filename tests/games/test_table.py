"""The verbs of the table: sit down, play, be ready, resign, play again, look."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.refusal import Refusal
from games import dealing, reading, rooms, table
from games.dealing import next_dealer
from games.engine.cards import texts
from games.looking import NEXT_DEAL_AFTER
from games.models import Game, GameSeat, Hand, Move, Room, Table
from scoring.models import ScoreLine, ScoreSheet
from tests.games.engine.hands import deck_of
from tests.games.players import choose, play_game, play_hand, seats_of

pytestmark = pytest.mark.django_db


def mover_of(table_id, *user_ids):
    """Whose turn it is, who waits, and what the mover sees."""
    seats = seats_of(table_id, user_ids)
    to_act = table.look(table_id, user_ids[0])["hand"]["to_act"]
    mover = seats.pop(to_act)
    return mover, next(iter(seats.values())), table.look(table_id, mover)


def refused(code, call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    assert refusal.value.code == code
    assert str(refusal.value)


# --- sitting down


def test_the_second_to_sit_down_starts_the_game(waiting, alice, bob):
    assert table.look(waiting, alice.pk)["state"] == "waiting"
    assert table.sit_down(waiting, bob.pk) == 1
    view = table.look(waiting, bob.pk)
    assert view["state"] == "playing"
    assert view["at"] == [1, 0]
    assert [seat["name"] for seat in view["seats"]] == ["alice", "bob"]
    assert len(view["hand"]["held"]) == 10


def test_a_double_click_takes_one_seat(waiting, alice, bob):
    assert table.sit_down(waiting, alice.pk) == table.sit_down(waiting, alice.pk) == 0
    assert table.sit_down(waiting, bob.pk) == table.sit_down(waiting, bob.pk) == 1
    assert GameSeat.objects.count() == 2
    assert Hand.objects.count() == 1


def test_a_third_person_is_told_that_the_table_is_full(table_id, room_id, alice, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    refused("full", table.sit_down, table_id, charlie.pk)
    assert table.look(table_id, charlie.pk)["seat"] is None


def test_the_database_itself_refuses_one_person_in_two_seats(waiting, alice):
    game = Game.objects.get(table_id=waiting)
    with pytest.raises(IntegrityError), transaction.atomic():
        GameSeat.objects.create(game=game, seat=1, user=alice)


def test_the_database_itself_refuses_two_open_games_at_a_table(table_id):
    with pytest.raises(IntegrityError), transaction.atomic():
        table.lay(table_id)


def test_the_database_itself_refuses_two_open_hands_in_a_game(table_id):
    hand = Hand.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Hand.objects.create(
            game=hand.game, number=2, dealer=0, deck=hand.deck, dealt_at=timezone.now()
        )


# --- strangers


@pytest.mark.parametrize("verb", [table.sit_down, table.ready, table.resign, table.rematch])
def test_a_stranger_is_told_that_there_is_no_table(verb, table_id, charlie):
    refused("not_found", verb, table_id, charlie.pk)


def test_a_stranger_neither_looks_nor_moves(table_id, alice, charlie):
    refused("not_found", table.look, table_id, charlie.pk)
    refused("not_found", table.look, table_id, None)
    refused("not_found", table.make_move, table_id, charlie.pk, "pass", (1, 0))


def test_a_table_that_does_not_exist_is_not_found(alice):
    for call in (table.look, table.ready, table.resign, table.rematch, table.sit_down):
        refused("not_found", call, 987654, alice.pk)
    refused("not_found", table.make_move, 987654, alice.pk, "pass", (1, 0))


def test_a_member_who_does_not_play_cannot_act(table_id, room_id, alice, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    for verb in (table.ready, table.resign, table.rematch):
        refused("not_a_player", verb, table_id, charlie.pk)
    refused("not_a_player", table.make_move, table_id, charlie.pk, "pass", (1, 0))
    watched = table.look(table_id, charlie.pk)["hand"]
    assert watched["held"] is None
    assert watched["legal"] == []


# --- moves


def test_a_move_is_one_row(table_id, alice, bob):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    table.make_move(table_id, mover, "pass", tuple(view["at"]))
    move = Move.objects.get()
    assert (move.ply, move.seat, move.text) == (1, view["seat"], "pass")


def test_the_second_of_two_identical_clicks_is_stale(table_id, alice, bob):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    table.make_move(table_id, mover, "pass", tuple(view["at"]))
    refused("stale", table.make_move, table_id, mover, "pass", tuple(view["at"]))
    assert Move.objects.count() == 1


def test_a_stale_click_is_refused_though_the_turn_came_round(table_id, alice, bob):
    mover, other, first = mover_of(table_id, alice.pk, bob.pk)
    # pass, pass, draw: then "draw stock" from the first place would be legal, but is stale.
    table.make_move(table_id, mover, "pass", (1, 0))
    table.make_move(table_id, other, "pass", (1, 1))
    refused("stale", table.make_move, table_id, mover, "draw stock", tuple(first["at"]))
    table.make_move(table_id, mover, "draw stock", (1, 2))


def test_the_same_ply_of_another_hand_is_stale(between, alice, bob):
    for person in (alice, bob):
        table.ready(between, person.pk)
    mover, _, view = mover_of(between, alice.pk, bob.pk)
    assert view["at"] == [2, 0]
    refused("stale", table.make_move, between, mover, "pass", (1, 0))


def test_a_click_meant_for_another_game_is_stale(table_id, alice, bob):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    wrong = view["game"]["id"] + 1
    refused("stale", table.make_move, table_id, mover, "pass", (1, 0), wrong)
    table.make_move(table_id, mover, "pass", (1, 0), view["game"]["id"])


def test_the_other_player_waits(table_id, alice, bob):
    _, other, view = mover_of(table_id, alice.pk, bob.pk)
    refused("not_your_turn", table.make_move, table_id, other, "pass", tuple(view["at"]))


@pytest.mark.parametrize(
    "text",
    ["", "knock", "discard", "discard 1x", "draw", "big gin", "draw stock", "pass pass", "PASS",
     "discard " + "7h" * 20, "\x00", "knock 7h 7h", "résigner"],
)  # fmt: skip
def test_a_move_the_rules_do_not_know_changes_nothing(text, table_id, alice, bob):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    with pytest.raises(Refusal):
        table.make_move(table_id, mover, text, tuple(view["at"]))
    assert Move.objects.count() == 0
    assert table.look(table_id, mover)["hand"] == view["hand"]


def test_every_legal_move_of_the_view_is_taken(table_id, alice, bob):
    _, _, view = mover_of(table_id, alice.pk, bob.pk)
    assert set(view["hand"]["legal"]) == {"pass", "draw discard"}


def test_a_stored_move_cannot_be_changed(table_id, alice, bob):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    table.make_move(table_id, mover, "pass", tuple(view["at"]))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_move SET text = 'draw discard'")


def test_a_dealt_deck_cannot_be_changed(table_id):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_hand SET deck = dealer")


def test_no_move_can_be_added_to_a_hand_that_is_over(between):
    hand = Hand.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Move.objects.create(hand=hand, ply=9999, seat=0, text="draw stock", made_at=timezone.now())


def refused_by(name):
    """The database itself says no, by the name of the promise."""
    return pytest.raises(IntegrityError, match=name)


def test_the_database_itself_refuses_a_move_by_a_seat_nobody_holds(table_id):
    hand = Hand.objects.get()
    with refused_by("moves_are_made_by_a_seat"), transaction.atomic():
        Move.objects.create(hand=hand, ply=1, seat=2, text="pass", made_at=timezone.now())


def test_the_database_itself_refuses_a_dealer_who_holds_no_seat(between):
    before = Hand.objects.get()
    with refused_by("hands_are_dealt_by_a_seat"), transaction.atomic():
        Hand.objects.create(
            game=before.game, number=2, dealer=2, deck=before.deck, dealt_at=timezone.now()
        )


def test_the_database_itself_keeps_the_rules_of_a_started_game(table_id):
    game = Game.objects.get()
    changes = {
        "rules": {**game.rules, "target": 50},
        "stakes": {"mode": "match"},
        "sheet": None,
        "started_at": timezone.now(),
    }
    for field, value in changes.items():
        with refused_by("a_started_game_keeps_its_rules"), transaction.atomic():
            Game.objects.update(**{field: value})


def test_the_database_itself_lets_no_finished_game_go_on(table_id, alice):
    table.resign(table_id, alice.pk)
    with refused_by("a_finished_game_stays_finished"), transaction.atomic():
        Game.objects.update(ended_at=None)


def test_a_clock_set_back_refuses_no_move(table_id, alice, bob, monkeypatch):
    earlier = timezone.now() - timedelta(hours=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: earlier)
    assert play_hand(table_id, [alice.pk, bob.pk])["state"] != "playing"
    hand = Hand.objects.get()
    assert hand.ended_at == hand.dealt_at


# --- the bell


def test_the_bell_rings_once_after_a_move_and_not_before(
    table_id, alice, bob, django_capture_on_commit_callbacks, mocker_ring
):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    with django_capture_on_commit_callbacks() as callbacks:
        table.make_move(table_id, mover, "pass", tuple(view["at"]))
        assert mocker_ring == []
    for callback in callbacks:
        callback()
    assert mocker_ring == [f"table.{table_id}"]


@pytest.fixture
def announced(monkeypatch, mocker_ring):
    """What leaves after the commit, in order: bells, and the task of the bonuses."""
    task = "scoring.tasks.write_bonuses.delay"
    monkeypatch.setattr(task, lambda sheet: mocker_ring.append("task"))
    return mocker_ring


def test_the_bell_does_not_wait_for_the_broker(
    table_id, alice, bob, django_capture_on_commit_callbacks, announced
):
    with django_capture_on_commit_callbacks(execute=True):
        play_game(table_id, [alice.pk, bob.pk])
    assert announced[-2:] == [f"table.{table_id}", "task"]
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    announced.clear()
    with django_capture_on_commit_callbacks(execute=True):
        table.resign(table_id, bob.pk)
    assert announced == [f"table.{table_id}", "task"]


@pytest.fixture
def bells_of(django_capture_on_commit_callbacks, mocker_ring):
    """The bells of tables that a call rings."""

    def listen(verb, *arguments):
        mocker_ring.clear()
        with django_capture_on_commit_callbacks(execute=True):
            verb(*arguments)
        return [group for group in mocker_ring if group.startswith("table.")]

    return listen


@pytest.mark.parametrize("options", [{"preset": "complete", "target": 1000}])
def test_every_change_of_a_table_rings_its_bell_once(waiting, alice, bob, bells_of, monkeypatch):
    once = [f"table.{waiting}"]
    assert bells_of(table.sit_down, waiting, bob.pk) == once
    assert bells_of(table.sit_down, waiting, bob.pk) == []
    play_hand(waiting, [alice.pk, bob.pk])
    assert bells_of(table.deal_overdue, waiting) == []
    assert bells_of(table.ready, waiting, alice.pk) == once
    assert bells_of(table.ready, waiting, bob.pk) == once
    assert bells_of(table.ready, waiting, bob.pk) == []
    play_hand(waiting, [alice.pk, bob.pk])
    later = timezone.now() + NEXT_DEAL_AFTER
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert bells_of(table.deal_overdue, waiting) == once
    assert bells_of(table.deal_overdue, waiting) == []
    assert bells_of(table.resign, waiting, bob.pk) == once
    assert bells_of(table.rematch, waiting, alice.pk) == once
    assert bells_of(table.rematch, waiting, bob.pk) == once
    assert bells_of(table.rematch, waiting, bob.pk) == []


def test_who_waits_is_shown_a_renewed_invitation(
    waiting, room_id, alice, bob, django_capture_on_commit_callbacks, mocker_ring
):
    shown = table.look(waiting, alice.pk)["room"]
    with django_capture_on_commit_callbacks(execute=True):
        rooms.renew_invitation(room_id, alice.pk)
    assert mocker_ring == [f"table.{waiting}"]
    now = table.look(waiting, alice.pk)["room"]
    assert now["invite"] != shown["invite"]
    assert now["code"] != shown["code"]
    table.sit_down(waiting, bob.pk)
    mocker_ring.clear()
    with django_capture_on_commit_callbacks(execute=True):
        rooms.renew_invitation(room_id, alice.pk)
    assert mocker_ring == []


def test_a_refusal_rings_nothing(
    table_id, alice, bob, django_capture_on_commit_callbacks, mocker_ring
):
    mover, _, _ = mover_of(table_id, alice.pk, bob.pk)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        refused("stale", table.make_move, table_id, mover, "pass", (7, 7))
    assert callbacks == []
    assert mocker_ring == []


@pytest.fixture
def mocker_ring(monkeypatch):
    """The groups whose bell was rung, in order, but for those of rooms and the lobby."""
    rung = []

    def ring(group):
        if group != "lobby" and not group.startswith("room."):
            rung.append(group)

    monkeypatch.setattr("accounts.live.ring", ring)
    return rung


@pytest.mark.parametrize("options", [{"preset": "complete", "target": 1000}])
def test_a_hand_that_ends_and_one_that_is_dealt_are_told_to_the_room(
    table_id, alice, bob, django_capture_on_commit_callbacks, monkeypatch
):
    rung = []
    monkeypatch.setattr("accounts.live.ring", rung.append)
    room = f"room.{Table.objects.get(pk=table_id).room_id}"
    with django_capture_on_commit_callbacks(execute=True):
        play_hand(table_id, [alice.pk, bob.pk])
    assert room in rung
    rung.clear()
    with django_capture_on_commit_callbacks(execute=True):
        table.ready(table_id, alice.pk)
    assert room not in rung
    with django_capture_on_commit_callbacks(execute=True):
        table.ready(table_id, bob.pk)
    assert room in rung


# --- between hands


def test_a_hand_that_is_over_leaves_one_line_and_both_hands_open(between, alice, bob):
    view = table.look(between, alice.pk)
    result = view["hand"]["result"]
    lines = [(line.hand, line.seat, line.kind) for line in ScoreLine.objects.all()]
    if result["end"] == "void":
        assert (lines, view["hand_line"]) == ([], None)
    else:
        assert lines == [(1, result["winner"], result["end"])]
        assert view["hand_line"]["points"] == ScoreLine.objects.get().points
    assert all(len(hand["melds"]) <= 3 for hand in result["hands"])
    assert table.look(between, bob.pk)["hand"]["result"] == result


def test_the_next_hand_waits_for_both(between, alice, bob):
    table.ready(between, alice.pk)
    table.ready(between, alice.pk)
    view = table.look(between, bob.pk)
    assert view["state"] == "between"
    assert [seat["ready"] for seat in view["seats"]] == [True, False]
    table.ready(between, bob.pk)
    view = table.look(between, bob.pk)
    assert view["at"] == [2, 0]
    table.ready(between, bob.pk)
    assert Hand.objects.count() == 2
    assert table.look(between, bob.pk)["version"] == view["version"]  # no bell said otherwise


def test_whoever_looks_after_twenty_seconds_deals(between, alice, monkeypatch):
    later = timezone.now() + NEXT_DEAL_AFTER + timedelta(seconds=1)
    assert table.look(between, alice.pk)["state"] == "between"
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert table.look(between, alice.pk)["at"] == [2, 0]
    assert Hand.objects.count() == 2


def test_nobody_moves_between_hands(between, alice, bob):
    for person in (alice, bob):
        with pytest.raises(Refusal):
            table.make_move(between, person.pk, "pass", tuple(table.look(between, person.pk)["at"]))


@pytest.mark.parametrize(
    ("option", "winner", "dealer"),
    [("alternate", 0, 1), ("alternate", 1, 1), ("winner", 1, 1), ("winner", 0, 0),
     ("loser", 1, 0), ("loser", 0, 1), ("alternate", None, 0), ("loser", None, 0)],
)  # fmt: skip
def test_who_deals_next_is_the_rooms_choice(option, winner, dealer):
    assert next_dealer(option, 0, winner) == dealer


# --- whole games


def test_a_whole_game_ends_at_the_target_and_its_sheet_adds_up(
    table_id, alice, bob, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        view = play_game(table_id, [alice.pk, bob.pk])
    reading.frame_of(table_id)
    view = table.look(table_id, alice.pk)
    end, sheet = view["end"], ScoreSheet.objects.get()
    assert view["state"] == "finished"
    assert end["bonuses_written"] is True
    assert end["how"] == "target"
    lines = ScoreLine.objects.filter(sheet=sheet)
    for seat in (0, 1):
        assert end["totals"][seat] == sum(line.points for line in lines if line.seat == seat)
    assert end["hand_points"][end["reached"]] >= 100
    assert end["hand_points"][1 - end["reached"]] < 100
    assert lines.filter(kind="game").count() == 1


def test_nothing_is_played_after_the_end(table_id, alice, bob):
    play_game(table_id, [alice.pk, bob.pk])
    refused("no_game", table.ready, table_id, alice.pk)
    refused("no_game", table.resign, table_id, alice.pk)
    refused("no_game", table.make_move, table_id, alice.pk, "pass", (1, 0))


def test_the_stored_moves_replay_to_the_stored_result(table_id, alice, bob):
    view = play_hand(table_id, [alice.pk, bob.pk])
    reading.forget()
    assert table.look(table_id, alice.pk)["hand"] == view["hand"]


def test_a_chosen_arrangement_is_stored_in_one_spelling(waiting, alice, bob, monkeypatch):
    deck = deck_of("2s 3s 4s 3d 3h 7c 8c 9c Tc Ac", upcard="2h", stock="Kh")
    monkeypatch.setattr(dealing, "fresh_deck", lambda _stream: "".join(texts(deck)))
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    table.sit_down(waiting, bob.pk)
    said = "knock Kh Tc9c8c7c 4s3s2s"
    for ply, (person, move) in enumerate(
        [(alice, "pass"), (bob, "pass"), (alice, "draw stock"), (alice, said)]
    ):
        table.make_move(waiting, person.pk, move, (1, ply))
    assert Move.objects.latest("ply").text == "knock Kh 2s3s4s 7c8c9cTc"
    reading.forget()
    result = table.look(waiting, alice.pk)["hand"]["result"]
    assert result["hands"][0]["melds"] == [["2s", "3s", "4s"], ["7c", "8c", "9c", "Tc"]]


# --- resigning and playing again


def test_who_resigns_loses_whatever_the_totals_say(
    table_id, alice, bob, django_capture_on_commit_callbacks
):
    play_hand(table_id, [alice.pk, bob.pk])
    with django_capture_on_commit_callbacks(execute=True):
        table.resign(table_id, alice.pk)
    end = table.look(table_id, bob.pk)["end"]
    assert (end["how"], end["by"], end["winner"]) == ("resigned", 0, 1)
    kinds = [line["kind"] for line in end["lines"]]
    assert "shutout" not in kinds
    assert kinds.count("game") == 1


def test_a_hand_cut_short_by_resigning_has_no_line(table_id, alice, bob):
    table.resign(table_id, bob.pk)
    assert not ScoreLine.objects.filter(hand__isnull=False).exists()
    refused("no_game", table.resign, table_id, bob.pk)
    assert not Hand.objects.filter(ended_at=None).exists()


def test_nobody_resigns_from_a_game_that_has_not_begun(waiting, alice):
    refused("no_game", table.resign, waiting, alice.pk)


def test_a_rematch_begins_when_both_have_asked(table_id, alice, bob):
    table.resign(table_id, alice.pk)
    table.rematch(table_id, alice.pk)
    table.rematch(table_id, alice.pk)
    view = table.look(table_id, bob.pk)
    assert view["state"] == "finished"
    assert [seat["rematch"] for seat in view["seats"]] == [True, False]
    table.rematch(table_id, bob.pk)
    again = table.look(table_id, bob.pk)
    assert (again["state"], again["game"]["number"], again["at"]) == ("playing", 2, [1, 0])
    assert again["version"] > view["version"]
    table.rematch(table_id, bob.pk)
    assert Game.objects.count() == 2
    assert ScoreSheet.objects.count() == 2


def test_a_rematch_is_played_by_the_rules_of_the_first_game(table_id, alice, bob):
    Room.objects.update(rules={**Room.objects.get().rules, "target": 250, "preset": "complete"})
    table.resign(table_id, alice.pk)
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    assert table.look(table_id, alice.pk)["game"]["target"] == 100


def test_changing_the_room_never_touches_a_game_in_progress(table_id, alice):
    Room.objects.update(rules={**Room.objects.get().rules, "target": 50})
    reading.forget()
    assert table.look(table_id, alice.pk)["game"]["target"] == 100


def test_no_rematch_before_the_end(table_id, alice):
    refused("not_over", table.rematch, table_id, alice.pk)


# --- looks


def test_a_look_tells_nobody_the_deck(table_id, alice, bob, room_id, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    hands = {person.pk: table.look(table_id, person.pk)["hand"]["held"] for person in (alice, bob)}
    for person, other in ((alice, bob), (bob, alice), (charlie, alice), (charlie, bob)):
        told = json.dumps(table.look(table_id, person.pk))
        assert not any(f'"{card}"' in told for card in hands[other.pk])


def test_the_version_grows_with_everything_that_happens(waiting, alice, bob):
    seen = [table.look(waiting, alice.pk)["version"]]

    def happened():
        seen.append(table.look(waiting, alice.pk)["version"])
        assert seen[-1] > seen[-2]

    table.sit_down(waiting, bob.pk)
    happened()
    mover, _, view = mover_of(waiting, alice.pk, bob.pk)
    table.make_move(waiting, mover, choose(view["hand"]), tuple(view["at"]))
    happened()
    play_hand(waiting, [alice.pk, bob.pk])
    happened()
    table.ready(waiting, alice.pk)
    happened()
    table.ready(waiting, bob.pk)
    happened()
    table.resign(waiting, bob.pk)
    happened()
    table.rematch(waiting, alice.pk)
    happened()
    table.rematch(waiting, bob.pk)
    happened()


def test_a_second_look_takes_one_statement(table_id, alice, django_assert_num_queries):
    table.look(table_id, alice.pk)
    with django_assert_num_queries(1):
        table.look(table_id, alice.pk)


def test_a_move_asks_the_database_little(table_id, alice, bob, django_assert_max_num_queries):
    mover, _, view = mover_of(table_id, alice.pk, bob.pk)
    with django_assert_max_num_queries(5):  # savepoint and release stand for begin and commit
        table.make_move(table_id, mover, "pass", tuple(view["at"]))


def test_the_hand_before_is_told_with_both_deadwoods(between, alice, bob):
    ended = table.look(between, alice.pk)
    for person in (alice, bob):
        table.ready(between, person.pk)
    previous = table.look(between, alice.pk)["previous"]
    assert previous == ended["hand_line"]
    reading.forget()
    assert table.look(between, alice.pk)["previous"] == previous


def test_a_finished_game_stays_in_its_room_after_a_rematch(table_id, room_id, alice, bob):
    table.resign(table_id, alice.pk)
    sheet = ScoreSheet.objects.get().pk
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    (finished,) = rooms.room_page(room_id, bob.pk)["finished"]
    assert (finished.sheet_id, finished.winner) == (sheet, 1)
