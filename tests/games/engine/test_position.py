"""The deal, the turns and the refusals, case by case (rules, sections 2 to 5)."""

from __future__ import annotations

import dataclasses

import pytest

from games.engine.cards import DECK, card, gather, texts
from games.engine.position import IllegalMove, apply, deal, legal_moves, replay
from games.engine.rules import PlayRules
from tests.games.engine.hands import deck_of, names, played

RULES = PlayRules()
BOB = "Ad 2s 4h 6s 7s 9d Td Qc Kc Kh"
MELDED = "3c 4c 5c 8h 8d 8s Jc Jd Jh 6d"
BIG_GIN = "4h 5h 6h 7h Qh Qc Qd Kd Kh Kc"


def refused(position, move) -> IllegalMove:
    with pytest.raises(IllegalMove) as refusal:
        apply(position, move)
    assert str(refusal.value)
    return refusal.value


def bare(card_taken: str, rules: PlayRules = RULES, alice: str = MELDED, bob: str = ""):
    """Alice has drawn this card from the stock."""
    deck = deck_of(alice, bob, upcard="2h", stock=card_taken)
    return played(rules, deck, "pass, pass, draw stock")


# The deal


def test_ten_cards_each_one_at_a_time_the_non_dealer_first():
    position = deal(RULES, DECK, dealer=1)
    assert set(position.held[0]) == set(DECK[0:20:2])
    assert set(position.held[1]) == set(DECK[1:20:2])
    assert position.pile == (DECK[20],)
    assert (position.stock, position.to_act, position.ply) == (31, 0, 0)
    assert set(deal(RULES, DECK, dealer=0).held[1]) == set(DECK[0:20:2])


def test_a_hand_is_dealt_sorted_by_suit_and_later_cards_come_last():
    position = bare("Ac")
    assert texts(position.held[0]) == names("3c 4c 5c Jc 6d 8d Jd 8h Jh 8s Ac")
    position = apply(position, "discard Jc")
    assert texts(position.held[0]) == names("3c 4c 5c 6d 8d Jd 8h Jh 8s Ac")


@pytest.mark.parametrize("seats", [3, 4])
def test_more_than_two_may_sit_down(seats):
    position = deal(RULES, DECK, dealer=seats - 1, seats=seats)
    assert [set(held) for held in position.held] == [
        set(DECK[seat : 10 * seats : seats]) for seat in range(seats)
    ]
    for seat in range(seats):
        assert position.to_act == seat
        position = apply(position, "pass")
    assert position.to_act == 0
    assert legal_moves(position) == ["draw stock"]


@pytest.mark.parametrize(
    ("deck", "dealer"), [(DECK[:51], 0), ((*DECK[:51], 0), 0), (DECK, 2), (DECK, -1)]
)
def test_a_deck_that_is_none_is_not_dealt(deck, dealer):
    with pytest.raises(ValueError, match="52 cards"):
        deal(RULES, deck, dealer)


def test_a_position_never_shows_its_cards_by_accident():
    assert repr(bare("9h")) == "<Position: ply 3, discard, seat 0 to act>"
    assert f"{bare('9h')}" == repr(bare("9h"))


def test_a_position_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        bare("9h").to_act = 1


# The upcard


def test_the_upcard_is_offered_to_one_and_then_the_other():
    deck = deck_of(MELDED, BOB, upcard="9h")
    position = played(RULES, deck, "")
    assert (position.phase, position.to_act) == ("upcard", 0)
    assert legal_moves(position) == ["draw discard", "pass"]
    assert refused(position, "draw stock").code == "upcard_first"
    position = apply(position, "pass")
    assert (position.phase, position.to_act) == ("upcard", 1)
    assert legal_moves(position) == ["draw discard", "pass"]


def test_after_two_passes_the_stock_is_all_there_is():
    position = played(RULES, deck_of(MELDED, BOB, upcard="9h", stock="2c"), "pass, pass")
    assert (position.phase, position.to_act) == ("draw", 0)
    assert legal_moves(position) == ["draw stock"]
    assert refused(position, "draw discard").code == "stock_only"
    assert refused(position, "pass").code == "no_pass"
    position = apply(apply(position, "draw stock"), "discard 2c")
    # the upcard stays under the pile, and the ban ends with the turn
    assert texts(position.pile) == ["9h", "2c"]
    assert legal_moves(position) == ["draw stock", "draw discard"]


def test_after_the_dealer_took_the_upcard_the_other_draws_as_usual():
    deck = deck_of(MELDED, BOB, upcard="9h")
    position = played(RULES, deck, "pass, draw discard, discard 2s")
    assert position.to_act == 0
    assert legal_moves(position) == ["draw stock", "draw discard"]


