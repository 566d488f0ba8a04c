"""Everything on the sheets worked out again: hands from deck and moves, sheets from their hands.

Reads only, some sheets at a time, however many there are. A difference is one line of words and
numbers; no card stands in it, since the deck of an open hand is a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection

from accounts.refusal import Refusal
from games import dealing
from games.engine import position as play
from games.engine.position import Position
from games.models import Game, Hand, Move
from games.presets import RuleSet
from games.table import SEATS, result_of
from scoring import ledger
from scoring.ledger import SheetReading
from scoring.models import ScoreSheet
from scoring.rules import HandResult

AT_ONCE = 100  # sheets; of long games these are some 40 000 moves


class Stored(NamedTuple):
    """A hand of a game with its moves: ply, seat and text of each."""

    number: int
    dealer: int
    deck: str
    over: bool
    moves: list[tuple[int, int, str]]


@dataclass
class Findings:
    """What was looked at, and every difference found."""

    sheets: int = 0
    hands: int = 0
    differences: list[str] = field(default_factory=list)


def parts() -> list[tuple[int, int]]:
    """The sheets there are, as numbers from and to: some at a time, to be audited apart."""
    found: list[tuple[int, int]] = []
    numbers = ScoreSheet.objects.order_by("pk").values_list("pk", flat=True)
    first = last = None
    for place, number in enumerate(numbers.iterator(chunk_size=10_000)):
        if place % AT_ONCE == 0:
            if first is not None and last is not None:
                found.append((first, last))
            first = number
        last = number
    if first is not None and last is not None:
        found.append((first, last))
    return found


def audit(first: int, last: int) -> Findings:
    """Work out again the sheets with these numbers, as they stand at one moment."""
    found = Findings()
    with one_moment():
        numbers = ScoreSheet.objects.filter(pk__range=(first, last)).order_by("pk")
        sheet_ids = list(numbers.values_list("pk", flat=True))
        games = Game.objects.in_bulk(sheet_ids, field_name="sheet_id")
        hands = _hands_of([game.pk for game in games.values()])
        for sheet in ledger.audited(sheet_ids):
            game = games.get(sheet.sheet_id)
            played = hands.get(game.pk, []) if game else []
            said = [*sheet.differences, *_played(sheet.reading, game, played)]
            found.sheets += 1
            found.hands += len(played)
            found.differences += [f"sheet {sheet.sheet_id}: {one}" for one in said]
    return found


@contextmanager
def one_moment() -> Iterator[None]:
    """Read as of one moment, without holding up whoever writes meanwhile."""
    if connection.in_atomic_block:
        yield
        return
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        # Not Django's atomic(): on SQLite it would begin as a writer.
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ" if postgresql else "BEGIN")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _hands_of(game_ids: Sequence[int]) -> dict[int, list[Stored]]:
    """The hands of these games in their order, in two statements."""
    moves: dict[int, list[tuple[int, int, str]]] = {}
    stored = Move.objects.filter(hand__game__in=game_ids).order_by("hand_id", "ply")
    for hand_id, ply, seat, text in stored.values_list("hand_id", "ply", "seat", "text"):
        moves.setdefault(hand_id, []).append((ply, seat, text))
    found: dict[int, list[Stored]] = {}
    for hand in Hand.objects.filter(game__in=game_ids).order_by("game_id", "number"):
        found.setdefault(hand.game_id, []).append(
            Stored(
                hand.number, hand.dealer, hand.deck, hand.ended_at is not None,
                moves.get(hand.pk, []),
            )
        )  # fmt: skip
    return found


def _played(
    sheet: SheetReading | None, game: Game | None, hands: Sequence[Stored]
) -> Iterator[str]:
    """What was played otherwise than the sheet has it. Later editions are nobody's game."""
    if sheet is None:
        return
    if game is None:
        if sheet.source == "table" and sheet.replaces_id is None:
            yield "no game was played on it"
        return
    if game.rules != sheet.rules:
        yield "its game has other rules"
    if (game.ended_at is None) != (sheet.ended is None):
        yield "its game is over, it is not" if game.ended_at else "it is over, its game is not"
    if [hand.number for hand in hands] != list(range(1, len(hands) + 1)):
        yield "the hands dealt are not numbered from 1"
    yield from _hand_by_hand(sheet, hands, game.ended_at is not None)


def _hand_by_hand(sheet: SheetReading, hands: Sequence[Stored], over: bool) -> Iterator[str]:
    rules = RuleSet.from_dict(sheet.rules)
    written = {hand.number: hand.result for hand in sheet.hands}
    dealer: int | None = None
    for hand in hands:
        last, why = replayed(rules, hand)
        result = None if last is None else _result(last)
        said = [why, _dealt(hand, dealer), _open(hand, last, hand is hands[-1], over)]
        if last is not None and result != written.get(hand.number):
            said.append(f"played: {told(result)}; written: {told(written.get(hand.number))}")
        yield from (f"hand {hand.number}: {one}" for one in said if one)
        winner = result.winner if result else None
        dealer = dealing.next_dealer(rules.next_dealer, hand.dealer, winner, SEATS)
    for number in sorted(written.keys() - {hand.number for hand in hands}):
        yield f"hand {number}: written, but never dealt"


def _dealt(hand: Stored, dealer: int | None) -> str:
    if dealer in (None, hand.dealer):
        return ""
    return f"dealt by seat {hand.dealer}, but it was seat {dealer}'s turn to deal"


def replayed(rules: RuleSet, hand: Stored) -> tuple[Position | None, str]:
    """The last position of a hand, or None and what is wrong with its moves. Names no card."""
    try:
        position = play.deal(rules.play, dealing.cards_of(hand.deck), hand.dealer, SEATS)
    except (KeyError, ValueError):
        return None, "the deck is no deck"
    for place, (ply, seat, text) in enumerate(hand.moves, 1):
        if ply != place:
            return None, f"move {place} is missing"
        if position.to_act not in (None, seat):
            return None, f"move {ply} was made by seat {seat} out of turn"
        try:
            position = play.apply(position, text)
        except Refusal as refusal:
            return None, f"move {ply} cannot be made ({refusal.code})"
        if position.log[-1].move != text:
            return None, f"move {ply} is not spelt as the table spells it"
    return position, ""


def _open(hand: Stored, last: Position | None, is_last: bool, game_over: bool) -> str:
    """Whether a hand lies open that is over, or the other way round."""
    if last is None:
        return ""
    if last.outcome is not None:
        return "" if hand.over else "it is over, but lies open"
    if is_last and hand.over == game_over:
        return ""
    return f"it {'was broken off' if hand.over else 'lies open'}, but the game went on"


def _result(last: Position) -> HandResult | None:
    if last.outcome is None:
        return None
    return result_of(last.outcome, last.idle_turns >= play.IDLE_TURNS)


def told(result: HandResult | None) -> str:
    """How a hand ended, in short."""
    if result is None:
        return "no end"
    if result.winner is None:
        return "void (nobody drew)" if result.idle else "void"
    words = f"{result.kind} {result.knocker_deadwood} against {result.defender_deadwood}"
    return f"{words}, won by seat {result.winner}{', a spade' if result.spade else ''}"
