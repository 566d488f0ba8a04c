"""How hands end, by the worked examples and the cases from the field (rules, sections 5 to 7).

Points are the score sheet's; here they are only reckoned to say what the example says.
"""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.cards import DECK, card, texts
from games.engine.position import apply, deal, replay
from games.engine.rules import PlayRules
from games.engine.showdown import Outcome
from tests.games.engine.hands import deck_of, played, vectors

RULES = PlayRules()


def shown(
    knocker: str, defender: str, throws: str, rules: PlayRules = RULES, knock: str = ""
) -> Outcome:
    """Alice draws a card from the stock, throws it and knocks with these ten cards."""
    deck = deck_of(knocker, defender, stock=throws)
    position = played(rules, deck, f"pass, pass, draw stock, knock {throws}{knock}")
    assert position.outcome is not None
    return position.outcome


def points(outcome: Outcome, gin: int = 25, undercut: int = 25, big_gin: int = 31) -> int:
    k, d = outcome.knocker_deadwood, outcome.defender_deadwood
    return {
        "knock": d - k,
        "undercut": k - d + undercut,
        "gin": d + gin,
        "big_gin": d + big_gin,
    }[outcome.end]


def test_the_first_worked_example():
    outcome = shown("4s 4h 4d 7s 8s 9s Ac As 6c 2d", "7c 8c 9c 6s Kh Qd Jh Td 5d Ah", "3h")
    defender = outcome.layout[1]
    assert [texts(meld) for meld in defender.melds] == [["7c", "8c", "9c"]]
    assert (defender.before, defender.deadwood) == (52, 46)
    (laid,) = defender.laid_off
    assert texts([laid[0]]) == ["6s"]
    assert texts(outcome.layout[0].melds[laid[1]]) == ["7s", "8s", "9s"]
    assert (outcome.end, points(outcome)) == ("knock", 36)


def test_gin_leaves_nothing_to_lay_off_on():
    knocker = "7h 7d 7c 2s 3s 4s 9c Tc Jc Qc"
    outcome = shown(knocker, "Ah Ad Ac 5h 6h 7s 5s Ks Kh Kd", "8d")
    assert (outcome.end, outcome.defender_deadwood) == ("gin", 23)
    assert outcome.layout[1].laid_off == ()
    assert (points(outcome, gin=20), points(outcome)) == (43, 48)


def test_gin_is_not_undercut_by_nothing_left():
    knocker = "7h 7d 7c 2s 3s 4s 9c Tc Jc Qc"
    outcome = shown(knocker, "Ah Ad As 8h 9h Th Ks Kh Kd Kc", "8d")
    assert (outcome.end, outcome.winner, outcome.defender_deadwood) == ("gin", 0, 0)
    assert (points(outcome, gin=20), points(outcome)) == (20, 25)


def test_lay_offs_chain_to_29():
    outcome = shown("6h 7h 8h Jc Jd Js Ac Ad As 9c", "5h 4h 9h Th 2c 3c 4c Kd Qd 9s", "6s")
    assert (outcome.layout[1].before, outcome.defender_deadwood) == (57, 29)
    assert points(outcome) == 20


def test_breaking_a_four_undercuts():
    knocker, defender = "5h 6h 7h Jc Jd Js 2c 2d 2s 4d", "8h 8s 8d 8c 9h Ks Kh Kd As 3d"
    outcome = shown(knocker, defender, "Qc")
    assert (outcome.end, outcome.winner, outcome.defender_deadwood) == ("undercut", 1, 4)
    assert [points(outcome, undercut=bonus) for bonus in (10, 25, 0)] == [10, 25, 0]
    without = shown(knocker, defender, "Qc", PlayRules(layoffs=False))
    assert (without.end, points(without)) == ("knock", 9)


def test_a_tie_is_an_undercut():
    outcome = shown("Ts Js Qs 6h 7h 8h 2c 2d 2s 9d", "Kc Kd Kh 3c 4c 5c Ac Ad As 9c", "7d")
    assert (outcome.end, outcome.winner) == ("undercut", 1)
    assert [points(outcome, undercut=bonus) for bonus in (10, 25, 0)] == [10, 25, 0]


