"""When the moves of a game were made, and what of it has happened by now. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from games.demo.playing import PlayedHand
from games.models import Pace
from games.table import PastHand
from scoring.rules import HandResult

THINKING: Final = 4.0  # seconds for a move, more or less
A_DAY_S_THINKING: Final = 2.2 * 3600
BETWEEN_HANDS: Final = timedelta(seconds=12)


def timed(
    hands: Sequence[PlayedHand], began: datetime, pace: str, random: Random
) -> list[PastHand]:
    """The hands with their times, one after the other."""
    told = []
    at = began
    for hand in hands:
        dealt_at, moves = at, []
        for seat, text in hand.moves:
            at += _thought(pace, random)
            moves.append((seat, text, at))
        ended_at = at + timedelta(seconds=1)
        told.append(
            PastHand(hand.dealer, hand.deck, dealt_at, tuple(moves), hand.result, ended_at)
        )
        at = ended_at + BETWEEN_HANDS
    return told


def until(hands: Sequence[PastHand], now: datetime) -> list[PastHand]:
    """What has been dealt and played by now: the last hand may still be open."""
    return [_so_far(hand, now) for hand in hands if hand.dealt_at <= now]


def _so_far(hand: PastHand, now: datetime) -> PastHand:
    if hand.ended_at is not None and hand.ended_at <= now:
        return hand
    moves = [move for move in hand.moves if move[2] <= now]
    if len(moves) == len(hand.moves) and moves:
        moves.pop()  # the one that ended it
    return replace(hand, moves=tuple(moves), result=None, ended_at=None)


def on_paper(
    hands: Sequence[PlayedHand], began: datetime, random: Random
) -> Iterator[tuple[HandResult, datetime]]:
    """The results as somebody wrote them down, some minutes apart."""
    at = began
    for hand in hands:
        at += timedelta(seconds=random.randint(90, 420))
        if hand.result is not None:
            yield hand.result, at


def _thought(pace: str, random: Random) -> timedelta:
    usual = A_DAY_S_THINKING if pace == Pace.DAY else THINKING
    return timedelta(seconds=max(0.7, min(random.lognormvariate(0, 0.7), 5) * usual))
