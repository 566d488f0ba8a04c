"""What no attacker may be told and no log may hold, read from the database after the attack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from games.engine.cards import NAMES
from games.fair import chain
from games.models import GameSeat, Hand, Room, Seed, Shuffle
from games.positions import course_of
from script.attack_ground import Heard

ROW = 8  # cards of a deck in its order that nobody says by chance


class Secret(NamedTuple):
    """Cards of one hand that is nobody's business, until when, and whose they are all the same."""

    hand: int
    until: float | None  # None: for good
    owner: int | None


def leaks(folder: Path, private: set[int]) -> list[str]:
    """Each secret found in what attackers were answered, or in a log."""
    heard = json.loads((folder / "heard.json").read_text())
    logs = Heard()
    for file in sorted(folder.glob("*.log")):
        logs.take(file.read_text(errors="replace"), 0)
    held, rows = _cards(private)
    found = []
    for run, (at, who) in heard["cards"].items():
        found += [f"an attacker was told {what}" for what in _told(run, held, rows, at, who)]
    counted = [_named(numbers) for numbers in heard["numbers"]]
    found += [f"an attacker was told {what}" for run in counted
              for what in _told(run, held, rows, 0.0, 0)]
    for run in (*logs.cards, *map(_named, logs.numbers)):
        found += [f"a log holds {what}" for what in _told(run, held, rows, 0.0, 0)]
    words = dict(_words(folder, private))
    for where, said in (("an attacker was told", heard["words"]), ("a log holds", logs.words)):
        found += [f"{where} {words[one]}" for one in set(said) & words.keys()]
    found += [f"an answer held {word!r}" for word in heard["never"]]
    found += [f"a log holds {word!r}" for word in logs.never]
    return sorted(set(found))


def _named(numbers: str) -> str:
    """Cards as the engine counts them, by their names."""
    cards = map(int, re.findall(r"\d+", numbers))
    return "".join(NAMES[card] for card in cards if card < len(NAMES))


def _cards(private: set[int]) -> tuple[dict[frozenset[str], list[Secret]], dict[str, Secret]]:
    """Hands as they were held at each moment, and stretches of decks."""
    held: dict[frozenset[str], list[Secret]] = {}
    rows: dict[str, Secret] = {}
    owners = {(game, seat): user for game, seat, user in
              GameSeat.objects.values_list("game_id", "seat", "user_id")}  # fmt: skip
    for hand in Hand.objects.select_related("game__table"):
        over = hand.ended_at is not None and hand.game.table.room_id not in private
        until = hand.ended_at.timestamp() if over and isinstance(hand.ended_at, datetime) else None
        deck = re.findall("..", hand.deck)
        for cards in (deck, deck[::-1]):
            for at in range(len(cards) - ROW):
                rows["".join(cards[at : at + ROW])] = Secret(hand.pk, until, None)
        for position in course_of(hand.game_id, hand.pk):
            for seat, cards in enumerate(position.held):
                secret = Secret(hand.pk, until, owners.get((hand.game_id, seat)))
                there = held.setdefault(frozenset(NAMES[card] for card in cards), [])
                if secret not in there:
                    there.append(secret)
    return held, rows


def _told(
    run: str, held: dict[frozenset[str], list[Secret]], rows: dict[str, Secret], at: float, who: int
) -> Iterator[str]:
    """What of this a row of cards gives away, said at a time to somebody."""
    cards = re.findall("..", run.rpartition(" ")[2])
    for start in range(len(cards)):
        row = rows.get("".join(cards[start : start + ROW]))
        if row is not None and (row.until is None or at < row.until):
            yield f"a stretch of the deck of hand {row.hand}"
        for size in (10, 11):
            for secret in held.get(frozenset(cards[start : start + size]), ()):
                early = secret.until is None or at < secret.until
                if early and secret.owner != who and len(cards) - start >= size:
                    yield f"a hand held in hand {secret.hand}"


def _words(folder: Path, private: set[int]) -> Iterator[tuple[str, str]]:
    """Words that let somebody in, or tell a deck before its time."""
    for place in json.loads((folder / "places.json").read_text()):
        for cookie in place[1:]:
            yield cookie.partition("=")[2], "a session of somebody else"
    for room in Room.objects.filter(pk__in=private):
        yield room.invitation, "an invitation into a room of others"
        yield room.code, "the code of a room of others"
    for shuffle in Shuffle.objects.select_related("game__table"):
        done = _hands_over(shuffle) if shuffle.game.table.room_id not in private else 0
        link = bytes.fromhex(shuffle.secret)
        for _at in range(chain.LINKS, done, -1):
            yield link.hex(), "a link of a chain"
            link = chain.hashed(link)
    for seed in Seed.objects.filter(shuffle__game__table__room__in=private):
        for value in (seed.substitute, seed.given):
            if value:
                yield value, "a part of a shuffle"


def _hands_over(shuffle: Shuffle) -> Any:
    hands = Hand.objects.filter(game=shuffle.game, number__gte=shuffle.first_hand)
    return hands.exclude(ended_at=None).count()
