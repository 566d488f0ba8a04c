"""The Django side of `script/bench history`: play games, fill a database with them, ask pages.

    bench_sheets.py play FILE GAMES        whole games by the engine, kept in a file
    bench_sheets.py fill FILE SHEETS       a migrated, empty database filled with so many sheets
    bench_sheets.py answer                 reads {"who", "path", "times"}, says what they took

Some of the sheets are games played at tables, with every move; the others have the hands of one of
those games, between other people on another day, as if they had been played with real cards.
"""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import pickle
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")
import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from tqdm import tqdm  # noqa: E402

from accounts.models import User  # noqa: E402
from games import rooms, table  # noqa: E402
from games.demo.playing import PlayedHand, play_game  # noqa: E402
from games.demo.times import on_paper, timed  # noqa: E402
from games.presets import RuleSet, rule_set  # noqa: E402
from scoring import ledger  # noqa: E402
from scoring.ledger import PastSheet, SeatEntry  # noqa: E402
from scoring.models import ScoreLine, ScoreSheet  # noqa: E402

RULES = (
    {"preset": "complete"},
    {"preset": "complete", "target": 150},
    {"preset": "complete", "target": 200},
    {"preset": "classic_20_10"},
    {"preset": "money_play", "target": 200},
    {"preset": "points_only", "target": 250},
)
AT_TABLES = 0.02  # of all sheets; the moves of one are some 200 rows
EACH_PLAYS = 100  # games, as everyone but the one who plays all the time
TOGETHER = 40  # of them the two who are looked at played against each other
HEAVY = 0.05  # the share of all games that one of them plays
IN_A_BATCH = 250
YEARS = 3
BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
REGULAR, FRIEND, ALWAYS = range(3)
PROCESSES = min(os.cpu_count() or 1, 4)

Game = tuple[int, list[PlayedHand]]


# --- games to begin with


def play(file: Path, games: int) -> None:
    numbers = range(games)
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        played = list(tqdm(pool.imap(_play, numbers, 8), total=games, unit="game", desc="played"))
    file.write_bytes(pickle.dumps(played))


def _play(number: int) -> Game:
    random = Random(number)
    rules = number % len(RULES)
    return rules, play_game(_rules(rules), random.choices((10, 10, 8, 6, 3, 0), k=2), random)


@functools.cache
def _rules(number: int) -> RuleSet:
    return rule_set(RULES[number])


# --- sheets of them


def fill(file: Path, sheets: int) -> None:
    people = max(3, sheets * 2 // EACH_PLAYS)
    User.objects.bulk_create(
        User(username=f"person {number}", name_key=f"person {number}", pages_for="everyone")
        for number in range(people)
    )
    users = list(User.objects.order_by("pk").values_list("pk", flat=True))
    connection.close()
    todo = [(str(file), begin, sheets, users) for begin in range(0, sheets, IN_A_BATCH)]
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool, tqdm(
        total=sheets, unit="sheet", desc="written"
    ) as bar:
        for written in pool.imap_unordered(_write, todo):
            bar.update(written)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(json.dumps({
        "sheets": ScoreSheet.objects.count(), "lines": ScoreLine.objects.count(),
        "people": people, "users": users[:3],
    }))  # fmt: skip


@functools.cache
def _pool(file: str) -> list[Game]:
    played: list[Game] = pickle.loads(Path(file).read_bytes())  # noqa: S301 - just written by us
    return played


def _write(todo: tuple[str, int, int, list[int]]) -> int:
    """One batch, its games at tables in a room of its own."""
    file, begin, sheets, users = todo
    played, paper = _pool(file), []
    end = min(begin + IN_A_BATCH, sheets)
    # By itself: who opens a room is locked, and every batch has the same person do so.
    room_id = rooms.open_past_room(users[:2], "Salle", RULES[0], BEGAN)
    with transaction.atomic():
        for number in range(begin, end):
            random = Random(number)
            pair = _pair(number, len(users), sheets, random)
            seats = [SeatEntry(f"person {one}", users[one]) for one in pair]
            at = BEGAN + timedelta(seconds=random.randrange(YEARS * 365 * 86400))
            rules, hands = played[number % len(played)]
            if random.random() < AT_TABLES:
                _at_table(room_id, seats, _rules(rules), hands, at, random)
            else:
                results = list(on_paper(hands, at, random))
                paper.append(
                    PastSheet(
                        _rules(rules).as_dict(), seats, results, at, source="paper",
                        keeper_id=seats[0].user_id, first_dealer=hands[0].dealer,
                    )
                )  # fmt: skip
        ledger.write_past(paper)
    return end - begin


def _pair(number: int, people: int, sheets: int, random: Random) -> tuple[int, int]:
    """Who plays: two with as many games whatever the number of sheets, one with a share of all."""
    step = max(1, sheets // EACH_PLAYS)
    turn, place = number % step, number // step
    if turn == 0 and place < EACH_PLAYS:
        other = FRIEND if place < TOGETHER else _somebody(people, random)
        return (REGULAR, other) if random.random() < 0.5 else (other, REGULAR)
    if random.random() < HEAVY:
        return (ALWAYS, _somebody(people, random))
    one = _somebody(people, random)
    return one, _somebody(people, random, but=one)


def _somebody(people: int, random: Random, but: int | None = None) -> int:
    if people < 5:
        return ALWAYS if but != ALWAYS else FRIEND
    while (one := random.randrange(3, people)) == but:
        pass
    return one


def _at_table(
    room_id: int, seats: list[SeatEntry], rules: RuleSet, hands: list[PlayedHand], at: datetime,
    random: Random,
) -> None:  # fmt: skip
    told = timed(hands, at, "none", random)
    game = table.PastGame(seats, rules.as_dict(), at, told, ended_at=told[-1].ended_at)
    table.write_past(rooms.open_past_table(room_id, at), [game])


# --- pages of them


def answer() -> None:
    browsers: dict[int, Client] = {}
    for asked in _questions():
        who, path = asked["who"], asked["path"]
        if who not in browsers:
            browsers[who] = Client(SERVER_NAME="localhost")
            browsers[who].force_login(User.objects.get(pk=who))
        browser = browsers[who]
        with CaptureQueriesContext(connection) as queries:
            status = browser.get(path).status_code
        statements, spent = len(queries), []
        for _ in range(asked["times"] if status == 200 else 0):
            began = time.perf_counter()
            browser.get(path)
            spent.append((time.perf_counter() - began) * 1000)
        print(json.dumps({"status": status, "queries": statements, "ms": spent}), flush=True)


def _questions() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


if __name__ == "__main__":
    verb, *arguments = sys.argv[1:]
    if verb == "answer":
        answer()
    else:
        {"play": play, "fill": fill}[verb](Path(arguments[0]), int(arguments[1]))