def test_after_the_non_dealer_took_the_upcard_the_dealer_draws_as_usual():
    position = played(RULES, deck_of(MELDED, BOB, upcard="9h"), "draw discard, discard 6d")
    assert position.to_act == 1
    assert legal_moves(position) == ["draw stock", "draw discard"]


def test_who_takes_the_upcard_may_knock_at_once():
    position = played(RULES, deck_of(MELDED, BOB, upcard="9h"), "draw discard, knock 6d")
    assert (position.outcome.end, position.outcome.knocker_deadwood) == ("knock", 9)


# A turn


def test_one_draw_and_one_discard_a_turn():
    position = bare("9h")
    assert refused(position, "draw stock").code == "already_drawn"
    assert refused(position, "draw discard").code == "already_drawn"
    assert refused(position, "pass").code == "no_pass"
    after = apply(position, "discard 9h")
    assert refused(after, "discard Ad").code == "draw_first"
    assert refused(after, "knock Ad").code == "draw_first"
    assert len(after.held[0]) == 10


def test_a_card_not_held_cannot_be_thrown():
    position = bare("9h")
    assert refused(position, "discard Ad").params == {"card": "Ad"}
    assert refused(position, "knock Kh").code == "not_held"
    assert refused(position, "discard 2h").code == "not_held"


def test_a_card_just_taken_from_the_pile_may_not_be_thrown():
    position = played(RULES, deck_of(MELDED, BOB, upcard="9h"), "draw discard")
    assert refused(position, "discard 9h").code == "just_taken"
    assert refused(position, "knock 9h").code == "just_taken"
    assert "discard 9h" not in legal_moves(position)
    assert "knock 9h" not in legal_moves(position)
    assert "knock 6d" in legal_moves(position)


def test_the_same_card_from_the_stock_may_be_thrown():
    position = bare("9h")
    assert {"discard 9h", "knock 9h", "knock 6d"} <= set(legal_moves(position))
    assert apply(position, "knock 9h").outcome.knocker_deadwood == 6
    assert apply(position, "discard 9h").phase == "draw"


def test_a_taken_card_may_be_thrown_a_turn_later():
    deck = deck_of(MELDED, BOB, upcard="9h", stock="2c Ac")
    moves = "draw discard, discard 6d, draw stock, discard 2c, draw stock"
    assert "discard 9h" in legal_moves(played(RULES, deck, moves))


def test_a_taken_card_may_be_thrown_a_turn_later_but_not_its_successor():
    deck = deck_of(MELDED, BOB, upcard="9h", stock="2c")
    moves = "draw discard, discard 6d, draw stock, discard 2c, draw discard"
    position = played(RULES, deck, moves)
    assert "discard 9h" in legal_moves(position)
    assert refused(position, "discard 2c").code == "just_taken"


def test_a_room_may_lock_the_card_from_the_stock_too():
    position = bare("9h", PlayRules(keep_drawn_card="any"))
    assert refused(position, "discard 9h").code == "just_taken"
    assert refused(position, "knock 9h").code == "just_taken"
    assert "knock 6d" in legal_moves(position)


# Knocking


@pytest.mark.parametrize(("fourth", "deadwood"), [("5c", 11), ("4c", 10)])
def test_the_limit_is_about_the_ten_cards_kept(fourth, deadwood):
    position = bare("Kh", alice=f"4h 5h 6h 9s 9d 9c Ac 2d 3s {fourth}")
    if deadwood == 10:
        assert apply(position, "knock Kh").outcome.knocker_deadwood == 10
        return
    refusal = refused(position, "knock Kh")
    assert refusal.code == "knock_too_high"
    assert (refusal.params["deadwood"], refusal.params["limit"]) == (11, 10)
    assert "11" in str(refusal)
    assert "10" in str(refusal)
    # nothing is lost: still eleven cards, and the same card may be discarded
    assert len(position.held[0]) == 11
    assert apply(position, "discard Kh").phase == "draw"


def test_zero_is_gin_even_when_one_says_knock():
    position = apply(bare("9h", alice="3c 4c 5c 8h 8d 8s Jc Jd Jh Js"), "knock 9h")
    assert position.outcome.end == "gin"


def test_where_only_gin_ends_a_hand_one_is_too_much():
    alice = "3c 4c 5c 8h 8d 8s Jc Jd Jh As"
    rules = PlayRules(knock_limit=0)
    refusal = refused(bare("9h", rules, alice), "knock 9h")
    assert refusal.code == "knock_too_high"
    assert "gin" in str(refusal)
    assert apply(bare("Js", rules, alice), "knock As").outcome.end == "gin"


