"""What a seat is shown, field by field."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings

from games.engine.cards import texts
from games.engine.position import apply
from games.engine.rules import PlayRules
from games.engine.view import view_for
from tests.games.engine.hands import deck_of, names, played, random_play, rules_of_play, seeds

ALICE = "3c 4c 5c 8h 8d 8s Jc Jd Jh 6d"
BOB = "Ad 2s 4h 6s 7s 9d Td Qc Kc Kh"
EQUAL = "2s 3s 4s 3d 3h 7c 8c 9c Tc Ac"
RULES = PlayRules()
FIELDS = {
    *("phase", "to_act", "dealer", "knock_limit", "gin_only", "oklahoma", "spade", "upcard"),
    *("stock", "pile", "pile_count", "others", "held", "melds", "loose", "deadwood"),
    *("after_best_discard", "best_discard", "drawn", "locked", "legal", "knocks", "log", "result"),
}


def drawn_from_the_stock(rules: PlayRules = RULES):
    deck = deck_of(ALICE, BOB, upcard="2h", stock="9h Ac")
    return played(rules, deck, "pass, pass, draw stock")


@given(rules_of_play, seeds)
@settings(max_examples=15, deadline=None)
def test_a_view_is_plain_json_with_the_same_fields_always(rules, seed):
    for position in random_play(rules, Random(seed)):
        for seat in (0, 1, None):
            view = view_for(position, seat)
            assert set(view) == FIELDS
            assert json.loads(json.dumps(view)) == view


def test_the_player_to_act_sees_all_they_need():
    view = view_for(drawn_from_the_stock(), 0)
    assert view["held"] == names("3c 4c 5c Jc 6d 8d Jd 8h Jh 8s 9h")
    assert view["drawn"] == "9h"
    assert view["locked"] == []
    assert view["melds"] == [["3c", "4c", "5c"], ["8d", "8h", "8s"], ["Jc", "Jd", "Jh"]]
    assert (view["loose"], view["deadwood"]) == (["6d", "9h"], 15)
    assert (view["after_best_discard"], view["best_discard"]) == (6, "9h")
    assert view["legal"][:2] == ["discard 3c", "discard 4c"]
    assert view["legal"][-2:] == ["knock 6d", "knock 9h"]
    assert view["knocks"] == [
        {
            "card": "9h",
            "deadwood": 6,
            "arrangements": [{"melds": ["3c4c5c", "8d8h8s", "JcJdJh"], "loose": ["6d"]}],
        },
        {
            "card": "6d",
            "deadwood": 9,
            "arrangements": [{"melds": ["3c4c5c", "8d8h8s", "JcJdJh"], "loose": ["9h"]}],
        },
    ]
    assert view["others"] == [{"seat": 1, "count": 10}]
    assert (view["stock"], view["pile"], view["pile_count"]) == (30, ["2h"], 1)


def test_the_other_player_sees_a_count():
    view = view_for(drawn_from_the_stock(), 1)
    assert view["others"] == [{"seat": 0, "count": 11}]
    assert (view["drawn"], view["legal"], view["knocks"], view["locked"]) == (None, [], [], [])
    assert (view["after_best_discard"], view["best_discard"]) == (None, None)
    assert set(view["held"]) == set(BOB.split())
    assert view["to_act"] == 0


def test_a_spectator_sees_two_counts_and_no_hand():
    view = view_for(drawn_from_the_stock(), None)
    assert view["others"] == [{"seat": 0, "count": 11}, {"seat": 1, "count": 10}]
    assert (view["held"], view["melds"], view["loose"], view["deadwood"]) == (None, [], [], None)
    assert (view["legal"], view["knocks"]) == ([], [])


def test_a_taken_card_is_locked_and_never_the_best_discard():
    position = played(PlayRules(), deck_of(ALICE, BOB, upcard="Kd"), "draw discard")
    view = view_for(position, 0)
    assert (view["drawn"], view["locked"]) == ("Kd", ["Kd"])
    assert (view["best_discard"], view["after_best_discard"]) == ("6d", 10)
    assert [knock["card"] for knock in view["knocks"]] == ["6d"]
    assert view["upcard"] == "Kd"
    assert view["pile"] == []


def test_equal_arrangements_are_listed_the_preselected_first():
    position = played(PlayRules(), deck_of(EQUAL, stock="Kh"), "pass, pass, draw stock")
    knock = next(k for k in view_for(position, 0)["knocks"] if k["card"] == "Kh")
    assert [one["melds"] for one in knock["arrangements"]] == [
        ["3d3h3s", "7c8c9cTc"],
        ["2s3s4s", "7c8c9cTc"],
    ]
    assert knock["arrangements"][0]["loose"] == ["Ac", "2s", "4s"]


def test_gin_is_among_the_knocks_and_ends_nothing_by_itself():
    position = played(PlayRules(), deck_of(ALICE, BOB, stock="Js"), "pass, pass, draw stock")
    view = view_for(position, 0)
    assert (view["knocks"][0]["card"], view["knocks"][0]["deadwood"]) == ("6d", 0)
    assert view["phase"] == "discard"


@pytest.mark.parametrize(
    ("rules", "upcard", "limit", "gin_only", "oklahoma", "spade"),
    [
        (PlayRules(), "4s", 10, False, False, True),
        (PlayRules(knock_limit="upcard"), "5s", 5, False, True, True),
        (PlayRules(knock_limit="upcard"), "Ah", 0, True, True, False),
        (PlayRules(knock_limit=0), "Ah", 0, True, False, False),
    ],
)
def test_the_limit_of_the_hand_is_told(rules, upcard, limit, gin_only, oklahoma, spade):
    view = view_for(played(rules, deck_of(ALICE, BOB, upcard=upcard), ""), None)
    told = (view["knock_limit"], view["gin_only"], view["oklahoma"], view["spade"])
    assert told == (limit, gin_only, oklahoma, spade)


# The pile and the log

FOUR_TURNS = (
    "pass, pass, draw stock, discard 9h, draw discard, discard Kh, "
    "draw stock, discard Ac, draw stock, discard Kc"
)


def after_four_turns(rules: PlayRules = RULES, moves: str = FOUR_TURNS):
    return played(rules, deck_of(ALICE, BOB, upcard="2h", stock="9h Ac 5s"), moves)


def test_a_live_hand_tells_the_moves_since_ones_own_last_turn():
    position = after_four_turns()
    assert view_for(position, 0)["log"] == [
        {"ply": 9, "seat": 1, "move": "draw stock"},
        {"ply": 10, "seat": 1, "move": "discard Kc"},
    ]
    assert view_for(position, 1)["log"] == []
    assert [line["ply"] for line in view_for(position, None)["log"]] == [7, 8, 9, 10]


def test_ones_own_turn_is_not_over_before_the_discard():
    position = apply(after_four_turns(), "draw stock")
    assert [line["ply"] for line in view_for(position, 0)["log"]] == [9, 10, 11]
    assert [line["ply"] for line in view_for(position, 1)["log"]] == [11]
    assert [line["ply"] for line in view_for(position, None)["log"]] == [9, 10, 11]


def test_a_card_taken_from_the_pile_is_named_and_one_from_the_stock_is_not():
    moves = "pass, pass, draw stock, discard 9h, draw discard, discard Kh"
    position = after_four_turns(moves=moves)
    assert view_for(position, 0)["log"] == [
        {"ply": 5, "seat": 1, "move": "draw discard", "card": "9h"},
        {"ply": 6, "seat": 1, "move": "discard Kh"},
    ]


def test_a_pass_is_a_turn():
    position = after_four_turns(moves="pass, pass")
    assert [line["ply"] for line in view_for(position, 0)["log"]] == [2]
    assert [line["ply"] for line in view_for(position, None)["log"]] == [1, 2]


def test_the_pile_shows_its_top_card_only():
    view = view_for(after_four_turns(), 0)
    assert (view["pile"], view["pile_count"]) == (["Kc"], 4)


def test_an_open_pile_and_its_moves_may_be_browsed():
    view = view_for(after_four_turns(PlayRules(discard_history="open")), 0)
    assert (view["pile"], view["pile_count"]) == (["Kc", "Ac", "Kh", "2h"], 4)
    assert [line["ply"] for line in view["log"]] == list(range(1, 11))
    assert all("card" not in line for line in view["log"] if line["move"] == "draw stock")


def test_the_order_of_a_hand_is_kept_and_a_new_card_comes_last():
    position = after_four_turns(moves="pass, pass, draw stock, discard 6d, draw stock, discard Kh")
    before = view_for(position, 0)["held"]
    assert before[-1] == "9h"
    assert view_for(apply(position, "draw stock"), 0)["held"] == [*before, "5s"]


# The showdown


def test_the_showdown_opens_both_hands_and_the_whole_log():
    position = apply(drawn_from_the_stock(), "knock 9h")
    for seat in (0, 1, None):
        view = view_for(position, seat)
        result = view["result"]
        assert (view["phase"], view["to_act"], view["legal"]) == ("over", None, [])
        assert view["log"][2] == {"ply": 3, "seat": 0, "move": "draw stock", "card": "9h"}
        assert [hand["seat"] for hand in result["hands"]] == [0, 1]
        assert result["thrown"] == "9h"
        assert result["end"] == "knock"
        assert result["hands"][0]["melds"][0] == ["3c", "4c", "5c"]
        bob = result["hands"][1]
        assert bob["loose"] == names("Qc Kc Ad 9d Td 4h Kh 2s 6s 7s")
        assert bob["deadwood"] == bob["before"] == result["defender_deadwood"] == 69


def test_what_was_laid_off_names_its_meld():
    deck = deck_of("6h 7h 8h Jc Jd Js Ac Ad As 9c", "5h 4h 9h Th 2c 3c 4c Kd Qd 9s", stock="6s")
    position = played(PlayRules(), deck, "pass, pass, draw stock, knock 6s")
    result = view_for(position, None)["result"]
    run = result["hands"][0]["melds"].index(["6h", "7h", "8h"])
    assert result["hands"][1]["laid_off"] == [
        {"card": card, "meld": run} for card in ("5h", "4h", "9h", "Th")
    ]
    assert result["hands"][1]["before"] == 57
    assert set(result["hands"][1]["loose"]) == {"Kd", "Qd", "9s"}


def test_until_the_showdown_no_view_holds_a_card_of_the_other_hand():
    for seed in range(5):
        for position in random_play(PlayRules(), Random(seed), eager=1):
            if position.phase == "over":
                continue
            for seat in (0, 1):
                shown = json.dumps(view_for(position, seat))
                public = {entry.card for entry in position.log if entry.move == "draw discard"}
                hidden = set(position.held[1 - seat]) - public
                assert not [name for name in texts(hidden) if f'"{name}"' in shown]
