"""Training makes the file that is shipped, and learns; `script/train_bots.py` says how much."""

from __future__ import annotations

import json
from random import Random

import pytest

from games.engine.bots.equity import VOID
from games.engine.bots.net import DEADWOOD, ENDS, FILE, PLAY, Net, shipped
from script.train_bots import (
    Learner,
    as_text,
    examples_of,
    in_other_suits,
    just,
    label_of,
    learn_all,
    play,
)  # fmt: skip


def shape(figures):
    return {
        name: [len(row) for row in rows] if isinstance(rows[0], list) else len(rows)
        for name, rows in figures.items()
    }


def test_a_fresh_network_has_the_form_of_the_one_shipped():
    fresh = Learner(Random(1), None).as_file()
    shipped = json.loads(FILE.read_text())
    assert shape(fresh) == shape(shipped)
    assert as_text(shipped) == FILE.read_text()


def test_the_same_seed_plays_and_learns_the_same():
    assert learned(3) == learned(3)


def learned(seed):
    courses, ends = play((seed, 2, None))
    random = Random(seed)
    learner = Learner(random, None)
    learner.count(ends)
    examples = examples_of(courses, Net(learner.as_file(), ways=1), known=False)
    before = [learner.learn(one, 0.0) for one in examples]
    after = learn_all(learner, examples, random, last=True)
    assert after < sum(before) / len(before)
    return learner.as_file()


def test_every_place_of_a_seat_is_told_how_its_hand_ended():
    courses, _ends = play((5, 2, None))
    assert any(end != just(VOID) for _places, end in courses)
    for places, end in courses:
        assert end in [just(number) for number in range(ENDS)]
        for _place, wanted in examples_of([(places, end)], shipped(), known=False):
            assert wanted == end


def test_what_came_before_a_move_at_random_is_told_what_the_best_would_have_led_to():
    courses, _ends = play((2, 3, json.loads(FILE.read_text())))
    assert any(max(told) < 1 for _places, told in courses)
    assert all(sum(told) == pytest.approx(1) for _places, told in courses)


def test_a_place_in_other_suits_is_the_same_place():
    (place, _end), *_ = play((5, 1, None))[0]
    (active, _figures, _question), wanted = place[0], just(3)
    for seed in range(5):
        (moved, *_), same = in_other_suits(((active, [], PLAY), wanted), Random(seed))
        assert same == wanted
        assert sorted(ranks(moved)) == sorted(ranks(active))


def ranks(active):
    return [one - one % 52 + one % 13 if one < DEADWOOD else one for one in active]


def test_the_ends_of_both_seats_mirror_each_other():
    class Undercut:
        end, winner, knocker_deadwood, defender_deadwood = "undercut", 0, 8, 5

    assert label_of(Undercut(), 0) == (10, 3)
    assert label_of(Undercut(), 1) == (22, 3)
