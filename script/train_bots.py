"""Train the Expert's network by self-play, and write it in the form it is shipped in.

    .venv/bin/python script/train_bots.py [--hands=2000] [--rounds=3] [--seed=1] [--out=FILE]
                                          [--start=FILE] [--test=400]

Each round plays games to 100 (the Expert mostly against the Habitué, by whom it is measured, now
and then against the Fort and itself), notes every place it came to and how the hand ended from
there, and fits the network to that: the chance of each of the 23 ends, and in part what it says of
the next place. A place is learned with its suits changed about by chance. Now and then it makes a
move at random; what came before that is told what would have come of the move it thought best. A
knock that was possible is noted with what it would have brought, whether it was made or not. The
first round, where nothing is learned yet, is played by the Fort. Without `--start` training begins
from chance. In the end the trained network and the one it began with each play the same test hands
against the Habitué, seats changed over.

The file that is shipped came of some seven million hands of the same training (places, ends,
network and aim as here), played and learned by a faster program that is not kept here: to get as
far with this one takes days. The network was half as wide at first and then doubled, and its wide
row was also asked which cards the other holds, so that it learned sooner what it is told. `--start`
goes on from the file.

Plain Python on all cores: some hundred hands a second to play, and twenty milliseconds a hand to
learn. Progress is shown; the same seed and number of hands make the same file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from games.engine.bots import net as network  # noqa: E402 - the path comes first
from games.engine.bots.baseline import habitue  # noqa: E402
from games.engine.bots.equity import number_of_end  # noqa: E402
from games.engine.bots.expert import expert  # noqa: E402
from games.engine.bots.habits import HABITS  # noqa: E402
from games.engine.bots.hands import arranged  # noqa: E402
from games.engine.bots.memory import Memory, remember  # noqa: E402
from games.engine.bots.net import (  # noqa: E402
    ENDS,
    FIGURES,
    INPUTS,
    NARROW,
    PLAY,
    SHOW,
    WIDE,
    Net,
    packed,
)  # fmt: skip
from games.engine.bots.odds import Odds  # noqa: E402
from games.engine.bots.score import Score  # noqa: E402
from games.engine.bots.strong import strong  # noqa: E402
from games.engine.cards import BITS, CARDS, DECK, NAMES, Cards  # noqa: E402
from games.engine.melds import best_discard, least_deadwood  # noqa: E402
from games.engine.position import Position, apply, deal, legal_moves  # noqa: E402
from games.engine.rules import PlayRules  # noqa: E402
from games.engine.showdown import Outcome  # noqa: E402
from games.engine.view import view_for  # noqa: E402

AGAINST = {"regular": 87, "strong": 8, "expert": 5}
ASTRAY, ASTRAY_AT_FIRST = 0.05, 0.15
OTHER_LIMITS = 0.04
OUT = Path(os.environ.get("DATA_DIR", ROOT / "var")) / "expert.json"
RATE, LAST_RATE, PASSES = 0.05, 0.02, 2
FROM_NEXT, MEANS = 0.3, 20
LEAST_COUNTED, LEAST_SLOPE = 50, 1e-3
BASES = (3.3, 8.2, 14, 21.3, 30, 43, 7, 19, 32, 48, 3)
EVEN_SCORE = Score(target=1000)  # so far off that a point is a point

Place = tuple[list[int], list[float], int]
"""Inputs, figures, and the question asked."""
Course = tuple[list[Place], list[float]]
"""The places one seat came to in a hand, in order, and the chances of all ends after the last."""
Example = tuple[Place, list[float]]
"""A place, and the chances of all ends it should tell."""
Job = tuple[int, int, dict[str, Any] | None]
"""A seed, a number of hands, and the network they are played with, if there is one."""


def label_of(outcome: Outcome, seat: int) -> tuple[int, int]:
    """How a hand ended for a seat, and the difference of deadwood it counts."""
    base = abs(outcome.defender_deadwood - outcome.knocker_deadwood)
    end = "gin" if outcome.end == "big_gin" else outcome.end
    return number_of_end(end, outcome.winner == seat, base), base


def just(end: int) -> list[float]:
    """The chances of all ends where this one came."""
    return [float(number == end) for number in range(ENDS)]


# --- playing


@dataclass
class Learning:
    """What the learners of a hand note down: their places so far, and all courses that are over."""

    net: Net | None
    random: Random
    places: dict[int, list[Place]]
    courses: list[Course]
    strayed: bool = False


def play(job: Job) -> tuple[list[Course], list[tuple[int, int]]]:
    """Hands of one process: their courses, and every usual end with its difference."""
    seed, hands, figures = job
    random, net = Random(seed), Net(figures, ways=1) if figures else None
    courses: list[Course] = []
    ends: list[tuple[int, int]] = []
    levels, usual, points = ["", ""], True, [0, 0]
    for number in range(hands):
        if number == 0 or max(points) >= Score.target:
            levels, points = _seated(net, random), [0, 0]
            usual = random.random() >= OTHER_LIMITS
        level = "expert" if net else "strong"
        learners = [seat for seat in (0, 1) if levels[seat] == level]
        learning = Learning(net, random, {seat: [] for seat in learners}, courses)
        rules = PlayRules(knock_limit=10 if usual else "upcard")
        position = deal(rules, random.sample(DECK, len(DECK)), number % 2)
        scores = [Score(mine=points[0], other=points[1]), Score(mine=points[1], other=points[0])]
        outcome = _play_on(position, levels, scores, learning)
        for seat in learners:
            label, base = label_of(outcome, seat)
            courses.append((learning.places[seat], just(label)))
            if usual and not learning.strayed and "regular" in levels:
                ends.append((label, base))
        for seat in (0, 1):
            points[seat] += max(0, _points(outcome, seat))
    return courses, ends


def _seated(net: Net | None, random: Random) -> list[str]:
    """Who plays a game: one who learns, and the other by weight, in either seat."""
    other = random.choices(list(AGAINST), list(AGAINST.values()))[0]
    levels = ["expert", other] if net else ["strong", random.choice(("strong", "regular"))]
    return levels if random.random() < 0.5 else levels[::-1]


def _play_on(
    position: Position, levels: Sequence[str], scores: Sequence[Score], learning: Learning
) -> Outcome:
    views: tuple[list[Any], list[Any]] = ([], [])
    net, random = learning.net, learning.random
    astray = ASTRAY if net else ASTRAY_AT_FIRST
    while (seat := position.to_act) is not None:
        views[seat].append(view_for(position, seat))
        move = _move(levels[seat], views[seat], scores[seat], net, random)
        if seat in learning.places:
            memory = remember(views[seat])
            if random.random() < astray and not move.startswith(("knock", "big")):
                best, move = move, _any_move(position, memory, random)
                if move != best:
                    _astray(learning, seat, memory, scores[seat], best)
            learning.courses += _knock_noted(position, memory, scores[seat])
            learning.places[seat] += _place_noted(memory, scores[seat], move)
        position = apply(position, move)
    if position.outcome is None:
        raise AssertionError("a hand without an end")
    return position.outcome


def _astray(learning: Learning, seat: int, memory: Memory, score: Score, best: str) -> None:
    """Close the course before a move at random, by what the best move would have led to."""
    learning.strayed = True
    place = _place_noted(memory, score, best)
    if learning.net is None or not place:
        return
    active, figures, question = place[0]
    net = learning.net
    learning.courses.append(
        (learning.places[seat], net.chances(net.ground(()), active, figures, question))
    )
    learning.places[seat] = []


def _move(level: str, views: list[Any], score: Score, net: Net | None, random: Random) -> str:
    if level == "regular":
        return habitue(views[-1], random.randrange)
    if level == "strong" or net is None:
        return strong(views, score)
    return expert(views, score, net)


def _any_move(position: Position, memory: Memory, random: Random) -> str:
    """A move at random, but never one that throws half a meld away or ends the hand."""
    loose = arranged(memory.held)[1]
    sensible = [
        move for move in legal_moves(position)
        if not move.startswith(("knock", "big"))
        and (not move.startswith("discard") or BITS[CARDS[move[-2:]]] & loose)
    ]  # fmt: skip
    return random.choice(sensible or legal_moves(position)[:1])


def _place_noted(memory: Memory, score: Score, move: str) -> list[Place]:
    """The place a move leads to, as the network sees it; none where it leads to nothing new."""
    if move.startswith("discard"):
        card = CARDS[move[-2:]]
        danger = Odds(memory, HABITS).danger(card)
        hand, under = memory.held ^ BITS[card], memory.pile
        return [_example(memory, score, hand, under, card, network.THREW, danger)]
    if memory.top is not None and move in ("pass", "draw stock"):
        phase = network.PASSED if move == "pass" else network.BEFORE_STOCK
        top, under = memory.top, memory.pile & ~BITS[memory.top]
        return [_example(memory, score, memory.held, under, top, phase, 0.0)]
    return []


def _example(
    memory: Memory, score: Score, hand: Cards, under: Cards, top: int | None, phase: int,
    danger: float,
) -> Place:  # fmt: skip
    active, figures = network.of_hand(memory, hand, memory.unseen, top, phase, danger)
    question = SHOW if phase == network.KNOCKING else PLAY
    return [*network.common(memory, under, score), *active], figures, question


def _knock_noted(position: Position, memory: Memory, score: Score) -> list[Course]:
    """What a knock would bring now, where one with deadwood left may be made."""
    if memory.phase != "discard":
        return []
    thrown = best_discard(memory.held, memory.locked)
    kept = memory.held ^ BITS[thrown]
    if not 0 < least_deadwood(kept) <= memory.limit:
        return []
    seat = position.to_act
    outcome = apply(position, f"knock {NAMES[thrown]}").outcome
    if seat is None or outcome is None:
        return []
    one = _example(memory, score, kept, memory.pile, None, network.KNOCKING, 0.0)
    return [([one], just(label_of(outcome, seat)[0]))]


# --- learning


class Learner:
    """The network while it learns: its figures as lists, and how far each row has moved."""

    def __init__(self, random: Random, figures: dict[str, Any] | None) -> None:
        def some(rows: int, columns: int, size: float) -> list[list[float]]:
            return [[random.uniform(-size, size) for _ in range(columns)] for _ in range(rows)]

        net = Net(figures) if figures else None
        self.inputs = [*map(list, net.inputs)] if net else some(INPUTS, WIDE, 0.1)
        self.figures = [*map(list, net.figures)] if net else some(FIGURES, WIDE, 0.2)
        self.start = [*net.start] if net else [0.0] * WIDE
        self.narrow = [*map(list, net.narrow)] if net else some(NARROW, WIDE, 0.2)
        self.narrow_start = [*net.narrow_start] if net else [0.1] * NARROW
        self.ends = [
            [*map(list, net.ends[question])] if net else some(ENDS, NARROW, 0.2)
            for question in (PLAY, SHOW)
        ]
        self.ends_start = [*map(list, net.ends_start)] if net else [[0.0] * ENDS for _ in range(2)]
        self.bases = [*net.bases] if net else [*BASES, 0.0, *BASES]
        self.often = [*net.often] if net else [1 / ENDS] * ENDS
        self.moved = [1.0] * (INPUTS + FIGURES + 1)
        self.narrow_moved = [1.0] * NARROW
        self.ends_moved = [[1.0] * ENDS for _ in range(2)]

    def as_file(self) -> dict[str, Any]:
        tables = {
            "inputs": self.inputs, "figures": self.figures, "start": [self.start],
            "narrow": self.narrow, "narrow_start": [self.narrow_start],
            "play": self.ends[PLAY], "show": self.ends[SHOW], "ends_start": self.ends_start,
        }  # fmt: skip
        return {
            "bases": [round(base, 2) for base in self.bases],
            "often": [round(share, 4) for share in self.often],
            **{name: [packed(row) for row in tables[name]] for name in network.TABLES},
        }

    @property
    def rows(self) -> list[list[float]]:
        """Every row of figures there is."""
        return [*self.inputs, *self.figures, self.start, *self.narrow, self.narrow_start,
                *self.ends[PLAY], *self.ends[SHOW], *self.ends_start]  # fmt: skip

    def take_mean(self, kept: list[list[list[float]]]) -> None:
        """Become the mean of what it was at several times."""
        for number, row in enumerate(self.rows):
            row[:] = [
                sum(column) / len(kept)
                for column in zip(*(each[number] for each in kept), strict=True)
            ]

    def count(self, ends: list[tuple[int, int]]) -> None:
        """Note how often hands come to each end, and by what difference; of too few, nothing."""
        if len(ends) < LEAST_COUNTED:
            return
        for number in range(ENDS):
            bases = [base for end, base in ends if end == number]
            self.often[number] = len(bases) / len(ends)
            if len(bases) >= LEAST_COUNTED:
                self.bases[number] = sum(bases) / len(bases)

    def learn(self, example: Example, rate: float) -> float:
        """Move towards the end that came; return how surprising it was."""
        (active, figures, question), wanted = example
        place: list[float] = list(
            map(sum, zip(self.start, *(self.inputs[one] for one in active), strict=True))
        )
        for figure, row in zip(figures, self.figures, strict=True):
            place = [value + figure * more for value, more in zip(place, row, strict=True)]
        wide = [value if value > 0 else 0.0 for value in place]
        narrow = [
            max(0.0, first + sum(map(mul, wide, row)))
            for first, row in zip(self.narrow_start, self.narrow, strict=True)
        ]
        ends, start = self.ends[question], self.ends_start[question]
        raw = [first + sum(map(mul, narrow, row)) for first, row in zip(start, ends, strict=True)]
        most = max(raw)
        grown = [math.exp(value - most) for value in raw]
        every = sum(grown)
        slopes = [value / every - share for value, share in zip(grown, wanted, strict=True)]
        back = _moved_rows((ends, start, self.ends_moved[question]), slopes, narrow, rate)
        slopes = [slope if value > 0 else 0.0 for slope, value in zip(back, narrow, strict=True)]
        layer = self.narrow, self.narrow_start, self.narrow_moved
        back = _moved_rows(layer, slopes, wide, rate)
        back = [slope if value > 0 else 0.0 for slope, value in zip(back, wide, strict=True)]
        self._move_inputs(active, figures, back, rate)
        return -sum(
            share * math.log(value / every + 1e-12)
            for share, value in zip(wanted, grown, strict=True)
        )

    def _move_inputs(
        self, active: list[int], figures: list[float], back: list[float], rate: float
    ) -> None:
        size = sum(value * value for value in back)
        moved = self.moved
        moved[-1] += size
        for one in active:
            moved[one] += size
            step = rate / math.sqrt(moved[one]) * 2
            self.inputs[one] = [
                value - step * slope for value, slope in zip(self.inputs[one], back, strict=True)
            ]
        for number, figure in enumerate(figures):
            moved[INPUTS + number] += size * figure * figure
            step = rate * figure / math.sqrt(moved[INPUTS + number]) * 2
            self.figures[number] = [
                value - step * slope
                for value, slope in zip(self.figures[number], back, strict=True)
            ]
        step = rate / math.sqrt(moved[-1]) * 2
        self.start = [value - step * slope for value, slope in zip(self.start, back, strict=True)]


def _moved_rows(
    layer: tuple[list[list[float]], list[float], list[float]],
    slopes: Sequence[float], values: Sequence[float], rate: float,
) -> list[float]:  # fmt: skip
    """Move the rows of a layer against their slopes; return the slopes of what came in."""
    rows, start, moved = layer
    back = [0.0] * len(values)
    length = sum(map(mul, values, values)) / len(values) + 1
    for number, slope in enumerate(slopes):
        if abs(slope) < LEAST_SLOPE:
            continue
        row = rows[number]
        back = [value + slope * weight for value, weight in zip(back, row, strict=True)]
        moved[number] += slope * slope * length
        step = rate * slope / math.sqrt(moved[number]) * 2
        start[number] -= step
        rows[number][:] = [weight - step * value for weight, value in zip(row, values, strict=True)]
    return back


# --- testing


def points_a_hand(job: tuple[dict[str, Any], int, int]) -> list[int]:
    """What the network brings against the Habitué, hand by hand, each deal from both seats."""
    figures, seed, deals = job
    net, random, found = Net(figures, ways=1), Random(seed), []
    for _ in range(deals):
        deck = random.sample(DECK, len(DECK))
        both = 0
        for seat in (0, 1):
            position = deal(PlayRules(), deck, 0)
            views: list[Any] = []
            while (acting := position.to_act) is not None:
                if acting == seat:
                    views.append(view_for(position, seat))
                    move = expert(views, EVEN_SCORE, net)
                else:
                    move = habitue(view_for(position, acting), random.randrange)
                position = apply(position, move)
            both += _points(position.outcome, seat)
        found.append(both)
    return found


def _points(outcome: Outcome | None, seat: int) -> int:
    if outcome is None or outcome.winner is None:
        return 0
    worth = abs(outcome.defender_deadwood - outcome.knocker_deadwood)
    worth += 25 if outcome.end in ("gin", "big_gin", "undercut") else 0
    return worth if outcome.winner == seat else -worth


def shared(pool: ProcessPoolExecutor, work: Any, jobs: list[Any], what: str) -> list[Any]:
    return list(tqdm(pool.map(work, jobs), total=len(jobs), desc=what, unit="part"))


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/train_bots.py")
    parser.add_argument("--hands", type=int, default=2000, help="hands a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", type=int, default=400, help="deals of the test")
    parser.add_argument("--start", type=Path, help="the file to go on from")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args(argv)
    random = Random(options.seed)
    start = json.loads(options.start.read_text()) if options.start else None
    learner = Learner(random, start)
    before = learner.as_file()
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        for number in range(options.rounds):
            figures = learner.as_file() if number or start else None
            part = max(1, options.hands // 16)
            jobs = [(random.getrandbits(60), part, figures) for _ in range(16)]
            played = shared(pool, play, jobs, f"round {number + 1}, playing")
            courses = [one for found, _ in played for one in found]
            examples = examples_of(
                courses, Net(figures or learner.as_file(), ways=1), known=bool(figures)
            )
            learner.count([end for _, ends in played for end in ends])
            surprise = learn_all(learner, examples, random, last=number == options.rounds - 1)
            print(f"round {number + 1}: {len(examples)} places, surprise {surprise:.3f}")
        after = learner.as_file()
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(as_text(after), encoding="utf-8")
        print(f"written: {options.out}")
        for name, figures in (("before", before), ("trained", after)):
            tests = [(figures, seed, options.test // 8) for seed in range(8)]
            both = [one for found in shared(pool, points_a_hand, tests, name) for one in found]
            tell(name, both)


def examples_of(courses: list[Course], net: Net, known: bool) -> list[Example]:
    """What each place should tell: the end that came, and what is known of the next place.

    The next place was judged with less luck to come; a share of its chances makes up for hands that
    ended by chance otherwise than they mostly would. Nothing is known in the first round.
    """
    trust = FROM_NEXT if known else 0.0
    examples: list[Example] = []
    for places, wanted in courses:
        for place in reversed(places):
            examples.append((place, wanted))
            active, figures, question = place
            chances = net.chances(net.ground(()), active, figures, question) if trust else wanted
            wanted = [
                trust * told + (1 - trust) * came
                for told, came in zip(chances, wanted, strict=True)
            ]
    return examples


def learn_all(learner: Learner, examples: list[Example], random: Random, last: bool) -> float:
    """Go through the examples in random order, a few times; the mean surprise of the last time.

    The figures move about to the end: their mean over the last time is kept, which moves less.
    """
    mean = 0.0
    for again in range(PASSES):
        random.shuffle(examples)
        rate = LAST_RATE if last and again == PASSES - 1 else RATE
        every, total = max(1, len(examples) // MEANS), 0.0
        kept: list[list[list[float]]] = []
        for number, one in enumerate(tqdm(examples, desc="learning", unit="place"), start=1):
            total += learner.learn(in_other_suits(one, random), rate)
            if again == PASSES - 1 and number % every == 0:
                kept.append([row[:] for row in learner.rows])
        mean = total / max(1, len(examples))
    learner.take_mean(kept[len(kept) // 4 :])
    return mean


def in_other_suits(example: Example, random: Random) -> Example:
    """The same place with its suits changed about."""
    (active, figures, question), wanted = example
    way = random.choice(network.WAYS)
    return ([way[one] for one in active], figures, question), wanted


def as_text(figures: dict[str, Any]) -> str:
    """The file, a row a line, so that a change can be read."""
    parts = []
    for name, rows in figures.items():
        if rows and isinstance(rows[0], list):
            lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
            parts.append(f'"{name}":[\n{lines}\n]')
        else:
            parts.append(f'"{name}":{json.dumps(rows, separators=(",", ":"))}')
    return "{" + ",\n".join(parts) + "}\n"


def tell(name: str, both: list[int]) -> None:
    hands = 2 * len(both)
    mean = sum(both) / hands
    spread = math.sqrt(sum((one / 2 - mean) ** 2 for one in both) / max(1, len(both) - 1))
    margin = 1.96 * spread / math.sqrt(len(both))
    print(f"{name:8} {mean:+.2f} ± {margin:.2f} points a hand against the Habitué, {hands} hands")


if __name__ == "__main__":
    main(sys.argv[1:])
