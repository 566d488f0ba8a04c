"""Cases from the field: what went wrong live elsewhere. Each stands at a test, here or there."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from pathlib import Path

import pytest

from games import dealing, presence, table
from games.engine.cards import texts
from games.models import Clock, Room, SeatTime
from games.presence import Spot
from tests.games.engine.hands import deck_of
from tests.games.hours import Hours
from tests.games.players import choose, seats_of
from tests.games.wires import Wire, in_thread

TESTS = Path(__file__).resolve().parent.parent
# Where each is proved: one test at least that would fail if it happened here.
PROVED = {
    "L1": ("games/test_table.py", "test_the_second_of_two_identical_clicks_is_stale"),
    "L1 at once": ("services/test_table_at_once.py", "test_eight_identical_clicks_are_one_move"),
    "L2": ("games/test_pulse.py", "test_closing_one_of_two_tabs_makes_nobody_absent"),
    "L2 stale": ("games/test_consumers.py", "test_two_tabs_of_one_player_both_follow"),
    "L3": ("ginrami/test_stops.py", "test_a_stop_between_draw_and_discard_changes_nothing"),
    "L3 taken": ("games/test_consumers.py", "test_reconnecting_shows_what_was_seen_before"),
    "L4": ("games/test_live_cases.py", "test_who_was_away_for_three_moves_is_shown_the_whole"),
    "L5": ("ginrami/test_stops.py", "test_a_line_gone_dead_without_a_word_is_noticed"),
    "L6": ("games/test_time.py", "test_who_is_away_for_five_minutes_on_their_turn_may_be"),
    "L6 own turn": ("games/test_time.py", "test_nobody_claims_on_their_own_turn"),
    "L6 back": ("games/test_time.py", "test_who_comes_back_before_the_click_has_lost_nothing"),
    "L7": ("games/test_time.py", "test_who_only_thinks_is_never_absent"),
    "L7 again": ("games/test_pulse.py", "test_loading_the_page_again_is_no_absence"),
    "L8": ("games/test_time.py", "test_the_clock_runs_for_the_player_who_must_act"),
    "L9": ("games/test_time.py", "test_the_clock_draws_from_the_stock_and_throws_the_card"),
    "L9 taken": ("games/test_time.py", "test_a_card_just_taken_is_not_thrown_by_the_clock"),
    "L9 thrice": ("games/test_time.py", "test_three_time_outs_in_a_row_let_the_other_claim"),
    "L10": ("games/test_consumers.py", "test_no_message_to_one_player_names_a_card_of_the_other"),
    "L11": ("games/test_watching.py", "test_a_spectator_sees_neither_hand_and_cannot_draw"),
    "L11 seated": ("games/test_watching.py", "test_a_seated_player_has_no_view_but_their_own"),
    "L12": ("games/test_rooms.py", "test_two_clicks_on_an_invitation_take_one_seat"),
    "L12 full": ("games/test_watching.py", "test_a_third_person_is_told_that_the_table_is_full"),
    "L12 left": ("games/test_rooms.py", "test_the_same_link_works_again_for_someone_who_left"),
    "L12 closed": ("games/test_rooms.py", "test_the_last_to_go_closes_the_room"),
    "L14": ("ginrami/test_stops.py", "test_a_stop_between_draw_and_discard_changes_nothing"),
    "L15": ("games/test_lobby.py", "test_a_quiet_room_leaves_the_lobby_and_its_game_stays"),
    "L15 next": ("games/test_lobby.py", "test_a_stale_game_does_not_block_the_next_one"),
    "L16": ("games/test_orders.py", "test_a_drawn_card_comes_last_and_a_thrown_one_leaves"),
    "L16 shown": ("browser/test_table_craft.py", "test_an_own_order_by_dragging_survives_a_reload"),
    "L17": ("browser/test_keyboard_and_touch.py", "test_everything_to_touch_is_as_large_as_a"),
    "L17 covered": ("browser/test_keyboard_and_touch.py", "test_nothing_on_the_table_is_covered"),
    "L18": ("games/test_live_cases.py", "test_gin_is_offered_and_ends_nothing_by_itself"),
    "L19": ("games/test_talk.py", "test_muting_hides_earlier_and_later_lines_from_whoever_muted"),
    "L19 reload": ("browser/test_talk.py", "test_muting_hides_earlier_and_later_lines_and"),
    "L19 report": ("games/test_talk_pages.py", "test_a_report_is_read_with_its_lines"),
    "L20": ("browser/test_table_craft.py", "test_the_title_calls_once_and_is_quiet_when_looked_at"),
}


def test_every_case_of_live_play_is_proved_somewhere():
    cases = {f"L{number}" for number in range(1, 21) if number != 13}
    assert {case.split()[0] for case in PROVED} == cases


@pytest.mark.parametrize("case", PROVED)
def test_the_proof_of_a_case_is_there(case):
    path, name = PROVED[case]
    assert re.search(rf"^(async )?def {name}", (TESTS / path).read_text(), re.MULTILINE)


@pytest.mark.django_db(transaction=True)
async def test_who_was_away_for_three_moves_is_shown_the_whole_table_not_what_they_missed(
    table_id, alice, bob
):
    """L4."""
    first = await Wire(f"tables/{table_id}", alice).open()
    before = await first.hear("table")
    await first.leave()

    def three_moves():
        seats = seats_of(table_id, [alice.pk, bob.pk])
        for _ in range(3):
            mover = seats[table.look(table_id, alice.pk)["hand"]["to_act"]]
            seen = table.look(table_id, mover)
            move = "draw stock" if "draw stock" in seen["hand"]["legal"] else choose(seen["hand"])
            table.make_move(table_id, mover, move, tuple(seen["at"]))

    await in_thread(three_moves)()
    again = await Wire(f"tables/{table_id}", alice).open()
    after = await again.hear()
    assert (after["type"], after["at"]) == ("table", [1, 3])
    assert after["version"] > before["version"]
    assert len(after["hand"]["held"]) in (10, 11)
    await again.leave()


@pytest.fixture
def almost_gin(waiting, bob, monkeypatch):
    """Alice, first to act, draws the card that leaves her nothing."""
    deck = deck_of("5h 6h 7h 8h Jc Jd Js 2c 2d 9c", upcard="Qs", stock="2s")
    monkeypatch.setattr(dealing, "first_dealer", lambda seats=2: 1)
    monkeypatch.setattr(dealing, "fresh_deck", lambda _stream: "".join(texts(deck)))
    table.sit_down(waiting, bob.pk)
    return waiting


@pytest.mark.django_db
def test_gin_is_offered_and_ends_nothing_by_itself(almost_gin, alice, bob):
    """L18. Whoever holds it may throw the card, or another, and play on."""
    for person, move, ply in ((alice, "pass", 0), (bob, "pass", 1), (alice, "draw stock", 2)):
        table.make_move(almost_gin, person.pk, move, (1, ply))
    view = table.look(almost_gin, alice.pk)
    assert view["state"] == "playing"
    assert (view["hand"]["deadwood"], view["hand"]["after_best_discard"]) == (9, 0)
    assert (view["hand"]["knocks"][0]["card"], view["hand"]["knocks"][0]["deadwood"]) == ("9c", 0)
    table.make_move(almost_gin, alice.pk, "discard 9c", (1, 3))
    view = table.look(almost_gin, alice.pk)
    assert (view["state"], view["hand"]["deadwood"], view["hand"]["to_act"]) == ("playing", 0, 1)


# --- time is only ever lost


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_no_reserve_ever_grows(seed, waiting, alice, bob, monkeypatch):
    """Not by going and coming, putting aside and taking up again, nor by a stop of the site."""
    hours, chance = Hours(monkeypatch), random.Random(seed)
    Room.objects.update(pace="30")
    table.sit_down(waiting, bob.pk)
    people = [alice, bob]

    def play():
        view = table.look(waiting, alice.pk)
        if view["state"] == "between":
            for person in people:
                table.ready(waiting, person.pk)
        elif view["state"] == "playing":
            mover = people[view["hand"]["to_act"]]
            seen = table.look(waiting, mover.pk)
            if seen["hand"]["legal"]:
                legal = seen["hand"]["legal"]
                move = "pass" if "pass" in legal else legal[-1] if "draw stock" in legal else (
                    f"discard {seen['hand']['best_discard']}"
                )  # fmt: skip
                table.make_move(waiting, mover.pk, move, tuple(seen["at"]))

    def of(verb):
        return lambda: verb(waiting, chance.choice(people).pk)

    deeds = [
        play, play, play,
        lambda: hours.pass_by(chance.choice((1, 20, 40, 200, 700))),
        lambda: hours.pass_by(chance.choice((20, 3600)), standing_still=True),
        lambda: presence.seen(waiting, 0, chance.choice(people).pk),
        lambda: presence.left(Spot("table", waiting, chance.choice(people).pk, plays=True)),
        table.keep_time, lambda: table.keep_time(start=True),
        of(table.adjourn), of(table.resume), of(table.wait), of(table.look),
    ]  # fmt: skip
    left = [120_000, 120_000]
    for _ in range(200):
        deed = chance.choice(deeds)
        try:
            deed()
        except table.Refused:
            continue
        now = list(SeatTime.objects.order_by("seat").values_list("reserve_ms", flat=True))
        assert all(after <= before for after, before in zip(now, left, strict=True))
        clock = Clock.objects.get()
        turn = timedelta(milliseconds=30_000 + max(now))
        assert clock.deadline is None or clock.deadline <= clock.turn_from + turn
        left = now
    assert sum(left) < 240_000
