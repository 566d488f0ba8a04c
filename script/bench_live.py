"""What a table carries, next to the same work without a game in it.

    script/bench live [--modes embedded,scaled] [--tables 1,25,250] [--loops closed,paced]
                      [--seconds 12] [--rounds 4] [--a-second 50] [--players 1]
                      [--webs 1] [--share 100] [--apart] [--chart FILE]

Scripted players in processes of their own play whole games over real sockets, on a real Daphne:
closed loop, each table clicking again as soon as both its seats have seen the last click, and
paced, so many clicks a second. Beside every table stands the yardstick
(script/bench_site.py), and both are measured by turns in the same run: the ratios count,
milliseconds are this machine's. CPU is the web process's alone, a click. By turns the web process
holds the sockets of both; apart, first those of the game and then those of the yardstick.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from script.bench_chart import write_chart
from script.bench_players import KINDS, Kind, Players
from script.bench_webs import Webs, environment, served

WARM_UP = 1.0  # seconds of each kind, not counted
ENOUGH_SOCKETS = 50  # to say what one takes


@dataclass
class Slice:
    """What one kind did in one stretch of time."""

    spent: list[float]  # milliseconds, click by click
    seconds: float
    cpu: float  # seconds of the web process

    @property
    def a_second(self) -> float:
        return len(self.spent) / self.seconds


@dataclass
class Row:
    """One line of the table: one way to run, one number of tables, one loop."""

    mode: str
    tables: int
    loop: str
    socket_kb: float | None
    slices: dict[Kind, list[Slice]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def a_second(self, kind: Kind) -> float:
        slices = self.slices[kind]
        return sum(len(one.spent) for one in slices) / sum(one.seconds for one in slices)

    def percentile(self, kind: Kind, share: float) -> float:
        spent = sorted(taken for one in self.slices[kind] for taken in one.spent)
        return spent[min(len(spent) - 1, int(len(spent) * share))]

    def cpu_ms(self, kind: Kind) -> float:
        slices = self.slices[kind]
        clicks = sum(len(one.spent) for one in slices)
        return 1000 * sum(one.cpu for one in slices) / clicks

    @property
    def ratio(self) -> float:
        """Closed: moves a second, more is better. Paced: click to both views, less is better."""
        if self.loop == "paced":
            return self.percentile("game", 0.5) / self.percentile("yardstick", 0.5)
        return statistics.median(self.ratios)

    @property
    def ratios(self) -> list[float]:
        """Of the closed loop, round by round, so that one can see how far they lie apart."""
        both = zip(self.slices["game"], self.slices["yardstick"], strict=True)
        return [game.a_second / yard.a_second for game, yard in both]


def measure(
    webs: Webs, mode: str, places: list[list[Any]], options: argparse.Namespace, bar: tqdm[Any]
) -> list[Row]:
    """All loops at one site with so many tables."""
    rows = [Row(mode, len(places), loop, None) for loop in options.loops]
    for kinds in [(kind,) for kind in KINDS] if options.apart else [KINDS]:
        players = Players(min(options.players, len(places)), webs.ports)
        for kind in kinds:
            took = _sit_down(webs, players, kind, places)
            if kind == "game":
                for row in rows:
                    row.socket_kb = took
        for kind in kinds:
            players.closed(kind, WARM_UP)
        for row in rows:
            _play(webs, players, row, kinds, options, bar)
        players.leave()
    return rows


def _sit_down(
    webs: Webs, players: Players, kind: Kind, places: list[list[Any]]
) -> float | None:
    """Open the sockets of all tables; the KB that each took, where they are enough to say so."""
    players.open(kind, places[:1])  # what the first socket brings with it is not its own
    before = webs.resident_kb()
    players.open(kind, places[1:])
    sockets = 2 * (len(places) - 1)
    return (webs.resident_kb() - before) / sockets if sockets >= ENOUGH_SOCKETS else None


def _play(
    webs: Webs, players: Players, row: Row, kinds: Sequence[Kind], options: argparse.Namespace,
    bar: tqdm[Any],
) -> None:  # fmt: skip
    """One loop, by turns of the kinds that sit there."""
    seconds = options.seconds / options.rounds
    for number in range(options.rounds):
        for kind in kinds if number % 2 else kinds[::-1]:
            paced = (options.a_second,) if row.loop == "paced" else ()
            play = partial(getattr(players, row.loop), kind, seconds, *paced)
            with webs.held_to(options.share / 100):
                row.slices[kind].append(_slice(webs, play))
            bar.update(seconds)


def _slice(webs: Webs, play: Callable[[], list[float]]) -> Slice:
    began, cpu = time.perf_counter(), webs.cpu_seconds()
    spent = play()
    return Slice(spent, time.perf_counter() - began, webs.cpu_seconds() - cpu)


def say(rows: list[Row]) -> None:
    """Print what was measured: of each figure the game's, then the yardstick's."""
    heads = ("moves/s", "p50 ms", "p95 ms", "p99 ms", "cpu ms")
    print(f"{'':9}{'tables':>7} {'loop':7}" + "".join(f"{head:>16}" for head in heads)
          + f"{'ratio':>7}  {'rounds':11}  KB/socket")  # fmt: skip
    for row in rows:
        pairs = [[row.a_second(kind) for kind in KINDS]]
        pairs += [[row.percentile(kind, share) for kind in KINDS] for share in (0.5, 0.95, 0.99)]
        pairs += [[row.cpu_ms(kind) for kind in KINDS]]
        cells = [f"{game:8.1f}{yard:8.1f}" for game, yard in pairs]
        spread = f"{min(row.ratios):.2f}–{max(row.ratios):.2f}" if row.loop == "closed" else ""
        took = "" if row.socket_kb is None else f"{row.socket_kb:9.1f}"
        cells += [f"{row.ratio:7.2f}"]
        print(f"{row.mode:9}{row.tables:>7} {row.loop:7}{''.join(cells)}  {spread:11}  {took}")


def _words(text: str) -> list[str]:
    return text.split(",")


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench live")
    parser.add_argument("--modes", type=_words, default=["embedded", "scaled"])
    parser.add_argument("--tables", type=_numbers, default=[1, 25, 250])
    parser.add_argument("--loops", type=_words, default=["closed", "paced"])
    parser.add_argument("--seconds", type=float, default=12, help="of each kind in each loop")
    parser.add_argument("--rounds", type=int, default=4, help="by turns, in that time")
    parser.add_argument("--a-second", type=float, default=50, help="clicks, when paced")
    parser.add_argument("--players", type=int, default=1, help="processes of players")
    parser.add_argument("--webs", type=int, default=1, help="Daphnes that share the tables")
    parser.add_argument("--share", type=float, default=100, help="percent of a core for each")
    parser.add_argument("--apart", action="store_true", help="one kind after the other")
    parser.add_argument("--chart", type=Path, help="an SVG file to be written")
    return parser.parse_args(argv)


def run(argv: list[str]) -> None:
    """Measure each mode with each number of tables; print a table, and draw a chart of it."""
    options, rows = parse(argv), []
    sites = len(options.modes) * len(options.tables)
    total = 2 * options.seconds * len(options.loops) * sites
    form = "{l_bar}{bar}| {n:.0f}/{total:.0f} s [{elapsed}<{remaining}]"
    with tqdm(total=total, bar_format=form) as bar:
        for mode in options.modes:
            for tables in options.tables:
                bar.set_description(f"{mode}, {tables} tables")
                with (
                    tempfile.TemporaryDirectory(prefix="ginrami-bench-") as folder,
                    environment(mode, folder) as env,
                    served(env, tables, options.webs) as (webs, places),
                ):
                    rows += measure(webs, mode, places, options, bar)
    say(rows)
    if options.chart:
        write_chart(options.chart, rows)
        print(f"{options.chart} shows it.")
