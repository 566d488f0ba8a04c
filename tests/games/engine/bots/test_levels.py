"""Every level plays by the rules and sees its own seat's views alone, whatever is played."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.bots import LEVELS, Score, choose, seen, weigh
from games.engine.position import apply, course, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.view import view_for
from games.presets import PRESETS, rule_set
from script.bench_bots import play_hand, rule_sets, score_of
from tests.games.engine.hands import deck_of, played, random_deck, rules_of_play, seeds
from tests.games.engine.secrets_kept import with_secrets_moved

HANDS = {"beginner": 190, "regular": 190, "strong": 38, "expert": 19}


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_makes_an_illegal_move(level):
    """A lean version over all rule sets; `script/bench bots --legal` plays very many."""
    random, sets = Random(level), rule_sets()
    for number in range(HANDS[level]):
        rules, score = sets[number % len(sets)]
        levels = (level, "regular") if number % 2 else ("regular", level)
        position = play_hand(levels, rules, list(random_deck(random)), number % 2,
                             (score, score), random).position  # fmt: skip
        assert position.phase == "over"


def test_the_rule_sets_of_that_proof_are_all_there_are():
    named = {(rule_set({"preset": slug}).play) for slug in PRESETS}
    assert named <= {rules for rules, _ in rule_sets()}


@pytest.mark.parametrize("level", LEVELS)
@given(rules_of_play, seeds)
@settings(max_examples=4, deadline=None)
def test_a_move_changes_with_nothing_the_seat_cannot_see(level, rules, seed):
    """The other hand and the stock are dealt otherwise: the same views, the same seed, one move."""
    random = Random(seed)
    score = Score(first_knock=rules.format == "first_knock", mine=random.randrange(90))
    position = deal(rules, random_deck(random), random.randrange(2))
    while position.phase != "over":
        seat = position.to_act
        move = move_of(level, position, seat, score, seed)
        if position.ply % 5 == seed % 5:
            assert move_of(level, with_secrets_moved(position, seat, random), seat, score,
                           seed) == move  # fmt: skip
        position = apply(position, move if random.random() < 0.8 else a_discard(position, random))


def move_of(level, position, seat, score, seed):
    moves = [entry.move for entry in position.log]
    views = seen(position.rules, position.deck, position.dealer, moves, seat)
    return choose(level, views, score, Random(seed).randrange)


def a_discard(position, random):
    moves = legal_moves(position)
    return random.choice([move for move in moves if not move.startswith("knock")] or moves)


@given(st.integers(0, 10**6))
@settings(max_examples=3, deadline=None)
def test_what_is_weighed_changes_with_nothing_the_seat_cannot_see(seed):
    random = Random(seed)
    position = deal(PlayRules(), random_deck(random), 0)
    for _ in range(random.randrange(1, 14)):
        if position.phase != "over":
            position = apply(position, a_discard(position, random))
    if position.phase != "over":
        moved = with_secrets_moved(position, position.to_act, random)
        assert weighed(position, seed) == weighed(moved, seed)


def weighed(position, seed):
    moves = [entry.move for entry in position.log]
    views = seen(position.rules, position.deck, position.dealer, moves, position.to_act)
    return weigh(views, position.rules, Score(), Random(seed).randrange, 8)


def test_a_seat_remembers_its_own_decisions_and_now():
    rules, deck = PlayRules(), random_deck(Random(4))
    moves = ["pass", "pass", "draw stock"]
    views = seen(rules, deck, 1, moves, 0)
    positions = course(rules, deck, 1, moves)
    assert views == [view_for(positions[place], 0) for place in (0, 2, 3)]
    assert seen(rules, deck, 1, moves, 1)[-1] == view_for(positions[3], 1)


def test_there_is_no_other_level():
    with pytest.raises(ValueError, match="no level called champion"):
        choose("champion", [], Score(), Random(1).randrange)


@pytest.mark.parametrize("level", LEVELS)
def test_gin_is_always_declared(level):
    hand = "3c 4c 5c 8h 8d 8s Jc Jd Jh 2d"
    position = played(PlayRules(), deck_of(hand, upcard="Js"), "draw discard")
    views = [view_for(position, 0)]
    assert choose(level, views, Score(), Random(1).randrange) == "knock 2d"


@pytest.mark.parametrize("level", LEVELS)
def test_first_to_knock_is_knocked_at_once(level):
    rules = rule_set({"preset": "first_to_knock"})
    position = played(rules.play, deck_of("3c 4c 5c 8h 8d Jc Jd Jh 9d Kh", upcard="8s"),
                      "draw discard")  # fmt: skip
    move = choose(level, [view_for(position, 0)], score_of(rules), lambda count: 0)
    assert move == "knock Kh"
