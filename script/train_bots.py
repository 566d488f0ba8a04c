"""Train the Expert's network by self-play, and write it in the form it is shipped in.

    .venv/bin/python script/train_bots.py [--hands=2000] [--rounds=3] [--seed=1] [--out=FILE]
                                          [--start=FILE] [--test=400]

Each round plays hands (the Expert against itself, the Habitué and the Fort, now and then making a
move at random), notes every place it came to and how the hand ended from there, and fits the
network to that: the chance of each of the 23 ends, and in part what it says of the next place. A
knock that was possible is noted with what it would have brought, whether it was made or not. The
first round, where nothing is learned yet, is played by the Fort. Without `--start` training begins
from chance. In the end the trained network and the one it began with each play the same test hands
against the Habitué, without the Fort's weighing beside them, seats changed over.

The file that is shipped came of some 860,000 hands of the same training (places, ends, network and
aim as here), played and learned by a faster program that is not kept here: to get as far with this
one takes hours. `--start` goes on from it.

Plain Python on all cores: some hundred hands a second to play, and four milliseconds a hand to
learn. Progress is shown; the same seed and number of hands make the same file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from games.engine.bots import net as network  # noqa: E402 - the path comes first
from games.engine.bots.baseline import habitue  # noqa: E402
from games.engine.bots.equity import number_of_end  # noqa: E402
from games.engine.bots.expert import expert, worths_now  # noqa: E402
from games.engine.bots.habits import HABITS  # noqa: E402
from games.engine.bots.hands import arranged  # noqa: E402
from games.engine.bots.judge import draw, turn  # noqa: E402
from games.engine.bots.memory import Memory, remember  # noqa: E402
from games.engine.bots.net import ENDS, FIGURES, HIDDEN, INPUTS, PLAY, SCALE, SHOW, Net  # noqa: E402
from games.engine.bots.odds import Odds  # noqa: E402
from games.engine.bots.score import Score  # noqa: E402
from games.engine.bots.strong import strong  # noqa: E402
from games.engine.cards import BITS, CARDS, DECK, NAMES, Cards  # noqa: E402
from games.engine.melds import best_discard, least_deadwood  # noqa: E402
from games.engine.position import Position, apply, deal, legal_moves  # noqa: E402
from games.engine.rules import PlayRules  # noqa: E402
from games.engine.showdown import Outcome  # noqa: E402
from games.engine.view import view_for  # noqa: E402

AGAINST = {"expert": 25, "regular": 40, "strong": 35}
ASTRAY, ASTRAY_AT_FIRST = 0.08, 0.15
OTHER_LIMITS = 0.15
OUT = Path(os.environ.get("DATA_DIR", ROOT / "var")) / "expert.json"
RATE, LAST_RATE, PASSES = 0.05, 0.02, 2
FROM_NEXT, MEANS = 0.4, 20
BASES = (3.3, 8.2, 14, 21.3, 30, 43, 7, 19, 32, 48, 3)
EVEN_SCORE = Score(target=1000)  # so far off that a point is a point

Place = tuple[list[int], list[float], int]
"""Inputs, figures, and the question asked."""
Course = tuple[list[Place], int]
"""The places one seat came to in a hand, in order, and the end that came."""
Example = tuple[Place, list[float]]
"""A place, and the chances of all ends it should tell."""
Job = tuple[int, int, dict[str, Any] | None]
"""A seed, a number of hands, and the network they are played with, if there is one."""


def label_of(outcome: Outcome, seat: int) -> tuple[int, int]:
    """How a hand ended for a seat, and the difference of deadwood it counts."""
    base = abs(outcome.defender_deadwood - outcome.knocker_deadwood)
    end = "gin" if outcome.end == "big_gin" else outcome.end
    return number_of_end(end, outcome.winner == seat, base), base


# --- playing


def play(job: Job) -> tuple[list[Course], list[tuple[int, int]]]:
    """Hands of one process: their courses, and every end with its difference."""
    seed, hands, figures = job
    random, net = Random(seed), Net(figures) if figures else None
    courses: list[Course] = []
    ends: list[tuple[int, int]] = []
    for number in range(hands):
        limit = random.choice((10, "upcard")) if random.random() < OTHER_LIMITS else 10
        rules = PlayRules(knock_limit=limit)  # type: ignore[arg-type]
        learner = random.randrange(2)
        if net is None:
            levels = ["strong", random.choice(("strong", "regular"))]
        else:
            levels = ["expert", *random.choices(list(AGAINST), list(AGAINST.values()))]
        levels = levels if learner == 0 else levels[::-1]
        learners = {0, 1} if levels[0] == levels[1] else {learner}
        deck = random.sample(DECK, len(DECK))
        noted: dict[int, list[Place]] = {seat: [] for seat in learners}
        position = deal(rules, deck, number % 2)
        outcome = _play_on(position, levels, learners, noted, net, random, courses)
        for seat in learners:
            label, base = label_of(outcome, seat)
            ends.append((label, base))
            courses.append((noted[seat], label))
    return courses, ends


def _play_on(
    position: Position, levels: Sequence[str], learners: Iterable[int],
    noted: dict[int, list[Place]], net: Net | None, random: Random, courses: list[Course],
) -> Outcome:  # fmt: skip
    views: tuple[list[Any], list[Any]] = ([], [])
    astray = ASTRAY if net else ASTRAY_AT_FIRST
    while (seat := position.to_act) is not None:
        views[seat].append(view_for(position, seat))
        move = _move(levels[seat], views[seat], position.rules, net, random)
        if seat in learners:
            memory = remember(views[seat])
            if random.random() < astray and not move.startswith(("knock", "big")):
                move = _any_move(position, memory, random)
            courses += _knock_noted(position, memory)
            noted[seat] += _place_noted(memory, move)
        position = apply(position, move)
    if position.outcome is None:
        raise AssertionError("a hand without an end")
    return position.outcome


def _move(level: str, views: list[Any], rules: PlayRules, net: Net | None, random: Random) -> str:
    if level == "regular":
        return habitue(views[-1], random.randrange)
    if level == "strong" or net is None:
        return strong(views, EVEN_SCORE)
    return expert(views, rules, EVEN_SCORE, random.randrange, 0, net)


def _any_move(position: Position, memory: Memory, random: Random) -> str:
    """A move at random, but never one that throws half a meld away or ends the hand."""
    loose = arranged(memory.held)[1]
    sensible = [
        move for move in legal_moves(position)
        if not move.startswith(("knock", "big"))
        and (not move.startswith("discard") or BITS[CARDS[move[-2:]]] & loose)
    ]  # fmt: skip
    return random.choice(sensible or legal_moves(position)[:1])


def _place_noted(memory: Memory, move: str) -> list[Place]:
    """The place a move leads to, as the network sees it; none where it leads to nothing new."""
    if move.startswith("discard"):
        card = CARDS[move[-2:]]
        danger = Odds(memory, HABITS).danger(card)
        hand, under = memory.held ^ BITS[card], memory.pile
        return [_example(memory, hand, under, card, network.THREW, danger)]
    if memory.top is not None and move in ("pass", "draw stock"):
        phase = network.PASSED if move == "pass" else network.BEFORE_STOCK
        top, under = memory.top, memory.pile & ~BITS[memory.top]
        return [_example(memory, memory.held, under, top, phase, 0.0)]
    return []


def _example(
    memory: Memory, hand: Cards, under: Cards, top: int | None, phase: int, danger: float
) -> Place:
    active, figures = network.of_hand(memory, hand, memory.unseen, top, phase, danger)
    question = SHOW if phase == network.KNOCKING else PLAY
    return [*network.common(memory, under), *active], figures, question


def _knock_noted(position: Position, memory: Memory) -> list[Course]:
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
    one = _example(memory, kept, memory.pile, None, network.KNOCKING, 0.0)
    return [([one], label_of(outcome, seat)[0])]


# --- learning


class Learner:
    """The network while it learns: its figures as lists, and how far each row has moved."""

    def __init__(self, random: Random, figures: dict[str, Any] | None) -> None:
        def some(rows: int, columns: int, size: float) -> list[list[float]]:
            return [[random.uniform(-size, size) for _ in range(columns)] for _ in range(rows)]

        def given(name: str) -> list[list[float]]:
            return [[number / SCALE for number in row] for row in (figures or {})[name]]

        fresh = figures is None
        self.inputs = some(INPUTS, HIDDEN, 0.1) if fresh else given("inputs")
        self.figures = some(FIGURES, HIDDEN, 0.2) if fresh else given("figures")
        self.start = [0.0] * HIDDEN if fresh else given("start")[0]
        self.ends = [some(ENDS, HIDDEN, 0.15) for _ in range(2)] if fresh else [
            given("play"), given("show")
        ]  # fmt: skip
        self.ends_start = [[0.0] * ENDS for _ in range(2)] if fresh else given("ends_start")
        self.bases = [*BASES, 0.0, *BASES] if fresh else list((figures or {})["bases"])
        self.often = [1 / ENDS] * ENDS if fresh else list((figures or {})["often"])
        self.moved = [1.0] * (INPUTS + FIGURES + 1)
        self.ends_moved = [[1.0] * ENDS for _ in range(2)]

    def as_file(self) -> dict[str, Any]:
        def whole(rows: list[list[float]]) -> list[list[int]]:
            return [[round(number * SCALE) for number in row] for row in rows]

        return {
            "bases": [round(base, 2) for base in self.bases],
            "often": [round(share, 4) for share in self.often],
            "inputs": whole(self.inputs), "figures": whole(self.figures),
            "start": whole([self.start]), "play": whole(self.ends[PLAY]),
            "show": whole(self.ends[SHOW]), "ends_start": whole(self.ends_start),
        }  # fmt: skip

    @property
    def rows(self) -> list[list[float]]:
        """Every row of figures there is."""
        return [*self.inputs, *self.figures, self.start, *self.ends[PLAY], *self.ends[SHOW],
                *self.ends_start]  # fmt: skip

    def take_mean(self, kept: list[list[list[float]]]) -> None:
        """Become the mean of what it was at several times."""
        for number, row in enumerate(self.rows):
            row[:] = [
                sum(column) / len(kept)
                for column in zip(*(each[number] for each in kept), strict=True)
            ]

    def count(self, ends: list[tuple[int, int]]) -> None:
        """Note how often hands come to each end, and by what difference."""
        for number in range(ENDS):
            bases = [base for end, base in ends if end == number]
            self.often[number] = len(bases) / len(ends)
            if len(bases) >= 50:
                self.bases[number] = sum(bases) / len(bases)

    def learn(self, example: Example, rate: float) -> float:
        """Move towards the end that came; return how surprising it was."""
        (active, figures, question), wanted = example
        rows = [self.inputs[one] for one in active]
        hidden: list[float] = list(map(sum, zip(self.start, *rows, strict=True)))
        for figure, row in zip(figures, self.figures, strict=True):
            hidden = [value + figure * more for value, more in zip(hidden, row, strict=True)]
        awake = [place for place, value in enumerate(hidden) if value > 0]
        ends, start = self.ends[question], self.ends_start[question]
        raw = [
            first + sum(hidden[place] * row[place] for place in awake)
            for first, row in zip(start, ends, strict=True)
        ]
        most = max(raw)
        grown = [math.exp(value - most) for value in raw]
        every = sum(grown)
        back = [0.0] * HIDDEN
        length = sum(hidden[place] ** 2 for place in awake) / HIDDEN + 1
        for number, row in enumerate(ends):
            slope = grown[number] / every - wanted[number]
            if abs(slope) < 1e-3:
                continue
            moved = self.ends_moved[question]
            moved[number] += slope * slope * length
            step = rate * slope / math.sqrt(moved[number]) * 2
            start[number] -= step
            for place in awake:
                back[place] += slope * row[place]
                row[place] -= step * hidden[place]
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


# --- testing


def alone(views: list[Any], net: Net) -> str:
    """The move of the network by itself, without the Fort's weighing beside it."""
    view, memory = views[-1], remember(views)
    worths = worths_now(net, EVEN_SCORE, False)._replace(point=0.0)
    if view["phase"] != "discard":
        found = draw(net, memory, worths) if "draw discard" in view["legal"] else None
        if found is not None and found.takes:
            return "draw discard"
        return "pass" if "pass" in view["legal"] else "draw stock"
    now = turn(net, memory, worths)
    if now.knock is not None and (now.knocks or view["knocks"][0]["deadwood"] == 0):
        return f"knock {NAMES[now.knock.card]}"
    return f"discard {NAMES[now.discards[0].card]}"


def points_a_hand(job: tuple[dict[str, Any], int, int]) -> list[int]:
    """What the network brings against the Habitué, hand by hand, each deal from both seats."""
    figures, seed, deals = job
    net, random, found = Net(figures), Random(seed), []
    for _ in range(deals):
        deck = random.sample(DECK, len(DECK))
        both = 0
        for seat in (0, 1):
            position = deal(PlayRules(), deck, 0)
            views: list[Any] = []
            while (acting := position.to_act) is not None:
                if acting == seat:
                    views.append(view_for(position, seat))
                    move = alone(views, net)
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
            examples = examples_of(courses, Net(figures or learner.as_file()), known=bool(figures))
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
    for places, end in courses:
        wanted = [float(number == end) for number in range(ENDS)]
        for place in reversed(places):
            examples.append((place, wanted))
            active, figures, question = place
            chances = net.chances(net.start, active, figures, question) if trust else wanted
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
            total += learner.learn(one, rate)
            if again == PASSES - 1 and number % every == 0:
                kept.append([row[:] for row in learner.rows])
        mean = total / max(1, len(examples))
    learner.take_mean(kept[len(kept) // 4 :])
    return mean


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