def test_the_oklahoma_limit_stays_after_the_upcard_has_gone():
    rules = PlayRules(knock_limit="upcard")
    deck = deck_of("3c 4c 5c 8h 8d 8s Jc Jd Jh 5s", BOB, upcard="4s", stock="2c Qd")
    position = played(rules, deck, "pass, draw discard, discard 2s, draw stock")
    assert position.limit == 4
    assert "knock 5s" in legal_moves(position)  # leaves 2c
    assert refused(position, "knock 2c").params["limit"] == 4


def test_an_oklahoma_ace_is_gin_only_or_one():
    alice = "3c 4c 5c 8h 8d 8s Jc Jd Jh As"
    deck = deck_of(alice, BOB, upcard="Ah", stock="9h")
    moves = "pass, pass, draw stock"
    gin_only = played(PlayRules(knock_limit="upcard"), deck, moves)
    assert refused(gin_only, "knock 9h").code == "knock_too_high"
    one = played(PlayRules(knock_limit="upcard", oklahoma_ace=1), deck, moves)
    assert apply(one, "knock 9h").outcome.knocker_deadwood == 1


def test_a_knock_may_choose_among_equal_arrangements_only():
    position = bare("Kh", alice="2s 3s 4s 3d 3h 7c 8c 9c Tc Ac")
    for melds in ("2s3s4s 7c8c9cTc", "3d3h3s 7c8c9cTc"):
        shown = apply(position, f"knock Kh {melds}").outcome.layout[0].melds
        assert ["".join(texts(meld)) for meld in shown] == melds.split()
    preselected = apply(position, "knock Kh").outcome
    assert preselected == apply(position, "knock Kh 3d3h3s 7c8c9cTc").outcome
    for other in (
        "7c8c9cTc",
        "2s3s4s 7c8c9c",
        "2s3s4s 8c9cTc",
        "3d3h3s2s4s 7c8c9cTc",
        "3d3h3s7c8c9cTc",
        "3d3d3h3s 7c8c9cTc",
        "3d3h3s 7c8c9cTc Ac",
        "3d3h3s 7c8c 9cTc",
        "3d3h3s  7c8c9cTc",
        "3d3h3s 7c8c9cTc ",
        "3d3h3s 7c8c9cT",
        "KhKdKs",
        "nonsense",
        "",
    ):
        assert refused(position, f"knock Kh {other}").code == "no_such_arrangement", other


@pytest.mark.parametrize(
    "said",
    ["3d3h3s 7c8c9cTc", "7c8c9cTc 3d3h3s", "3s3h3d 7c8c9cTc", "Tc9c8c7c 3h3s3d", "3h3d3s 9cTc7c8c"],
)
def test_an_arrangement_may_be_said_in_any_order_and_is_kept_in_one(said):
    position = bare("Kh", alice="2s 3s 4s 3d 3h 7c 8c 9c Tc Ac")
    after = apply(position, f"knock Kh {said}")
    assert after == apply(position, "knock Kh 3d3h3s 7c8c9cTc")
    assert after.log[-1].move == "knock Kh 3d3h3s 7c8c9cTc"


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ("5c6c7c8c9cTc", True),
        ("5c6c7c 8c9cTc", True),
        ("8c9cTc 7c6c5c", True),
        ("5c6c 7c8c9cTc", False),
        ("5c6c7cTc 8c9c", False),
    ],
)
def test_a_run_may_be_said_cut_in_two(said, allowed):
    position = bare("Jh", alice="5c 6c 7c 8c 9c Tc 3d 3h 3s Ah")
    if allowed:
        after = apply(position, f"knock Jh 3d3h3s {said}")
        assert after.log[-1].move == "knock Jh 3d3h3s 5c6c7c8c9cTc"
        assert len(after.outcome.layout[0].melds) == 2
    else:
        assert refused(position, f"knock Jh 3d3h3s {said}").code == "no_such_arrangement"


# Big gin


def test_eleven_cards_in_melds_are_big_gin_where_the_room_has_it():
    position = bare("Ks", PlayRules(big_gin=True), BIG_GIN, "As Ad Ac 9s 8d 5c 5s 2d 2c 2s")
    assert "big gin" in legal_moves(position)
    outcome = apply(position, "big gin").outcome
    assert (outcome.end, outcome.knocker_deadwood, outcome.defender_deadwood) == ("big_gin", 0, 27)
    assert outcome.thrown is None
    # gin or going on is still a choice
    assert apply(position, "knock Ks").outcome.end == "gin"
    assert apply(position, "discard 7h").phase == "draw"


def test_big_gin_is_refused_where_the_room_has_none_and_before_the_draw():
    position = bare("Ks", RULES, BIG_GIN)
    assert "big gin" not in legal_moves(position)
    assert refused(position, "big gin").code == "no_big_gin"
    assert apply(position, "knock 4h").outcome.end == "gin"
    deck = deck_of(BIG_GIN)
    assert refused(played(PlayRules(big_gin=True), deck, ""), "big gin").code == "draw_first"


