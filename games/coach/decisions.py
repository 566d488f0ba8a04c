"""One player's decisions in a hand that is over, each weighed with what they knew then. Pure.

The hand itself is opened by ``seen`` alone, which gives the views this seat has had: what is
weighed here cannot depend on a card the player could not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.bots import Chance, Score, Weighed, seen, weigh
from games.engine.cards import Card
from games.engine.rules import PlayRules
from games.engine.view import View
from scoring.rules import Line, ScoringRules

AT_MOST = 80  # decisions of one hand; only a hand of endless exchanges has more


@dataclass(frozen=True, slots=True)
class Course:
    """A hand as it was played: the deck, who dealt, and each move with its seat."""

    rules: PlayRules
    deck: Sequence[Card]
    dealer: int
    moves: Sequence[tuple[int, str]]


def views_of(course: Course, seat: int) -> dict[int, list[View]]:
    """What the seat had seen at each decision it had a choice in, by the ply of its move."""
    own = [ply for ply, (mover, _move) in enumerate(course.moves, 1) if mover == seat]
    if not own:
        return {}
    before = [move for _mover, move in course.moves[: own[-1] - 1]]
    views = seen(course.rules, course.deck, course.dealer, before, seat)
    choices = {
        ply: views[: at + 1] for at, ply in enumerate(own) if len(views[at]["legal"]) > 1
    }
    return dict(list(choices.items())[:AT_MOST])


def weighed(
    views: Sequence[View], made: str, rules: PlayRules, score: Score, chance: Chance, playouts: int
) -> list[Weighed]:
    """The alternatives of a decision and the move that was made, the best first."""
    return weigh(views, rules, score, chance, playouts, also=plain(made))


def score_before(
    rules: ScoringRules, lines: Sequence[Line], seat: int, number: int
) -> Score:
    """How the game stood for a seat when hand ``number`` was dealt."""
    told = [line for line in lines if line.hand is not None and line.hand < number]
    return Score(
        gin=rules.gin,
        big_gin=rules.big_gin,
        undercut=rules.undercut,
        spades_double=rules.spades_double,
        first_knock=rules.format == "first_knock",
        target=rules.target,
        mine=sum(line.points for line in told if line.seat == seat),
        other=sum(line.points for line in told if line.seat != seat),
    )


def plain(move: str) -> str:
    """A move as it is weighed: a knock without the arrangement its player chose."""
    return " ".join(move.split()[:2])
