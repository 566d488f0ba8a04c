"""Clocks and absence with the time in hand: who loses a turn, who may claim, what a gap costs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache

from accounts.refusal import Refusal
from games import dealing, presence, reading, table, tasks
from games.engine.cards import texts
from games.models import Clock, Game, Heartbeat, Move, Room, SeatTime
from games.presence import Spot
from scoring.models import ScoreSheet
from tests.games.engine.hands import deck_of
from tests.games.hours import Hours
from tests.games.players import play_game, play_hand

pytestmark = pytest.mark.django_db

FIVE_MINUTES = 300


@pytest.fixture(autouse=True)
def hours(monkeypatch):
    return Hours(monkeypatch)


@pytest.fixture
def at_pace(waiting, alice, bob, monkeypatch):
    """Start the game at a pace of the room; Alice, seat 0, is the first to act."""

    def start(pace="60", deck=None):
        monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
        if deck is not None:
            monkeypatch.setattr(dealing, "fresh_deck", lambda _stream: "".join(texts(deck)))
        Room.objects.update(pace=pace)
        table.sit_down(waiting, bob.pk)
        for seat, person in enumerate((alice, bob)):
            presence.seen(waiting, seat, person.pk)
        return waiting

    return start


@pytest.fixture
def people(alice, bob):
    return [alice, bob]


def refused(code, call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    assert refusal.value.code == code
    assert str(refusal.value)


def stay(table_id, *people):
    """Their sockets renew their presence, and look."""
    for person in people:
        presence.seen(table_id, 0, person.pk)
        table.look(table_id, person.pk)


def leave(table_id, person):
    presence.left(Spot("table", table_id, person.pk, plays=True))


def view_of(table_id, person):
    return table.look(table_id, person.pk)


def take_turn(table_id, people):
    """Whoever must act plays a whole turn that ends no hand; gives who it was."""
    view = view_of(table_id, people[0])
    mover = people[view["hand"]["to_act"]]
    while True:
        view = view_of(table_id, mover)
        if view["hand"]["to_act"] != view["seat"]:
            return mover
        legal = view["hand"]["legal"]
        calm = [move for move in legal if move in ("pass", "draw stock")]
        move = calm[0] if calm else f"discard {view['hand']['best_discard']}"
        table.make_move(table_id, mover.pk, move, tuple(view["at"]))


def moves():
    return list(Move.objects.order_by("pk").values_list("seat", "text"))


# --- the clock


def test_a_game_without_a_clock_has_none(table_id, alice):
    view = view_of(table_id, alice)
    assert (view["pace"], view["clock"], view["timeouts"]) == ("none", None, [0, 0])
    assert not Clock.objects.exists()


def test_the_pace_of_a_game_is_its_rooms_at_its_start(at_pace, alice):
    table_id = at_pace("30")
    Room.objects.update(pace="day")
    view = view_of(table_id, alice)
    assert view["pace"] == "30"
    assert view["clock"]["turn_ms"] == 30_000
    assert view["clock"]["reserve_ms"] == [120_000, 120_000]


def test_a_rematch_is_played_at_the_rooms_pace_of_its_day(table_id, people):
    table.resign(table_id, people[0].pk)
    Room.objects.update(pace="60")
    for person in people:
        table.rematch(table_id, person.pk)
    assert view_of(table_id, people[0])["pace"] == "60"


def test_the_clock_runs_for_the_player_who_must_act_and_for_nobody_else(at_pace, people, hours):
    """L8."""
    table_id = at_pace("60")
    alice, bob = people
    assert view_of(table_id, bob)["clock"]["seat"] == 0
    hours.pass_by(100)
    table.make_move(table_id, alice.pk, "pass", (1, 0))
    view = view_of(table_id, bob)
    assert view["clock"]["seat"] == 1
    assert view["clock"]["reserve_ms"] == [200_000, 240_000]
    assert view["clock"]["turn_from"] == int(hours.now.timestamp() * 1000)
    assert view["clock"]["deadline"] - view["clock"]["turn_from"] == 300_000


def test_a_turn_is_the_draw_and_the_discard_together(at_pace, people, hours):
    table_id = at_pace("60")
    for person, ply in zip(people, (0, 1), strict=True):
        table.make_move(table_id, person.pk, "pass", (1, ply))
    began = view_of(table_id, people[0])["clock"]
    hours.pass_by(50)
    table.make_move(table_id, people[0].pk, "draw stock", (1, 2))
    assert view_of(table_id, people[0])["clock"] == began
    hours.pass_by(50)
    take_turn(table_id, people)
    assert view_of(table_id, people[0])["clock"]["reserve_ms"] == [200_000, 240_000]


def test_a_quick_turn_costs_no_reserve_and_gives_none_back(at_pace, people, hours):
    table_id = at_pace("60")
    for _ in range(6):
        hours.pass_by(59)
        take_turn(table_id, people)
    assert view_of(table_id, people[0])["clock"]["reserve_ms"] == [240_000, 240_000]


def test_no_clock_runs_between_hands_and_the_reserve_is_the_games(at_pace, people, hours):
    table_id = at_pace("60")
    hours.pass_by(70)
    view = play_hand(table_id, [person.pk for person in people])
    assert view["state"] == "between"
    assert view["clock"]["seat"] is view["clock"]["deadline"] is None
    hours.pass_by(3000)
    for person in people:
        table.ready(table_id, person.pk)
    view = view_of(table_id, people[0])
    assert view["state"] == "playing"
    assert view["clock"]["reserve_ms"][0] == 230_000
    assert view["clock"]["seat"] == view["hand"]["to_act"]
    assert view["timeouts"] == [0, 0]


def test_the_clock_of_a_game_that_is_over_stands_still(at_pace, people, hours):
    table_id = at_pace("60")
    play_game(table_id, [person.pk for person in people])
    clock = Clock.objects.get()
    assert (clock.seat, clock.deadline) == (None, None)
    hours.pass_by(5000)
    table.keep_time()
    assert Clock.objects.get().deadline is None


def test_resigning_stops_the_clock(at_pace, people):
    table_id = at_pace("60")
    table.resign(table_id, people[0].pk)
    assert Clock.objects.get().deadline is None


def test_a_move_in_a_game_with_a_clock_asks_little_more(
    at_pace, people, django_assert_max_num_queries
):
    table_id = at_pace("60")
    view_of(table_id, people[0])
    with django_assert_max_num_queries(7):
        table.make_move(table_id, people[0].pk, "pass", (1, 0))
    view_of(table_id, people[0])
    with django_assert_max_num_queries(1):
        view_of(table_id, people[0])


# --- time over


def test_a_turn_and_its_reserve_are_over_to_the_second(at_pace, people, hours):
    table_id = at_pace("60")
    hours.pass_by(299)
    stay(table_id, *people)
    assert moves() == []
    hours.pass_by(1)
    view = view_of(table_id, people[1])
    assert moves() == [(0, "pass")]
    assert view["at"] == [1, 1]
    assert view["timeouts"] == [1, 0]
    assert view["clock"]["reserve_ms"] == [0, 240_000]
    assert view["clock"]["seat"] == 1


def test_the_clock_draws_from_the_stock_and_throws_the_card_it_drew(at_pace, people, hours):
    """L9."""
    table_id = at_pace("30")
    for person, ply in zip(people, (0, 1), strict=True):
        table.make_move(table_id, person.pk, "pass", (1, ply))
    hours.pass_by(150)
    stay(table_id, people[1])
    (draw, discard) = moves()[2:]
    assert draw == (0, "draw stock")
    view = view_of(table_id, people[1])
    assert discard == (0, f"discard {view['hand']['pile'][0]}")
    assert view["at"] == [1, 4]
    assert len(view_of(table_id, people[0])["hand"]["held"]) == 10


def test_a_card_just_taken_is_not_thrown_by_the_clock(at_pace, people, hours):
    """L9: of a hand left over with an upcard taken, the best discard that may go."""
    deck = deck_of("2s 3s 4s 3d 3h 7c 8c 9c 6d Ac", upcard="9h", stock="Kh")
    table_id = at_pace("30", deck)
    table.make_move(table_id, people[0].pk, "draw discard", (1, 0))
    hours.pass_by(151)
    stay(table_id, people[1])
    assert moves() == [(0, "draw discard"), (0, "discard 6d")]


def test_only_the_discard_is_played_by_the_clock_for_who_has_drawn(at_pace, people, hours):
    table_id = at_pace("30")
    for person, ply in zip(people, (0, 1), strict=True):
        table.make_move(table_id, person.pk, "pass", (1, ply))
    hours.pass_by(100)
    table.make_move(table_id, people[0].pk, "draw stock", (1, 2))
    drawn = view_of(table_id, people[0])["hand"]["drawn"]
    hours.pass_by(50)
    stay(table_id, people[1])
    assert moves()[2:] == [(0, "draw stock"), (0, f"discard {drawn}")]


def test_the_clock_never_knocks(at_pace, people, hours):
    deck = deck_of("2s 3s 4s 3d 3h 3c 8c 9c Tc Ac", upcard="9h", stock="Kh")
    table_id = at_pace("30", deck)
    for person, ply in zip(people, (0, 1), strict=True):
        table.make_move(table_id, person.pk, "pass", (1, ply))
    table.make_move(table_id, people[0].pk, "draw stock", (1, 2))
    assert view_of(table_id, people[0])["hand"]["knocks"]
    hours.pass_by(151)
    stay(table_id, people[1])
    assert view_of(table_id, people[1])["state"] == "playing"
    assert moves()[-1] == (0, "discard Kh")


def test_a_click_after_the_time_is_too_late(at_pace, people, hours):
    """The server decides, though nobody had looked since."""
    table_id = at_pace("30")
    hours.pass_by(151)
    refused("time_over", table.make_move, table_id, people[0].pk, "draw discard", (1, 0))
    assert moves() == []
    presence.seen(table_id, 1, people[1].pk)
    assert view_of(table_id, people[0])["at"] == [1, 1]
    refused("stale", table.make_move, table_id, people[0].pk, "draw discard", (1, 0))


def test_the_periodic_task_plays_though_nobody_looks(at_pace, people, hours, monkeypatch):
    table_id = at_pace("30")
    monkeypatch.setattr(tasks, "_starts", [])
    hours.pass_by(151)
    presence.seen(table_id, 1, people[1].pk)
    tasks.keep_time()
    assert moves() == [(0, "pass")]
    tasks.keep_time()
    assert moves() == [(0, "pass")]


def test_one_table_that_fails_does_not_keep_the_others(at_pace, people, hours, monkeypatch):
    table_id = at_pace("30")
    hours.pass_by(151)
    presence.seen(table_id, 1, people[1].pk)
    Clock.objects.update(seat=None, deadline=None)
    game = Game.objects.get()
    again = Clock.objects.get()
    again.seat, again.turn_from, again.deadline = 0, hours.now, hours.now
    again.save()
    tried = []

    def broken(number):
        tried.append(number)
        raise RuntimeError("the deck is 9s3s2s")

    monkeypatch.setattr("games.table.time.run_out", broken)
    table.keep_time()
    assert tried == [game.table_id]


def test_a_turn_one_plays_oneself_ends_the_row_of_time_outs(at_pace, people, hours):
    table_id = at_pace("30")
    for _ in range(2):
        hours.pass_by(151)
        stay(table_id, people[1])
        assert take_turn(table_id, people) == people[1]
    assert view_of(table_id, people[0])["timeouts"] == [2, 0]
    take_turn(table_id, people)
    assert view_of(table_id, people[0])["timeouts"] == [0, 0]


def let_run_out(table_id, people, hours, times):
    """Alice lets the clock play for her so many turns in a row; Bob plays his."""
    for _ in range(times):
        hours.pass_by(400)
        stay(table_id, people[1])
        assert view_of(table_id, people[1])["hand"]["to_act"] == 1
        take_turn(table_id, people)


def test_three_time_outs_in_a_row_let_the_other_claim_the_game(at_pace, people, hours):
    table_id = at_pace("60")
    let_run_out(table_id, people, hours, 2)
    assert view_of(table_id, people[1])["absence"] is None
    refused("clock_runs", table.claim, table_id, people[1].pk)
    hours.pass_by(400)
    stay(table_id, people[1])
    view = view_of(table_id, people[1])
    assert view["timeouts"] == [3, 0]
    assert view["absence"]["seat"] == 0
    assert view["absence"]["why"] == "time"
    assert "claim" in view["absence"]["choices"]
    assert view_of(table_id, people[0])["absence"] is None
    refused("clock_runs", table.claim, table_id, people[0].pk)
    table.claim(table_id, people[1].pk)
    sheet = ScoreSheet.objects.get()
    assert (sheet.how, sheet.ended_by) == ("time", 0)
    end = view_of(table_id, people[1])["end"]
    assert (end["how"], end["by"], end["winner"]) == ("time", 0, 1)
    assert Clock.objects.get().deadline is None


def test_who_plays_again_before_the_click_keeps_the_game(at_pace, people, hours):
    table_id = at_pace("60")
    let_run_out(table_id, people, hours, 3)
    assert view_of(table_id, people[1])["absence"]["why"] == "time"
    assert take_turn(table_id, people) == people[0]
    assert view_of(table_id, people[1])["absence"] is None
    refused("clock_runs", table.claim, table_id, people[1].pk)


def test_when_all_have_let_three_in_a_row_run_out_the_game_is_put_aside(at_pace, people, hours):
    table_id = at_pace("30")
    for turn in range(6):
        assert not view_of(table_id, people[0])["adjourned"], turn
        hours.pass_by(200)
        for seat, person in enumerate(people):
            presence.seen(table_id, seat, person.pk)
        table.keep_time()
    view = view_of(table_id, people[0])
    assert view["adjourned"] is True
    assert view["clock"]["deadline"] is None
    assert len([seat for seat, _text in moves() if seat == 1]) >= 3
    played = moves()
    hours.pass_by(5000)
    table.keep_time()
    assert moves() == played


def test_when_nobody_is_there_the_game_is_put_aside_and_nothing_played(at_pace, people, hours):
    table_id = at_pace("30")
    hours.pass_by(200)
    table.keep_time()
    view = view_of(table_id, people[0])
    assert (view["adjourned"], view["at"], view["timeouts"]) == (True, [1, 0], [0, 0])


def test_at_one_move_a_day_nobody_need_be_there(at_pace, people, hours):
    table_id = at_pace("day")
    hours.pass_by(24 * 3600 - 1)
    table.keep_time()
    assert moves() == []
    hours.pass_by(1)
    table.keep_time()
    assert moves() == [(0, "pass")]
    assert not view_of(table_id, people[0])["adjourned"]


def test_at_one_move_a_day_the_showdown_waits_a_day(at_pace, people, hours):
    table_id = at_pace("day")
    view = play_hand(table_id, [person.pk for person in people])
    assert view["next_deal_at"] == int((hours.now + timedelta(days=1)).timestamp() * 1000)
    hours.pass_by(24 * 3600 - 1)
    assert view_of(table_id, people[0])["state"] == "between"
    hours.pass_by(1)
    assert view_of(table_id, people[0])["state"] == "playing"


# --- stops and starts of the site


def test_a_stop_of_the_site_costs_nobody_time(at_pace, people, hours):
    """L14: the clock goes on where it stood."""
    table_id = at_pace("60")
    hours.pass_by(20)
    version = view_of(table_id, people[0])["version"]
    hours.pass_by(3600, standing_still=True)
    reading.forget()
    view = view_of(table_id, people[0])
    assert moves() == []
    assert view["clock"]["deadline"] == int((hours.now.timestamp() + 280) * 1000)
    assert view["clock"]["reserve_ms"] == [240_000, 240_000]
    assert view["version"] > version
    hours.pass_by(39)
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    assert SeatTime.objects.get(seat=0).reserve_ms == 240_000


def test_a_turn_that_began_during_a_gap_of_the_heartbeat_moves_only_by_its_own_time(
    at_pace, people, hours
):
    """Web processes lived on while nothing wrote the heartbeat."""
    table_id = at_pace("60")
    hours.pass_by(3000, standing_still=True)
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    hours.pass_by(10, standing_still=True)
    table.beat()
    clock = Clock.objects.get()
    assert clock.turn_from == hours.now
    assert clock.deadline == hours.now + timedelta(seconds=300)


def test_a_short_breath_moves_nothing(at_pace, hours):
    at_pace("60")
    before = Clock.objects.get().deadline
    hours.pass_by(15, standing_still=True)
    table.beat()
    assert Clock.objects.get().deadline == before


def test_the_start_of_an_embedded_site_gives_back_even_a_short_gap(at_pace, hours, monkeypatch):
    at_pace("60")
    before = Clock.objects.get().deadline
    monkeypatch.setattr(tasks, "_starts", [True])
    hours.pass_by(8, standing_still=True)
    tasks.keep_time()
    assert Clock.objects.get().deadline == before + timedelta(seconds=8)
    assert Heartbeat.objects.get().started_at == hours.now
    hours.pass_by(5, standing_still=True)
    tasks.keep_time()
    assert Clock.objects.get().deadline == before + timedelta(seconds=8)


def test_nobody_loses_by_time_within_a_minute_of_a_start(at_pace, people, hours):
    table_id = at_pace("60")
    hours.pass_by(295)
    hours.pass_by(600, standing_still=True)
    table.keep_time()
    hours.pass_by(59)
    presence.seen(table_id, 1, people[1].pk)
    table.keep_time()
    assert moves() == []
    assert view_of(table_id, people[1])["at"] == [1, 0]
    hours.pass_by(1)
    presence.seen(table_id, 1, people[1].pk)
    table.keep_time()
    assert moves() == [(0, "pass")]


def test_within_a_minute_of_a_start_a_late_move_is_taken(at_pace, people, hours):
    table_id = at_pace("60")
    hours.pass_by(295)
    hours.pass_by(600, standing_still=True)
    table.keep_time()
    hours.pass_by(30)
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    assert moves() == [(0, "pass")]


def test_a_site_that_has_never_beaten_judges_nobody(at_pace, people, hours):
    table_id = at_pace("30")
    Heartbeat.objects.all().delete()
    hours.pass_by(200)
    assert view_of(table_id, people[1])["at"] == [1, 0]
    assert Heartbeat.objects.get().started_at == hours.now


@pytest.fixture
def dead_cache(monkeypatch):
    def fail(*_arguments):
        raise ConnectionError

    def kill():
        for name in ("get", "get_many", "set", "set_many", "add"):
            monkeypatch.setattr(cache, name, fail, raising=False)

    return kill


def test_nobody_loses_by_time_while_the_store_of_presence_is_out_of_reach(
    at_pace, people, hours, dead_cache
):
    table_id = at_pace("30")
    let_run_out(table_id, people, hours, 3)
    dead_cache()
    hours.pass_by(400)
    played = moves()
    table.keep_time()
    assert moves() == played
    view = view_of(table_id, people[1])
    assert view["present"] == [True, True]
    assert view["absence"] is None
    refused("unknown", table.claim, table_id, people[1].pk)


# --- away without a clock


@pytest.fixture
def gone(at_pace, people, hours):
    """Bob left five minutes ago on his turn; Alice is there."""
    table_id = at_pace("none")
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    leave(table_id, people[1])
    hours.pass_by(FIVE_MINUTES)
    stay(table_id, people[0])
    return table_id


def test_who_is_away_for_five_minutes_on_their_turn_may_be_waited_for_adjourned_or_claimed(
    at_pace, people, hours
):
    """L6."""
    table_id = at_pace("none")
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    hours.pass_by(60)
    stay(table_id, people[1])
    leave(table_id, people[1])
    left_at = hours.now
    hours.pass_by(FIVE_MINUTES - 1)
    stay(table_id, people[0])
    view = view_of(table_id, people[0])
    assert view["present"] == [True, False]
    assert view["absence"] is None
    assert view["absence_at"] == int((hours.now + timedelta(seconds=1)).timestamp() * 1000)
    refused("too_early", table.claim, table_id, people[0].pk)
    hours.pass_by(1)
    assert view_of(table_id, people[0])["absence"] == {
        "seat": 1,
        "since": int(left_at.timestamp() * 1000),
        "why": "gone",
        "choices": ["wait", "adjourn", "claim"],
    }
    assert view_of(table_id, people[1])["absence"] is None


def test_a_claimed_game_is_lost_by_who_stayed_away(gone, people):
    table.claim(gone, people[0].pk)
    sheet = ScoreSheet.objects.get()
    assert (sheet.how, sheet.ended_by) == ("claimed", 1)
    assert view_of(gone, people[0])["end"]["winner"] == 0
    refused("no_game", table.claim, gone, people[0].pk)


def test_who_comes_back_before_the_click_has_lost_nothing(gone, people):
    presence.seen(gone, 1, people[1].pk)
    assert view_of(gone, people[0])["absence"] is None
    for verb in (table.claim, table.adjourn, table.wait):
        refused("still_here", verb, gone, people[0].pk)
    assert view_of(gone, people[0])["state"] == "playing"


def test_nobody_claims_on_their_own_turn(at_pace, people, hours):
    table_id = at_pace("none")
    leave(table_id, people[1])
    hours.pass_by(FIVE_MINUTES * 2)
    stay(table_id, people[0])
    assert view_of(table_id, people[0])["absence"] is None
    refused("your_turn", table.claim, table_id, people[0].pk)


def test_who_only_thinks_is_never_absent(at_pace, people, hours):
    """L7."""
    table_id = at_pace("none")
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    for _ in range(40):
        hours.pass_by(15)
        stay(table_id, *people)
        view = view_of(table_id, people[0])
        assert (view["present"], view["absence"]) == ([True, True], None)
    refused("still_here", table.claim, table_id, people[0].pk)


def test_a_short_break_before_ones_turn_counts_for_nothing(at_pace, people, hours):
    table_id = at_pace("none")
    leave(table_id, people[1])
    hours.pass_by(FIVE_MINUTES)
    stay(table_id, people[0])
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    assert view_of(table_id, people[0])["absence"] is None
    hours.pass_by(FIVE_MINUTES - 1)
    refused("too_early", table.claim, table_id, people[0].pk)


def test_absence_counts_from_the_start_of_the_site(gone, people, hours):
    """Everybody was cut off when it stopped: being slow to come back is no absence."""
    hours.pass_by(60, standing_still=True)
    stay(gone, people[0])
    refused("too_early", table.claim, gone, people[0].pk)
    assert view_of(gone, people[0])["absence"] is None
    hours.pass_by(FIVE_MINUTES - 1)
    assert view_of(gone, people[0])["absence"] is None
    hours.pass_by(1)
    assert view_of(gone, people[0])["absence"]["seat"] == 1


def test_absence_counts_anew_when_the_store_of_presence_was_lost(gone, people):
    cache.clear()
    stay(gone, people[0])
    refused("too_early", table.claim, gone, people[0].pk)
    assert view_of(gone, people[0])["absence"] is None


def test_who_chooses_to_wait_is_asked_again_five_minutes_later(gone, people, hours):
    table.wait(gone, people[0].pk)
    assert view_of(gone, people[0])["absence"] is None
    refused("too_early", table.claim, gone, people[0].pk)
    hours.pass_by(FIVE_MINUTES)
    assert view_of(gone, people[0])["absence"]["choices"] == ["wait", "adjourn", "claim"]


def test_a_spectator_is_offered_nothing(gone, people, charlie, room_id):
    Room.objects.get().members.create(user=charlie)
    assert view_of(gone, charlie)["absence"] is None
    for verb in (table.claim, table.adjourn, table.wait, table.resume):
        refused("not_a_player", verb, gone, charlie.pk)


@pytest.mark.parametrize("verb", [table.claim, table.adjourn, table.wait, table.resume])
def test_a_stranger_is_told_that_there_is_no_such_table(verb, gone, charlie):
    refused("not_found", verb, gone, charlie.pk)


@pytest.mark.parametrize("verb", [table.claim, table.adjourn, table.wait, table.resume])
def test_before_a_game_there_is_nothing_to_claim(verb, waiting, alice):
    refused("no_game", verb, waiting, alice.pk)


def test_where_a_clock_runs_it_decides_and_not_absence(at_pace, people, hours):
    table_id = at_pace("day")
    table.make_move(table_id, people[0].pk, "pass", (1, 0))
    leave(table_id, people[1])
    hours.pass_by(3600)
    stay(table_id, people[0])
    assert view_of(table_id, people[0])["absence"] is None
    refused("clock_runs", table.claim, table_id, people[0].pk)


# --- put aside


@pytest.fixture
def aside(gone, people):
    table.adjourn(gone, people[0].pk)
    return gone


def test_an_adjourned_game_takes_no_moves_until_either_takes_it_up(aside, people, hours):
    view = view_of(aside, people[1])
    assert (view["adjourned"], view["hand"]["legal"], view["absence"]) == (True, [], None)
    refused("adjourned", table.make_move, aside, people[1].pk, "pass", (1, 1))
    for verb in (table.claim, table.adjourn, table.wait):
        refused("adjourned", verb, aside, people[0].pk)
    hours.pass_by(30 * 24 * 3600)
    held = view["hand"]["held"]
    table.resume(aside, people[1].pk)
    view = view_of(aside, people[1])
    assert (view["adjourned"], view["hand"]["held"]) == (False, held)
    table.make_move(aside, people[1].pk, "pass", (1, 1))
    refused("not_adjourned", table.resume, aside, people[0].pk)


def test_an_adjourned_game_is_nobodys_turn_in_the_lists(aside, people):
    (frame,) = reading.frames_of(player_id=people[1].pk)
    assert frame.adjourned
    assert not frame.waits_for(1)


def test_an_adjourned_game_may_still_be_given_up(aside, people):
    table.resign(aside, people[0].pk)
    assert view_of(aside, people[0])["state"] == "finished"
    assert view_of(aside, people[0])["adjourned"] is False


def test_nobody_loses_by_a_game_taken_up_behind_their_back(aside, people, hours):
    table.resume(aside, people[0].pk)
    hours.pass_by(3600)
    stay(aside, people[0])
    view = view_of(aside, people[0])
    assert view["absence"]["choices"] == ["wait", "adjourn"]
    refused("not_seen", table.claim, aside, people[0].pk)
    presence.seen(aside, 1, people[1].pk)
    leave(aside, people[1])
    hours.pass_by(FIVE_MINUTES)
    stay(aside, people[0])
    table.claim(aside, people[0].pk)


def test_a_clock_taken_up_begins_the_turn_anew_with_what_was_left_of_the_reserve(
    at_pace, people, hours
):
    table_id = at_pace("30")
    hours.pass_by(200)
    table.keep_time()
    assert view_of(table_id, people[0])["adjourned"]
    hours.pass_by(9 * 24 * 3600)
    presence.seen(table_id, 0, people[0].pk)
    table.resume(table_id, people[0].pk)
    clock = view_of(table_id, people[0])["clock"]
    assert clock["seat"] == 0
    assert clock["reserve_ms"] == [0, 120_000]
    assert clock["deadline"] == int((hours.now.timestamp() + 30) * 1000)


def test_a_clock_taken_up_behind_somebodys_back_puts_the_game_aside_again(
    at_pace, people, hours
):
    table_id = at_pace("30")
    hours.pass_by(200)
    table.keep_time()
    hours.pass_by(3600)
    presence.seen(table_id, 1, people[1].pk)
    table.resume(table_id, people[1].pk)
    hours.pass_by(40)
    presence.seen(table_id, 1, people[1].pk)
    table.keep_time()
    view = view_of(table_id, people[1])
    assert (view["adjourned"], view["at"], view["timeouts"]) == (True, [1, 0], [0, 0])


def test_nothing_is_dealt_in_an_adjourned_game(at_pace, people, hours):
    """A hand that the clock played to its void end, with three time-outs of both."""
    table_id = at_pace("30")
    play_hand(table_id, [person.pk for person in people])
    Clock.objects.update(adjourned_at=hours.now)
    hours.pass_by(100)
    view = view_of(table_id, people[0])
    assert (view["state"], view["next_deal_at"]) == ("between", None)
    for person in people:
        refused("adjourned", table.ready, table_id, person.pk)
    table.resume(table_id, people[0].pk)
    view = view_of(table_id, people[0])
    assert view["state"] == "playing"
    assert view["clock"]["seat"] == view["hand"]["to_act"]


def test_a_whole_game_is_played_at_a_pace(at_pace, people, hours):
    table_id = at_pace("30")
    view = play_game(table_id, [person.pk for person in people])
    assert view["end"]["how"] == "target"
    assert view["timeouts"] == [0, 0]
