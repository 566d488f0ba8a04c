"""What a finished game comes to for each of its players: the figures behind all statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rules.games import Ended, standing
from scoring.rules.hands import HAND_KINDS, HandResult, Line
from scoring.rules.options import ScoringRules

GINS = ("gin", "big_gin")


@dataclass(frozen=True, slots=True)
class SeatTally:
    """One player's side of a game.

    ``hands`` are those somebody won: a void hand is nobody's. ``knocks`` are a player's knocks that
    were not gin, undercut or not; ``undercut_by`` counts those that were; ``caught`` the hands lost
    to a knock or a gin. Both deadwoods are sums: averages over many games come out right.
    ``shutout``: a game won by one; whoever has it written can still lose by the line bonuses.
    """

    result: str
    points: int
    opponent_points: int
    hand_points: int
    hands: int
    hands_won: int
    gins: int
    big_gins: int
    undercuts: int
    undercut_by: int
    knocks: int
    knock_deadwood: int
    caught: int
    caught_deadwood: int
    best_hand: int
    shutout: bool


def tallies(
    rules: ScoringRules,
    hands: Sequence[HandResult],
    lines: Sequence[Line],
    ended: Ended | None,
    seats: int = 2,
) -> tuple[SeatTally, ...]:
    """Every seat's tally of a game; one that goes on is neither won nor lost."""
    stands = standing(rules, lines, ended, seats)
    winner = stands.winner if ended else None
    written = {(line.seat, line.kind) for line in lines}
    return tuple(
        SeatTally(
            result=_result(seat, winner),
            points=stands.totals[seat],
            opponent_points=max(stands.totals[one] for one in range(seats) if one != seat),
            hand_points=stands.hand_points[seat],
            best_hand=max(
                (line.points for line in lines if line.seat == seat and line.kind in HAND_KINDS),
                default=0,
            ),
            shutout=seat == winner and (seat, "shutout") in written,
            **_of_hands(seat, hands),
        )
        for seat in range(seats)
    )


def _result(seat: int, winner: int | None) -> str:
    if winner is None:
        return "none"
    return "won" if seat == winner else "lost"


def _of_hands(seat: int, hands: Sequence[HandResult]) -> dict[str, int]:
    """What the hands alone say of a seat."""
    scored = [hand for hand in hands if hand.winner is not None]
    won = [hand for hand in scored if hand.winner == seat]
    lost = [hand for hand in scored if hand.winner != seat]
    undercut_by = [hand for hand in lost if hand.kind == "undercut"]
    knocked = [hand for hand in won if hand.kind in ("knock", "first_knock")] + undercut_by
    caught = [hand for hand in lost if hand.kind in ("knock", *GINS)]
    return {
        "hands": len(scored),
        "hands_won": len(won),
        "gins": sum(hand.kind in GINS for hand in won),
        "big_gins": sum(hand.kind == "big_gin" for hand in won),
        "undercuts": sum(hand.kind == "undercut" for hand in won),
        "undercut_by": len(undercut_by),
        "knocks": len(knocked),
        "knock_deadwood": sum(hand.knocker_deadwood for hand in knocked),
        "caught": len(caught),
        "caught_deadwood": sum(hand.defender_deadwood for hand in caught),
    }
