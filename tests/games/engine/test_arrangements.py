"""Every way to lay out the knocker's hand, and which one is preselected (rules, section 6)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.arrangements import arrangements, fitting
from games.engine.cards import DECK, gather, parse, spread, texts
from tests.games.engine import referee
from tests.games.engine.hands import hands_of, names, vectors


def shown(hand: str) -> list[str]:
    return [arrangement.text for arrangement in arrangements(parse(hand.split()))]


def test_the_vectors_agree():
    rows = vectors("showdowns")
    for row in rows:
        knocker = parse(row["knocker"])
        found = arrangements(knocker)
        assert [one.text.split() for one in found] == [one["melds"] for one in row["arrangements"]]
        assert {one.deadwood for one in found} == {row["knocker_deadwood"]}
        for one, expected in zip(found, row["arrangements"], strict=True):
            outside = {card for meld in one.melds for card in spread(fitting(meld) & ~knocker)}
            assert len(outside) == expected["fits"]
    assert len(rows) == 400


def test_both_ways_of_equal_worth_are_offered():
    # run 2-3-4 or set of threes: the run takes two more cards, the set one
    assert shown("2s 3s 4s 3d 3h 7c 8c 9c Tc Ac") == [
        "3d3h3s 7c8c9cTc",
        "2s3s4s 7c8c9cTc",
    ]


def test_a_run_cut_in_two_is_no_other_arrangement():
    assert shown("3c 4c 5c 6c 7c 8c 9h 9d 9s Ah") == ["3c4c5c6c7c8c 9d9h9s"]


def test_equal_fits_go_by_the_text_of_every_way_cut_runs_included():
    # 6c7c8c 9cTcJcQc comes before 6c7c8c9c TcTdTh, although the whole run would not
    assert shown("6c 7c 8c 9c Tc Jc Qc Td Th 6d") == ["6c7c8c9cTcJcQc", "6c7c8c9c TcTdTh"]


def test_a_run_with_its_middle_in_a_set_stays_two_runs():
    assert shown("3c 4c 5c 6c 7c 8c 9c 6d 6h As") == ["3c4c5c 6c6d6h 7c8c9c"]


@pytest.mark.parametrize(
    ("meld", "fits"),
    [
        ("Ac 2c 3c", "4c"),
        ("Jh Qh Kh", "Th"),
        ("5d 6d 7d", "4d 8d"),
        ("9c 9d 9s", "9h"),
        ("Kd Kh Ks", "Kc"),
        ("9c 9d 9h 9s", ""),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", ""),
    ],
)
def test_what_fits_directly(meld, fits):
    assert texts(spread(fitting(parse(meld.split())))) == fits.split()


def test_a_hand_without_melds_is_left_over_whole():
    (only,) = arrangements(parse(names("Ac 3d 5h 7s 9c Jd Kh 2s 4c 6d")))
    assert only.melds == ()
    assert only.deadwood == 57


@pytest.mark.parametrize("size", [10, 11])
def test_all_arrangements_are_the_referees(size):
    @given(hands_of(size))
    @settings(max_examples=120, deadline=None)
    def agree(hand):
        found = arrangements(gather(hand))
        expected = referee.arrangements(frozenset(texts(hand)))
        assert [one.text.split() for one in found] == [
            sorted(map(referee.spelled, melds)) for melds in expected
        ]

    agree()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_long_runs_are_laid_out_as_the_referee_does(data):
    suit, low = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 6))
    run = [suit * 13 + rank for rank in range(low, low + data.draw(st.sampled_from([6, 7])))]
    near = [card for card in DECK if low - 1 <= card % 13 < low + 8 and card not in run]
    size = 10 - len(run)
    others = data.draw(st.lists(st.sampled_from(near), min_size=size, max_size=size, unique=True))
    found = arrangements(gather(run + others))
    expected = referee.arrangements(frozenset(texts(run + others)))
    assert [one.text.split() for one in found] == [
        sorted(map(referee.spelled, melds)) for melds in expected
    ]