def test_big_gin_takes_all_eleven():
    refusal = refused(bare("9h", PlayRules(big_gin=True)), "big gin")
    assert refusal.code == "not_big_gin"
    assert refusal.params["deadwood"] == 15


def test_big_gin_may_hold_the_card_just_taken():
    deck = deck_of(BIG_GIN, "As Ad Ac 9s 8d 5c 5s 2d 2c 2s", upcard="Ks")
    position = played(PlayRules(big_gin=True), deck, "draw discard, big gin")
    assert position.outcome.end == "big_gin"


# Void


def stock_down(rules: PlayRules, draws: int):
    """Both throw what they draw until so many cards have gone; the last drawer still holds it."""
    deck = deck_of(MELDED, BOB, upcard="2h")
    position = played(rules, deck, "pass, pass")
    for number in range(draws):
        position = apply(position, "draw stock")
        if number < draws - 1:
            position = apply(position, f"discard {texts(position.held[position.to_act])[-1]}")
    return position


def test_the_last_two_cards_of_the_stock_are_never_drawn():
    position = stock_down(RULES, 29)
    assert (position.stock, position.to_act) == (2, 0)
    over = apply(position, f"discard {texts(position.held[0])[-1]}")
    assert over.phase == "over"
    assert (over.outcome.end, over.outcome.winner, over.outcome.knocker) == ("void", None, None)
    assert (over.to_act, legal_moves(over)) == (None, [])
    assert refused(over, "draw stock").code == "over"


def test_a_knock_on_the_last_draw_counts():
    position = stock_down(RULES, 29)
    assert apply(position, f"knock {texts(position.held[0])[-1]}").outcome.end == "knock"


def test_with_three_left_play_goes_on():
    position = stock_down(RULES, 28)
    assert position.stock == 3
    position = apply(position, f"discard {texts(position.held[1])[-1]}")
    assert position.phase == "draw"
    position = apply(position, "draw discard")
    position = apply(position, "discard 6d")
    assert (position.phase, position.stock) == ("draw", 3)


def without_the_stock(turns: int):
    """Turns in a row in which the top of the pile is taken, and the first card held thrown."""
    position = played(RULES, deck_of(MELDED, BOB, upcard="2h"), "")
    for _ in range(turns):
        position = apply(position, "draw discard")
        assert position.to_act is not None
        position = apply(position, f"discard {texts(position.held[position.to_act])[0]}")
    return position


def test_fifty_turns_without_the_stock_are_void():
    assert without_the_stock(49).phase == "draw"
    over = without_the_stock(50)
    assert (over.phase, over.outcome.end) == ("over", "void")


def test_one_draw_from_the_stock_starts_the_count_afresh():
    position = apply(without_the_stock(49), "draw stock")
    position = apply(position, f"discard {texts(position.held[position.to_act])[-1]}")
    assert position.phase == "draw"
    position = apply(position, "draw discard")
    position = apply(position, f"discard {texts(position.held[position.to_act])[0]}")
    assert (position.phase, position.idle_turns) == ("draw", 1)


def test_a_void_hand_shows_both_hands():
    over = without_the_stock(50)
    for seat, layout in enumerate(over.outcome.layout):
        shown = gather([one for meld in layout.melds for one in meld] + list(layout.loose))
        assert shown == gather(over.held[seat])


# First to knock


def test_first_to_knock_is_won_by_the_knocker_whatever_the_other_holds():
    rules = PlayRules(format="first_knock")
    defender = "Ad As Ah 2s 2c 2d 7s 7h 7d 3h"  # deadwood 3 against 6
    outcome = apply(bare("9h", rules, bob=defender), "knock 9h").outcome
    assert (outcome.end, outcome.knocker, outcome.winner) == ("first_knock", 0, 0)
    assert apply(bare("9h", bob=defender), "knock 9h").outcome.end == "undercut"


def test_gin_in_first_to_knock_is_a_first_knock_too():
    rules = PlayRules(format="first_knock")
    position = bare("Js", rules)
    assert apply(position, "knock 6d").outcome.end == "first_knock"


# Replay


def test_a_replay_is_the_same_position_and_refuses_what_could_not_be():
    deck = deck_of(MELDED, BOB, upcard="9h")
    moves = ["pass", "pass", "draw stock"]
    assert replay(RULES, deck, 1, moves) == played(RULES, deck, ", ".join(moves))
    with pytest.raises(IllegalMove):
        replay(RULES, deck, 1, [*moves, "draw stock"])


def test_the_spade_is_the_upcards():
    assert deal(RULES, deck_of(MELDED, upcard="4s"), 1).spade
    assert not deal(RULES, deck_of(MELDED, upcard="4d"), 1).spade
    assert deal(RULES, deck_of(MELDED, upcard="4s"), 1).upcard == card("4s")