def test_one_point_more_is_no_undercut():
    outcome = shown("Ts Js Qs 6h 7h 8h 2c 2d 2s 9d", "Kc Kd Kh 3c 4c 5c Ac Ad As Tc", "7d")
    assert (outcome.end, outcome.winner, points(outcome)) == ("knock", 0, 1)


@pytest.mark.parametrize(
    ("melds", "left", "worth"),
    [("2s3s4s 7c8c9cTc", 37, 30), ("3d3h3s 7c8c9cTc", 40, 33)],
)
def test_the_arrangement_shown_decides_what_is_laid_off(melds, left, worth):
    knocker, defender = "2s 3s 4s 3d 3h 7c 8c 9c Tc Ac", "As 5s 3c Kd Kh Kc Jd Qd 8h 6d"
    outcome = shown(knocker, defender, "Qh", knock=f" {melds}")
    assert (outcome.knocker_deadwood, outcome.defender_deadwood) == (7, left)
    assert points(outcome) == worth


def test_big_gin_counts_what_the_other_holds():
    deck = deck_of("4h 5h 6h 7h Qh Qc Qd Kd Kh Kc", "As Ad Ac 9s 8d 5c 5s 2d 2c 2s", stock="Ks")
    position = played(PlayRules(big_gin=True), deck, "pass, pass, draw stock")
    big, gin = apply(position, "big gin").outcome, apply(position, "knock 7h").outcome
    assert [points(big, big_gin=bonus) for bonus in (31, 25, 50)] == [58, 52, 77]
    assert (points(gin, gin=20), points(gin)) == (47, 52)
    assert big.layout[1].laid_off == ()


def test_eight_against_ten_after_laying_off_is_two():
    outcome = shown("6h 7h 8h Jc Jd Js Ac Ad As 8c", "9h Kc Kd Kh 2c 3c 4c 5d 3s 2d", "5s")
    assert (outcome.layout[1].before, outcome.defender_deadwood) == (19, 10)
    assert (outcome.end, points(outcome)) == ("knock", 2)


def test_five_against_eight_is_three_and_the_bonus():
    outcome = shown("6h 7h 8h Jc Jd Js Ac Ad As 8c", "9h Kc Kd Kh 2c 3c 4c 5c 3d 2d", "5s")
    assert (outcome.layout[1].before, outcome.defender_deadwood) == (14, 5)
    assert (outcome.end, points(outcome, undercut=10)) == ("undercut", 13)


def test_three_defenders_lay_off_in_turn_also_on_each_others_cards():
    hands = [
        "5h 6h 7h Jc Jd Js Ac Ad As 9c",
        "8h 2c 4c 6c 8d Td Qd Ks 3s 5s",
        "9h 2d 4d 6d 8c Tc Qc Kc 3d 5d",
    ]
    dealt = [card(name) for turn in zip(*map(str.split, hands), strict=True) for name in turn]
    rest = [one for one in DECK if one not in dealt]
    position = deal(PlayRules(), (*dealt, *rest), dealer=2, seats=3)
    for move in ("pass", "pass", "pass", "draw stock"):
        position = apply(position, move)
    outcome = apply(position, f"knock {texts(position.held[0])[-1]}").outcome
    laid = [texts(one for one, _ in layout.laid_off) for layout in outcome.layout]
    assert laid == [[], ["8h"], ["9h"]]  # the nine only because the eight lies there
    assert len(outcome.layout) == 3


def test_whole_hands_of_another_program_end_alike():
    ends = Counter()
    for row in vectors("hands"):
        deck = tuple(card(name) for name in row["deck"].split())
        rules = PlayRules(knock_limit=row["knock_limit"])
        outcome = replay(rules, deck, row["dealer"], row["moves"]).outcome
        assert outcome is not None, row["id"]
        expected = row["expect"]
        ends[outcome.end] += 1
        assert outcome.end == expected["end"], row["id"]
        if outcome.end != "void":
            assert {
                "end": outcome.end,
                "knocker": outcome.knocker,
                "winner": outcome.winner,
                "knocker_deadwood": outcome.knocker_deadwood,
                "defender_deadwood": outcome.defender_deadwood,
                "points": points(outcome),
            } == expected, row["id"]
    assert sum(ends.values()) == 756
    assert set(ends) == {"knock", "gin", "undercut", "void"}
