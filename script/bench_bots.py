"""How strong the computer's levels are against each other, how long they think, how hands end.

    script/bench bots [--games=N] [--seed=S] [--only=strong-regular] [--fresh] [--legal]

Games under `match_play`, target 100, seeded. Two games in a row are dealt the same cards with the
seats changed over. Each finished game is kept in a file of the data folder, so that a bench that
was broken off goes on where it was; a file of another seed, or of bots that have changed since, is
left alone. Thinking is timed by the processor and not by the clock, since others may be at work on
the machine. `--legal` plays hands over all rule sets instead and holds every move to the rules.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm

from games.engine.bots import LEVELS, Score, choose, habitue
from games.engine.cards import DECK
from games.engine.position import Position, apply, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.view import View, view_for
from games.presets import PRESETS, RuleSet, rule_set

ROOT = Path(__file__).resolve().parent.parent
PAIRS = {"strong-regular": 1000, "expert-regular": 400, "expert-strong": 400}
WANTED = {"strong-regular": 68, "expert-regular": 76, "expert-strong": 58}
LEGAL = {"beginner": 50_000, "regular": 50_000, "strong": 5_000, "expert": 300}
LEGAL_PART = 50
TARGET, GIN, UNDERCUT = 100, 25, 25
SPEED_HANDS = 400


@dataclass
class Played:
    """A hand played to its end, and what it cost in thinking."""

    position: Position
    thought: dict[str, list[float]] = field(default_factory=dict)


def play_hand(
    levels: tuple[str, str], rules: PlayRules, deck: list[int], dealer: int,
    scores: tuple[Score, Score], random: Random,
) -> Played:  # fmt: skip
    """Two levels play a hand, each from its own views; a move the rules refuse raises."""
    position = deal(rules, deck, dealer)
    views: tuple[list[View], list[View]] = ([], [])
    played = Played(position)
    while (seat := position.to_act) is not None:
        views[seat].append(view_for(position, seat))
        begun = time.process_time()
        move = choose(levels[seat], views[seat], scores[seat], random.randrange)
        played.thought.setdefault(levels[seat], []).append(time.process_time() - begun)
        if move not in legal_moves(position):
            raise AssertionError(f"{levels[seat]} made the illegal move {move}")
        position = apply(position, move)
    played.position = position
    return played


def points_of(position: Position, score: Score) -> tuple[int, int]:
    """The seat that scores and its points; no points for a void hand."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0, 0
    if score.first_knock:
        return outcome.winner, 1
    bonus = {"gin": score.gin, "big_gin": score.big_gin or 0, "undercut": score.undercut}
    difference = abs(outcome.defender_deadwood - outcome.knocker_deadwood)
    doubled = 2 if score.spades_double and outcome.spade else 1
    return outcome.winner, (difference + bonus.get(outcome.end, 0)) * doubled


