"""What each alternative of a decision is worth, for the coach and for a hint.

Every alternative is played out in the same worlds, so that the luck of a deal helps none of them;
beside it stands what the Expert's network has learned. Both err, in different places: where they
differ the margin says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Final, NamedTuple

from games.engine.bots.baseline import Chance
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import arranged
from games.engine.bots.memory import Memory, remember
from games.engine.bots.net import shipped
from games.engine.bots.odds import Odds
from games.engine.bots.opinion import Opinion
from games.engine.bots.playouts import Stake, Start, World, Worlds, played_on, thrown_from
from games.engine.bots.score import Score
from games.engine.bots.strong import ranked
from games.engine.cards import BITS, CARDS, NAMES, POINTS
from games.engine.melds import best_discard
from games.engine.position import LAST_OF_THE_STOCK
from games.engine.rules import PlayRules
from games.engine.view import View

THOUGHT_OF: Final = 5  # discards that are played out: those the Fort thinks best
TAKEN: Final = "draw discard"
SURE: Final = 1.96  # standard errors to either side: 95 of 100 intervals hold the true mean

Play = Callable[[World], float]


class Weighed(NamedTuple):
    """A move, the points of the hand it is expected to bring this seat, and how sure that is.

    ``points`` are negative where the other seat scores. ``margin`` is half of an interval of how
    the move compares with the others: what luck is common to all of them is not in it.
    """

    move: str
    points: float
    margin: float


def weigh(
    views: Sequence[View],
    rules: PlayRules,
    score: Score,
    chance: Chance,
    playouts: int,
    also: str | None = None,
) -> list[Weighed]:
    """Return every sensible legal alternative, and ``also``, the best first."""
    view, memory = views[-1], remember(views)
    stake = Stake(
        score,
        memory.limit,
        doubled=score.spades_double and view["spade"],
        layoffs=rules.layoffs and rules.format != "first_knock",
        lock_all=rules.keep_drawn_card == "any",
    )
    shown, known = memory.shown.bit_count(), memory.known.bit_count()
    start = Start(stake, False, memory.turns, shown, known)
    plays = {move: _play(move, memory, start) for move in _sensible(view, memory, also)}
    if len(plays) < 2:
        return [Weighed(move, 0.0, 0.0) for move in plays]
    worlds = Worlds(memory, stake, chance)
    found: dict[str, list[float]] = {move: [] for move in plays}
    if TAKEN in plays:  # a knock may follow, or not
        plays["knock"], found["knock"] = partial(_taken, memory, start, True), []
    for _number in range(playouts):
        world = worlds.one()
        for move, play in plays.items():
            found[move].append(play(world))
    if TAKEN in plays:
        found[TAKEN] = max(found[TAKEN], found.pop("knock"), key=sum)
    opinion = Opinion(shipped(), memory, score, view["spade"])
    weighed = _agreed(_compared(found), {move: opinion.of(move) for move in found})
    return sorted(weighed, key=lambda each: -each.points)


def _compared(found: Mapping[str, Sequence[float]]) -> list[Weighed]:
    """Return what each move brought, and how sure it is that it stands where it does."""
    common = [sum(column) / len(found) for column in zip(*found.values(), strict=True)]
    compared = []
    for move, points in found.items():
        count = len(points)
        apart = [one - other for one, other in zip(points, common, strict=True)]
        mean = sum(apart) / count
        spread = sum((one - mean) ** 2 for one in apart) / max(1, count - 1)
        compared.append(Weighed(move, sum(points) / count, SURE * sqrt(spread / count)))
    return compared


def _agreed(compared: Sequence[Weighed], opinions: Mapping[str, float | None]) -> list[Weighed]:
    """Put the network's opinion beside what playing on brought, each for as much as the other.

    Where the two see a move in another place among the rest, it is less sure by as much.
    """
    known = {move: points for move, points in opinions.items() if points is not None}
    both = [one for one in compared if one.move in known]
    if len(both) < 2:
        return list(compared)
    shift = sum(one.points - known[one.move] for one in both) / len(both)
    level = shift / 2 if len(both) == len(compared) else 0.0  # of all moves, if of any
    agreed = [one for one in compared if one.move not in known]
    for one in both:
        half = (known[one.move] + shift - one.points) / 2
        margin = sqrt((one.margin / 2) ** 2 + half**2)
        agreed.append(Weighed(one.move, one.points + half - level, margin))
    return agreed


def _sensible(view: View, memory: Memory, also: str | None) -> list[str]:
    """Return what is worth a thought: any draw, the best discards, the lowest knock, big gin."""
    legal: list[str] = view["legal"]
    if memory.phase != "discard":
        return legal
    ranks = ranked(memory, Odds(memory, HABITS), HABITS)
    moves = [f"discard {NAMES[card]}" for _worth, card in ranks[:THOUGHT_OF]]
    moves += [f"knock {knock['card']}" for knock in view["knocks"][:1]]
    moves += ["big gin"] if "big gin" in legal else []
    return moves if also is None or also in moves else [*moves, also]


def _play(move: str, memory: Memory, start: Start) -> Play:
    """Return how a move is played out in a world."""
    verb, _, name = move.partition(" ")
    stake = start.stake
    if move == "big gin":
        return lambda world: stake.won_by_big_gin(world.other)
    if verb == "knock":
        return lambda world: stake.knocked(memory.held ^ BITS[CARDS[name]], world.other)
    if verb == "discard":
        return lambda world: _thrown(memory, start, world, CARDS[name])
    if verb == "pass":
        return lambda world: _passed(memory, start, world)
    if move == TAKEN:
        return partial(_taken, memory, start, False)
    return lambda world: _drawn(memory, start, world)


def _thrown(memory: Memory, start: Start, world: World, card: int) -> float:
    if len(world.stock) <= LAST_OF_THE_STOCK:
        return 0.0
    hands = (memory.held ^ BITS[card], world.other)
    return played_on(_in(world, start, 1), hands, list(world.stock), card, 1, memory.idle)


def _in(world: World, start: Start, turns: int) -> Start:
    """Return where both play on from in this world, so many turns later."""
    return start._replace(patient=world.patient, turns=start.turns + turns)


def _drawn(memory: Memory, start: Start, world: World) -> float:
    """Draw from the stock, and throw or knock as from then on."""
    stake, stock = start.stake, list(world.stock)
    bit = BITS[stock.pop()]
    held = memory.held | bit
    thrown = thrown_from(held, bit if stake.lock_all else 0)
    held ^= BITS[thrown]
    if stake.knocks(arranged(held)[0], True, start.turns, start.known):
        return stake.knocked(held, world.other)
    if len(stock) <= LAST_OF_THE_STOCK:
        return 0.0
    return played_on(_in(world, start, 1), (held, world.other), stock, thrown, 1)


def _taken(memory: Memory, start: Start, knocks: bool, world: World) -> float:
    """Take from the pile, and knock if that is wanted and can be."""
    bit = 0 if memory.top is None else BITS[memory.top]
    held = memory.held | bit
    thrown = best_discard(held, bit) if knocks else thrown_from(held, bit)
    held ^= BITS[thrown]
    if arranged(held)[0] <= (start.stake.limit if knocks else 0):
        return start.stake.knocked(held, world.other)
    if len(world.stock) <= LAST_OF_THE_STOCK:
        return 0.0
    hands, stock = (held, world.other), list(world.stock)
    return played_on(_in(world, start, 1), hands, stock, thrown, 1, memory.idle + 1)


def _passed(memory: Memory, start: Start, world: World) -> float:
    """Leave the upcard: the other takes it, or whoever did not deal draws from the stock."""
    top, other = memory.top, world.other
    hands, stock, start = (memory.held, other), list(world.stock), _in(world, start, 0)
    if top is None or memory.deals:
        return played_on(start, hands, stock, top or 0, 1, passed=True)
    deadwood = arranged(other)[0]
    if deadwood and arranged(other | BITS[top])[0] < deadwood + POINTS[top]:
        return played_on(start, hands, stock, top, 1)
    return played_on(start, hands, stock, top, 0, passed=True)
