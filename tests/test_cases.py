"""Where each case from the field is proved: rules (R) and accounts, sheets, history (A).

Those of live play are in games/test_live_cases.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
MELDS, SHOWN = "games/engine/test_melds.py", "games/engine/test_showdown.py"
MOVES, POINTS = "games/engine/test_position.py", "scoring/test_rules.py"
PROVED = {
    "R1": (MELDS, "test_hands_from_the_field"),
    "R4": (MELDS, "test_hands_from_the_field"),
    "R5": (MOVES, "test_the_limit_is_about_the_ten_cards_kept"),
    "R6": (SHOWN, "test_gin_leaves_nothing_to_lay_off_on"),
    "R6 said": (MOVES, "test_zero_is_gin_even_when_one_says_knock"),
    "R7": (SHOWN, "test_gin_is_not_undercut_by_nothing_left"),
    "R8": (SHOWN, "test_lay_offs_chain_to_29"),
    "R9": (SHOWN, "test_breaking_a_four_undercuts"),
    "R13": (SHOWN, "test_a_tie_is_an_undercut"),
    "R14": (SHOWN, "test_the_arrangement_shown_decides_what_is_laid_off"),
    "R14 chosen": (MOVES, "test_a_knock_may_choose_among_equal_arrangements_only"),
    "R15": (SHOWN, "test_big_gin_counts_what_the_other_holds"),
    "R15 bonus": (POINTS, "test_big_gin_pays_what_the_room_chose"),
    "R16": (MOVES, "test_a_card_just_taken_from_the_pile_may_not_be_thrown"),
    "R16 later": (MOVES, "test_a_taken_card_may_be_thrown_a_turn_later"),
    "R17": (MOVES, "test_after_two_passes_the_stock_is_all_there_is"),
    "R17 at once": (MOVES, "test_who_takes_the_upcard_may_knock_at_once"),
    "R18": (MOVES, "test_the_last_two_cards_of_the_stock_are_never_drawn"),
    "R18 line": (POINTS, "test_a_void_hand_is_no_line_and_nobodys"),
    "R19": (POINTS, "test_an_undercut_can_end_the_game_on_the_other_players_turn"),
    "R20": (POINTS, "test_line_bonuses_never_bring_the_target"),
    "R21": (POINTS, "test_a_shutout_is_worth_what_each_school_says"),
    "R22": (POINTS, "test_who_reaches_the_target_does_not_always_win"),
    "R23": (MOVES, "test_the_oklahoma_limit_stays_after_the_upcard_has_gone"),
    "R23 spade": (POINTS, "test_a_spade_doubles_only_where_the_rules_say_so"),
    "R24": (MOVES, "test_an_oklahoma_ace_is_gin_only_or_one"),
    "R26": (SHOWN, "test_the_first_worked_example"),
    "R26 bonus": (POINTS, "test_the_winner_of_four_of_six_hands_gets_200_at_the_end"),
    "R27": ("scoring/test_stakes.py", "test_every_published_row_comes_out_to_the_penny"),
    "R29": (POINTS, "test_a_hand_won_for_nothing_spoils_a_shutout_of_hands_not_of_points"),
    "A1": ("games/test_farewell.py", "test_no_name_is_left_of_whoever_left"),
    "A2": ("games/test_suspended.py", "test_a_suspension_ends_every_socket_of_that_person"),
    "A2 signed out": ("games/test_consumers.py", "test_signing_out_ends_the_socket_at_the_bell"),
    "A3": ("accounts/test_sign_in.py", "test_a_name_that_looks_taken_is_refused"),
    "A3 renamed": ("accounts/test_account.py", "test_a_name_cannot_be_changed_to_somebody_elses"),
    "A4": ("games/test_readers.py", "test_another_room_s_member_gains_nothing_by_the_number"),
    "A6": ("games/test_paper.py", "test_a_preset_changed_later_leaves_old_sheets_and_open"),
    "A7": ("scoring/test_editions.py", "test_lowering_the_last_hand_reopens_the_game"),
    "A7 deleted": ("scoring/test_editions.py", "test_deleting_a_hand_renumbers_the_later_ones"),
    "A8": ("games/test_files.py", "test_big_gin_the_rules_and_a_void_hand_survive_the"),
    "A10": ("accounts/test_admin.py", "test_staff_cannot_change_anyone_with_rights"),
    "A10 raised": ("accounts/test_admin.py", "test_staff_cannot_raise_a_players_rights"),
    "A11": ("games/test_replay.py", "test_every_move_is_an_address_from_the_deal_to_the_last"),
    "A11 second": ("scoring/test_history.py", "test_games_that_end_in_the_same_instant_are"),
    "A12": ("games/test_proof.py", "test_what_was_dealt_follows_from_what_was_published"),
}


@pytest.mark.parametrize("case", PROVED)
def test_the_proof_of_a_case_is_there(case):
    path, name = PROVED[case]
    assert re.search(rf"^(async )?def {name}", (TESTS / path).read_text(), re.MULTILINE)
