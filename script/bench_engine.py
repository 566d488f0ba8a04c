"""How fast the engine is, next to a plain recursive reckoner run in turn with it.

    script/bench engine

Every figure is taken in the same rounds as the plain one and is the best of them, in processor
time, so that a busy machine hardly counts. "plain ÷ it" says how often a thing is done in the
time of its plain counterpart; what has none is set against a plain reckoning of ten cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from time import process_time
from typing import Any

from tqdm import tqdm

from games.engine.arrangements import arrangements
from games.engine.cards import BITS, DECK, NAMES, POINTS, Card, Cards, gather, spread
from games.engine.melds import best_discard, least_after_discard, least_deadwood
from games.engine.position import Position, apply, deal, legal_moves, replay
from games.engine.rules import PlayRules
from games.engine.view import view_for

ROUNDS = 40
HANDS = 2000
RULES = PlayRules(big_gin=True)


# The plain reckoner: every meld, every choice of them, nothing remembered


def plain_melds(cards: Cards) -> list[Cards]:
    melds = []
    for rank in range(13):
        kind = [card for card in spread(cards) if card % 13 == rank]
        if len(kind) > 2:
            melds.append(gather(kind))
        if len(kind) > 3:
            melds += [gather(other for other in kind if other != card) for card in kind]
    for first in spread(cards):
        last = first
        while last % 13 < 12 and cards & BITS[last + 1]:
            last += 1
            if last - first > 1:
                melds.append(gather(range(first, last + 1)))
    return melds


def plain_least(cards: Cards) -> int:
    def least(points: int, melds: Sequence[Cards]) -> int:
        best = points
        for place, meld in enumerate(melds):
            after = points - sum(POINTS[card] for card in spread(meld))
            best = min(best, least(after, [m for m in melds[place + 1 :] if not m & meld]))
        return best

    return least(sum(POINTS[card] for card in spread(cards)), plain_melds(cards))


def plain_discard(cards: Cards) -> int:
    return min(plain_least(cards ^ BITS[card]) for card in spread(cards))


# What is measured


@dataclass
class Figure:
    """One thing timed: ``work`` done once per item, in batches; ``times`` are seconds each.

    ``against`` is the number of the plain figure it is compared with.
    """

    name: str
    work: Callable[[Any], object]
    items: Sequence[object]
    batch: int
    against: int = 0
    times: list[float] = field(default_factory=list)

    def run(self, start: int) -> None:
        items = list(islice(cycle(self.items), start, start + self.batch))
        work = self.work
        began = process_time()
        for item in items:
            work(item)
        self.times.append((process_time() - began) / self.batch)


def uniform(random: Random, size: int) -> list[Cards]:
    return [gather(random.sample(DECK, size)) for _ in range(HANDS)]


def dense(random: Random, size: int) -> list[Cards]:
    """Hands from five neighbouring ranks, as in the vectors: melds compete in most of them."""
    hands = []
    for _ in range(HANDS):
        low = random.randrange(9)
        pool = [card for card in DECK if low <= card % 13 < low + 5]
        hands.append(gather(random.sample(pool, size)))
    return hands


def decks(random: Random, count: int) -> list[tuple[Card, ...]]:
    return [tuple(random.sample(DECK, len(DECK))) for _ in range(count)]


def simple_move(position: Position) -> str:
    """Pass, draw from the stock, knock as soon as it is possible, else the best discard."""
    if position.phase != "discard":
        return "pass" if position.phase == "upcard" else "draw stock"
    cards = gather(position.held[position.to_act or 0])
    card = best_discard(cards)
    verb = "knock" if least_deadwood(cards ^ BITS[card]) <= position.limit else "discard"
    return f"{verb} {NAMES[card]}"


def play(deck: tuple[Card, ...], choose: Callable[[Position], str]) -> Position:
    position = deal(RULES, deck, 0)
    while position.phase != "over":
        position = apply(position, choose(position))
    return position


def forty_moves(random: Random) -> Position:
    """A hand of forty moves that ends with a knock."""
    while True:
        position = play(decks(random, 1)[0], simple_move)
        if position.ply == 40 and position.outcome and position.outcome.knocker is not None:
            return position


def replay_uncached(position: Position) -> Position:
    arrangements.cache_clear()
    moves = [entry.move for entry in position.log]
    return replay(RULES, position.deck, position.dealer, moves)


def view_uncached(position: Position) -> object:
    arrangements.cache_clear()
    return view_for(position, 1 if position.to_act == 0 else 0)


def figures() -> list[Figure]:
    random = Random(20)
    ten, eleven = uniform(random, 10), uniform(random, 11)
    dense_ten, dense_eleven = dense(random, 10), dense(random, 11)
    long_hands = [forty_moves(random) for _ in range(5)]
    middles = [
        replay(RULES, hand.deck, 0, [entry.move for entry in hand.log[:23]]) for hand in long_hands
    ]
    return [
        Figure("plain least deadwood, 10 uniform", plain_least, ten, 100),
        Figure("plain least deadwood, 10 dense", plain_least, dense_ten, 100),
        Figure("plain best discard, 11 uniform", plain_discard, eleven, 20),
        Figure("least deadwood, 10 uniform", least_deadwood, ten, 500),
        Figure("least deadwood, 10 dense", least_deadwood, dense_ten, 500, against=1),
        Figure("best discard, 11 uniform", least_after_discard, eleven, 500, against=2),
        Figure("best discard, 11 dense", least_after_discard, dense_eleven, 500, against=2),
        Figure("replay of a 40-move hand", replay_uncached, long_hands, 5),
        Figure("a view, not to act", view_uncached, middles, 50),
        Figure(
            "a hand played at random",
            lambda deck: play(deck, lambda at: random.choice(legal_moves(at))),
            decks(random, 100),
            5,
        ),
        Figure(
            "a hand of the simple player",
            lambda deck: play(deck, simple_move),
            decks(random, 100),
            5,
        ),
    ]


def run(argv: list[str]) -> None:
    """Time everything in turn, round by round, and print the best of each."""
    measured = figures()
    for number in tqdm(range(ROUNDS), desc="engine", unit="round"):
        for figure in measured:
            figure.run(number * figure.batch)
    best = [min(figure.times) for figure in measured]
    print(f"{'':34}{'µs':>10}{'a second':>12}{'plain ÷ it':>12}")
    for figure, once in zip(measured, best, strict=True):
        plain = best[figure.against]
        print(f"{figure.name:34}{once * 1e6:10.2f}{1 / once:12,.0f}{plain / once:12.4g}")


if __name__ == "__main__":
    run([])
