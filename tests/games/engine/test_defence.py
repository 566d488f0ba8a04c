"""The best defence: own melds and lay-offs chosen together (rules, section 6)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.arrangements import arrangements
from games.engine.cards import DECK, NAMES, gather, parse, texts
from games.engine.defence import best_defence
from tests.games.engine import referee
from tests.games.engine.hands import hands_of, vectors


def defend(hand: str, *melds: str):
    defence = best_defence(parse(hand.split()), [parse(meld.split()) for meld in melds])
    laid = [(NAMES[card], meld) for card, meld in defence.laid_off]
    return laid, defence.rest.text, defence.rest.deadwood


def test_the_vectors_agree():
    joint = 0
    for row in vectors("showdowns"):
        defender = parse(row["defender"])
        joint += row["kind"] == "joint"
        assert arrangements(defender)[0].deadwood == row["defender_alone"]
        for shown, expected in zip(
            arrangements(parse(row["knocker"])), row["arrangements"], strict=True
        ):
            melds = shown.melds if row["knocker_deadwood"] else ()
            assert best_defence(defender, melds).rest.deadwood == expected["defender"], row
    assert joint == 160


def test_lay_offs_chain_at_both_ends():
    laid, _, deadwood = defend("5h 4h 9h Th 2c 3c 4c Kd Qd 9s", "6h 7h 8h", "Jc Jd Js", "Ac Ad As")
    # 5h, then 4h, below; 9h, then Th, above
    assert laid == [("5h", 0), ("4h", 0), ("9h", 0), ("Th", 0)]
    assert deadwood == 29


def test_a_chain_stops_at_its_first_gap():
    laid, _, deadwood = defend("4h 3h Th Jh 2c 9c Kd Qd 9s Ad", "6h 7h 8h")
    assert laid == []
    assert deadwood == 68


def test_a_chain_stops_at_ace_and_king():
    laid, _, _ = defend("Ac Kd Qs Ks Ad 9s 7d 5s 3d 4h", "2c 3c 4c", "Jd Qd Td")
    assert laid == [("Ac", 0), ("Kd", 1)]


def test_a_meld_of_ones_own_is_broken_to_lay_off():
    laid, own, deadwood = defend(
        "8h 8s 8d 8c 9h Ks Kh Kd As 3d", "5h 6h 7h", "Jc Jd Js", "2c 2d 2s"
    )
    assert laid == [("8h", 0), ("9h", 0)]
    assert own == "8c8d8s KdKhKs"
    assert deadwood == 4


def test_a_card_is_kept_in_a_meld_where_that_leaves_less():
    # 8h fits the run, but the set of eights needs it
    laid, own, deadwood = defend("8h 8s 8d 2c 4c Ks Kh Kd As 3d", "5h 6h 7h")
    assert laid == []
    assert own == "8d8h8s KdKhKs"
    assert deadwood == 10


def test_a_card_that_fits_twice_goes_where_another_can_follow():
    # 9h could be the fourth nine, but on the run it lets the ten follow
    laid, _, deadwood = defend("9h Th 2c 4d 6s Qd Ks Ac 3s 5c", "6h 7h 8h", "9c 9d 9s")
    assert laid == [("9h", 0), ("Th", 0)]
    assert deadwood == 41


def test_one_card_between_two_runs_is_laid_off_once():
    laid, _, deadwood = defend("6h 2c 4d Qd Ks Ac 3s 5c 8d Td", "3h 4h 5h", "7h 8h 9h")
    assert laid == [("6h", 0)]
    assert deadwood == 53


def test_among_equals_no_meld_is_broken():
    laid, own, deadwood = defend("8c 8d 8s 8h Kc Kd Kh Ks Ac 3d", "5h 6h 7h")
    assert laid == []
    assert own == "8c8d8h8s KcKdKhKs"
    assert deadwood == 4


def test_without_melds_on_the_table_nothing_is_laid_off():
    laid, _, deadwood = defend("8h 8s 8d 8c 9h Ks Kh Kd As 3d")
    assert (laid, deadwood) == ([], 13)


@pytest.mark.parametrize("width", [5, 13])
def test_the_best_defence_is_the_referees(width):
    @given(st.data())
    @settings(max_examples=80, deadline=None)
    def agree(data):
        knocker = data.draw(hands_of(10).filter(lambda hand: arrangements(gather(hand))[0].melds))
        low = data.draw(st.integers(0, 13 - width))
        pool = [one for one in DECK if low <= one % 13 < low + width and one not in knocker]
        defender = data.draw(st.lists(st.sampled_from(pool), min_size=8, max_size=10, unique=True))
        for shown in arrangements(gather(knocker)):
            table = tuple(frozenset(meld_names(meld)) for meld in shown.melds)
            expected = referee.defence(frozenset(texts(defender)), table)
            found = best_defence(gather(defender), shown.melds)
            assert found.rest.deadwood == expected
            assert laid_legally(found.laid_off, table)

    agree()


def meld_names(meld: int) -> list[str]:
    return [NAMES[card] for card in DECK if meld >> card & 1]


def laid_legally(laid_off, table) -> bool:
    """Every card laid off fits at the moment it is laid."""
    melds = list(table)
    for card, number in laid_off:
        melds[number] |= {NAMES[card]}
        if not referee.is_meld(melds[number]):
            return False
    return True
