"""The coach weighs with what the player knew: no card they could not see changes anything."""

from __future__ import annotations

from random import Random

import pytest

from games.coach.decisions import AT_MOST, Course, plain, score_before, views_of, weighed
from games.engine.bots import Score, habitue
from games.engine.cards import DECK
from games.engine.position import apply, deal, legal_moves, replay
from games.engine.rules import PlayRules
from games.engine.view import view_for
from games.presets import rule_set
from scoring.rules import Line
from tests.games.engine.secrets_kept import with_secrets_moved

RULES = PlayRules()
BOTH_PASS = 0


def played(seed, rules=RULES):
    """A hand of two Habitués: its course, and the position before each move."""
    random = Random(seed)
    deck = random.sample(DECK, 52)
    position, before = deal(rules, deck, seed % 2), []
    while position.phase != "over":
        before.append(position)
        seat = position.to_act
        move = habitue(view_for(position, seat), random.randrange)
        position = apply(position, move)
    moves = [(entry.seat, entry.move) for entry in position.log]
    return Course(rules, deck, seed % 2, moves), before


def test_every_choice_of_a_seat_is_weighed_and_what_is_forced_costs_nothing():
    course, before = played(BOTH_PASS)
    assert [move for _seat, move in course.moves[:3]] == ["pass", "pass", "draw stock"]
    for seat in (0, 1):
        assert list(views_of(course, seat)) == [
            ply
            for ply, position in enumerate(before, 1)
            if position.to_act == seat and len(legal_moves(position)) > 1
        ]
    assert 3 not in views_of(course, course.moves[0][0])  # nothing else could be done


def test_the_views_are_those_of_the_seat_up_to_its_decision():
    course, before = played(4)
    for ply, views in views_of(course, 1).items():
        assert views[-1] == view_for(before[ply - 1], 1)
        assert len(views) == sum(mover == 1 for mover, _move in course.moves[:ply])


@pytest.mark.parametrize("seed", range(3))
def test_no_hidden_card_changes_what_is_weighed(seed):
    """Cards the player could not know change places: the same alternatives are worth the same."""
    course, before = played(seed)
    random, score = Random(seed), Score()
    seat = course.moves[0][0]
    choices = views_of(course, seat)
    for ply in random.sample(sorted(choices), min(4, len(choices))):
        other = with_secrets_moved(before[ply - 1], seat, random)
        assert other.deck != before[ply - 1].deck
        moves = [*course.moves[: ply - 1], (seat, course.moves[ply - 1][1])]
        moved = views_of(Course(RULES, other.deck, course.dealer, moves), seat)[ply]
        told, told_of_other = (
            weighed(views, course.moves[ply - 1][1], RULES, score, Random(ply).randrange, 10)
            for views in (choices[ply], moved)
        )
        assert told == told_of_other


def test_a_hand_that_does_not_end_is_weighed_up_to_a_bound():
    course, _before = played(BOTH_PASS)
    longer = [*course.moves[:2]]
    position = replay(RULES, course.deck, course.dealer, [move for _seat, move in longer])
    while len(longer) < 4 * AT_MOST:
        legal = [move for move in legal_moves(position) if move.startswith(("draw", "discard"))]
        move = legal[-1]  # takes the discard, throws it back next time
        if "draw stock" in legal and position.idle_turns > 40:
            move = "draw stock"
        longer.append((position.to_act, move))
        position = apply(position, move)
    assert position.phase != "over"
    assert len(views_of(Course(RULES, course.deck, course.dealer, longer), 0)) == AT_MOST


def test_whoever_made_no_move_had_no_choice():
    course, _before = played(6)
    first = course.moves[0][0]
    assert views_of(Course(RULES, course.deck, course.dealer, course.moves[:1]), 1 - first) == {}


def test_the_score_is_that_of_the_deal():
    rules = rule_set({"preset": "oklahoma_spades"}).scoring
    lines = [
        Line(0, "knock", 1, 12), Line(1, "gin", 2, 10, 25), Line(0, "knock", 3, 30),
        Line(0, "line", None, 25),
    ]  # fmt: skip
    score = score_before(rules, lines, 1, 3)
    assert (score.mine, score.other) == (35, 12)
    assert (score.target, score.spades_double, score.big_gin) == (150, True, 31)
    assert score_before(rule_set({"preset": "first_to_knock"}).scoring, [], 0, 1).first_knock


def test_a_knock_is_weighed_whatever_arrangement_is_shown():
    assert plain("knock 7h 3d3h3s 7c8c9cTc") == "knock 7h"
    assert plain("draw stock") == "draw stock"
    assert plain("pass") == "pass"