def play_game(job: tuple[str, int, int]) -> dict[str, Any]:
    """One game; of two in a row the second has the same deals and the seats changed over."""
    pair, seed, number = job
    first, second = pair.split("-")
    levels = (first, second) if number % 2 == 0 else (second, first)
    rules, points, hands, turns = PlayRules(), [0, 0], 0, 0
    chance, ends = Random(f"{seed} {pair} {number} moves"), Counter[str]()
    thought: dict[str, list[float]] = {first: [], second: []}
    margin = 0
    while max(points) < TARGET:
        deck = Random(f"{seed} {number // 2} {hands}").sample(DECK, len(DECK))
        scores = (_score(points, 0), _score(points, 1))
        dealer = (number // 2 + hands) % 2
        played = play_hand(levels, rules, deck, dealer, scores, chance)
        winner, worth = points_of(played.position, scores[0])
        points[winner] += worth
        margin += worth if levels[winner] == first else -worth
        hands += 1
        for level, times in played.thought.items():
            thought[level] += times
        if played.position.outcome:
            ends[played.position.outcome.end] += 1
        turns += sum(not entry.move.startswith("draw") for entry in played.position.log)
    won = levels[0 if points[0] >= TARGET else 1] == first
    spent = {level: [round(one * 1000, 2) for one in each] for level, each in thought.items()}
    return {"pair": pair, "seed": seed, "game": number, "won": won, "hands": hands, "turns": turns,
            "margin": margin, "ends": ends, "ms": spent}  # fmt: skip


def _score(points: list[int], seat: int) -> Score:
    return Score(gin=GIN, undercut=UNDERCUT, target=TARGET, mine=points[seat],
                 other=points[(seat + 1) % 2])  # fmt: skip


def kept_in(seed: int) -> Path:
    """The file of finished games: one for each state of the bots and each seed."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "games" / "engine").rglob("*")):
        if path.suffix in (".py", ".json"):
            digest.update(path.read_bytes())
    folder = Path(os.environ.get("DATA_DIR", ROOT / "var"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"bench-bots-{seed}-{digest.hexdigest()[:12]}.jsonl"


def games_of(path: Path) -> list[dict[str, Any]]:
    """The games finished so far; a line that was cut off by a crash is no game."""
    found = []
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def play_all(pairs: dict[str, int], seed: int, path: Path) -> list[dict[str, Any]]:
    """Play the games that are missing, a process a core, and return all."""
    games = games_of(path)
    done = {(game["pair"], game["game"]) for game in games}
    jobs = [
        (pair, seed, number)
        for pair, count in pairs.items()
        for number in range(count)
        if (pair, number) not in done
    ]
    for game in _worked_off(play_game, jobs, "games"):
        games.append(game)
        with path.open("a") as file:
            file.write(json.dumps(game) + "\n")
    return [game for game in games if game["game"] < pairs.get(game["pair"], 0)]


def _worked_off(work: Any, jobs: list[Any], what: str) -> Iterator[Any]:
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        waiting = [pool.submit(work, job) for job in jobs]
        try:
            for each in tqdm(as_completed(waiting), total=len(waiting), desc=what, unit=what[:-1]):
                yield each.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # broken off, no game more is begun


def tell_strength(games: Iterable[dict[str, Any]], pairs: Iterable[str]) -> None:
    for pair in pairs:
        of_pair = [game for game in games if game["pair"] == pair]
        if not of_pair:
            continue
        count, won = len(of_pair), sum(game["won"] for game in of_pair)
        low, high = interval(won, count)
        hands = sum(game["hands"] for game in of_pair)
        ends = sum((Counter(game["ends"]) for game in of_pair), Counter[str]())
        rates = "  ".join(
            f"{end} {100 * ends[end] / hands:.1f} %" for end in ("gin", "knock", "undercut", "void")
        )
        print(f"{pair:16} {won:4} of {count:4} games, {100 * won / count:.1f} % "
              f"({100 * low:.1f} to {100 * high:.1f}), wanted {WANTED[pair]} %; "
              f"{sum(game['margin'] for game in of_pair) / hands:+.2f} points a hand")  # fmt: skip
        print(f"{'':16} {hands} hands, {hands / count:.1f} a game; {rates}; "
              f"{sum(game['turns'] for game in of_pair) / hands:.1f} turns a hand")  # fmt: skip


def interval(won: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    z, share = 1.96, won / count
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)


def tell_thinking(games: Iterable[dict[str, Any]]) -> None:
    times: dict[str, list[float]] = {}
    for game in games:
        for level, ms in game["ms"].items():
            times.setdefault(level, []).extend(ms)
    for level in (level for level in LEVELS if level in times):
        cuts = statistics.quantiles(times[level], n=20)
        print(f"{level:16} thinks {cuts[9]:.2f} ms (p50), {cuts[18]:.2f} ms (p95) a move "
              f"of one core, {len(times[level])} moves")  # fmt: skip


def tell_speed(seed: int) -> None:
    """The Habitué against itself, seeing only its last view: hands a second on one core."""
    random, begun = Random(seed), time.perf_counter()
    for _ in range(SPEED_HANDS):
        position = deal(PlayRules(), random.sample(DECK, len(DECK)), random.randrange(2))
        while position.to_act is not None:
            move = habitue(view_for(position, position.to_act), random.randrange)
            position = apply(position, move)
    rate = SPEED_HANDS / (time.perf_counter() - begun)
    print(f"{'regular':16} plays {rate:.0f} hands a second against itself")


def rule_sets() -> list[tuple[PlayRules, Score]]:
    """Every preset, and the options that none of them uses."""
    named = [{"preset": slug} for slug in PRESETS]
    more: list[dict[str, Any]] = [
        {"layoffs": False}, {"knock_limit": 0}, {"keep_drawn_card": "any"},
        {"discard_history": "open"}, {"big_gin": None, "undercut": 0},
        {"knock_limit": "upcard", "oklahoma_ace": 1},
        {"knock_limit": "upcard", "keep_drawn_card": "any", "layoffs": False},
        {"preset": "first_to_knock", "keep_drawn_card": "any", "discard_history": "open"},
    ]  # fmt: skip
    return [(rules.play, score_of(rules)) for rules in map(rule_set, (*named, *more))]


def score_of(rules: RuleSet, mine: int = 0, other: int = 0) -> Score:
    """What a bot is told of the sheet of such a game."""
    scoring = rules.scoring
    return Score(
        gin=scoring.gin, big_gin=scoring.big_gin, undercut=scoring.undercut,
        spades_double=scoring.spades_double, first_knock=scoring.format == "first_knock",
        target=scoring.target, mine=mine, other=other,
    )  # fmt: skip


def legal_hands(job: tuple[str, int, int]) -> int:
    """Hands of one level against the one below it, over all rule sets. Any refusal raises."""
    level, seed, count = job
    against = LEVELS[max(0, LEVELS.index(level) - 1)]
    random, sets = Random(f"{seed} {level} legal"), rule_sets()
    for number in range(count):
        rules, score = sets[number % len(sets)]
        levels = (level, against) if random.random() < 0.5 else (against, level)
        mine, other = (random.randrange(score.target) for _ in range(2))
        scores = (replace(score, mine=mine, other=other), replace(score, mine=other, other=mine))
        deck, dealer = random.sample(DECK, len(DECK)), random.randrange(2)
        play_hand(levels, rules, deck, dealer, scores, random)
    return count


def play_legal(seed: int, most: int | None) -> None:
    """Hold every move of very many hands to the rules, of no level more than ``most``."""
    wanted = {level: min(most or count, count) for level, count in LEGAL.items()}
    jobs = [
        (level, seed * 1000 + part, min(LEGAL_PART, count - part * LEGAL_PART))
        for level, count in wanted.items()
        for part in range(-(-count // LEGAL_PART))
    ]
    hands = sum(_worked_off(legal_hands, jobs, "parts"))
    told = ", ".join(f"{level} {count}" for level, count in wanted.items())
    print(f"{hands} hands over {len(rule_sets())} rule sets, every move legal ({told})")


def run(argv: list[str]) -> None:
    """Play what is missing and print everything."""
    parser = argparse.ArgumentParser(prog="script/bench bots")
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--only", choices=PAIRS)
    parser.add_argument("--fresh", action="store_true", help="forget what was played before")
    parser.add_argument("--legal", action="store_true")
    options = parser.parse_args(argv)
    pairs = {name: options.games or count for name, count in PAIRS.items()
             if options.only in (None, name)}  # fmt: skip
    if options.legal:
        play_legal(options.seed, options.games)
        return
    path = kept_in(options.seed)
    if options.fresh:
        path.unlink(missing_ok=True)
    games = play_all(pairs, options.seed, path)
    tell_strength(games, pairs)
    tell_thinking(games)
    tell_speed(options.seed)
