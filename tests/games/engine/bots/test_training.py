"""Training makes the file that is shipped, and learns; `script/train_bots.py` says how much."""

from __future__ import annotations

import json
from random import Random

from games.engine.bots.net import ENDS, FILE, Net
from script.train_bots import Learner, as_text, examples_of, label_of, learn_all, play


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
    examples = examples_of(courses, Net(learner.as_file()), known=False)
    before = [learner.learn(one, 0.0) for one in examples]
    after = learn_all(learner, examples, random, last=True)
    assert after < sum(before) / len(before)
    return learner.as_file()


def test_every_place_of_a_seat_is_told_how_its_hand_ended():
    courses, _ends = play((5, 2, None))
    for places, end in courses:
        for _place, wanted in examples_of([(places, end)], Net(json.loads(FILE.read_text())),
                                          known=False):  # fmt: skip
            assert wanted == [float(number == end) for number in range(ENDS)]


def test_the_ends_of_both_seats_mirror_each_other():
    class Undercut:
        end, winner, knocker_deadwood, defender_deadwood = "undercut", 0, 8, 5

    assert label_of(Undercut(), 0) == (10, 3)
    assert label_of(Undercut(), 1) == (22, 3)
