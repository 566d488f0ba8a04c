"""What the end of a game is worth, who wins it, and how a sheet adds up (rules, 8, 9 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.rules.hands import HAND_KINDS, Line
from scoring.rules.options import ScoringRules

BONUS_KINDS = ("line", "game", "shutout")
CORRECTION = "correction"
LEFT = ("resigned", "time", "claimed")  # one player left: the other wins
UNDONE = ("called_off", "voided")  # nobody wins
ENDS = ("target", *LEFT, *UNDONE)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended. ``by`` is who reached the target, or the seat that left."""

    how: str
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands. ``winner`` is set once it is over and somebody won it."""

    hand_points: tuple[int, ...]
    totals: tuple[int, ...]
    hands_won: tuple[int, ...]
    reached: int | None
    winner: int | None
    finished: bool


def hand_points(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """What counts towards the target: hand lines alone (rules, section 8)."""
    return _sums((line for line in lines if line.kind in HAND_KINDS), seats)


def totals(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """Everything that stands on the sheet, bonuses and corrections included."""
    return _sums(lines, seats)


def hands_won(lines: Iterable[Line], seats: int = 2) -> tuple[int, ...]:
    """A hand won for 0 points is a hand won (rules, section 8)."""
    winners = [line.seat for line in lines if line.kind in HAND_KINDS]
    return tuple(winners.count(seat) for seat in range(seats))


def _sums(lines: Iterable[Line], seats: int) -> tuple[int, ...]:
    sums = [0] * seats
    for line in lines:
        sums[line.seat] += line.points
    return tuple(sums)


def reached(rules: ScoringRules, lines: Iterable[Line]) -> int | None:
    """The seat whose hand points came to the target or past it, if any has (rules, section 9)."""
    points: dict[int, int] = {}
    for line in lines:
        if line.kind in HAND_KINDS:
            points[line.seat] = points.get(line.seat, 0) + line.points
            if points[line.seat] >= rules.target:
                return line.seat
    return None


def bonus_lines(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None = None, seats: int = 2
) -> tuple[Line, ...]:
    """The end-of-game lines, in the order of rules, section 9; none while nobody has won.

    Only hand lines are read, so the answer is the same before and after they were written.
    """
    winner = _favoured(rules, lines, ended, seats)
    if winner is None:
        return ()
    return _bonuses_of(rules, lines, winner, seats, ended is None or ended.how == "target")


def _bonuses_of(
    rules: ScoringRules, lines: Sequence[Line], winner: int, seats: int, shutout: bool
) -> tuple[Line, ...]:
    won = hands_won(lines, seats)
    paid = range(seats) if rules.line_bonus_to == "each" else (winner,)
    found = [Line(seat, "line", None, rules.line_bonus * won[seat]) for seat in paid]
    found.append(Line(winner, "game", None, rules.game_bonus))
    if shutout:
        found.append(Line(winner, "shutout", None, _shutout(rules, lines, winner, seats)))
    return tuple(line for line in found if line.points)


def as_if_reached(
    rules: ScoringRules, lines: Sequence[Line], winner: int, seats: int = 2
) -> tuple[int, ...]:
    """The totals as they would be, had this seat reached the target with the last hand."""
    hands = [line for line in lines if line.kind in HAND_KINDS]
    return totals([*hands, *_bonuses_of(rules, hands, winner, seats, shutout=True)], seats)


def _favoured(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None, seats: int
) -> int | None:
    """Whom the bonuses go to: who reached the target, or whoever did not leave (rules, 9, 12)."""
    if ended is None or ended.how == "target":
        return reached(rules, lines)
    if ended.how in LEFT:
        return next(seat for seat in range(seats) if seat != ended.by)
    return None


def _shutout(rules: ScoringRules, lines: Sequence[Line], winner: int, seats: int) -> int:
    """The shutout's points, 0 when none is due (rules, section 9, step 3)."""
    points = hand_points(lines, seats)
    spoilt_by = points if rules.shutout_when == "zero_points" else hands_won(lines, seats)
    if any(count for seat, count in enumerate(spoilt_by) if seat != winner):
        return 0
    return {
        "none": 0,
        "fixed": rules.shutout_points,
        "double_hands": points[winner],
        "double_hands_and_game": points[winner] + rules.game_bonus,
    }[rules.shutout]


def standing(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None = None, seats: int = 2
) -> Standing:
    """Add a sheet up. The winner is known at once, before the bonus lines are written."""
    goal = reached(rules, lines)
    return Standing(
        hand_points=hand_points(lines, seats),
        totals=totals(lines, seats),
        hands_won=hands_won(lines, seats),
        reached=goal,
        winner=_winner(rules, lines, ended, seats),
        finished=ended is not None or goal is not None,
    )


def _winner(
    rules: ScoringRules, lines: Sequence[Line], ended: Ended | None, seats: int
) -> int | None:
    """Who wins the game (rules, section 9, step 4, and section 12). Corrections never count."""
    favoured = _favoured(rules, lines, ended, seats)
    by_total = rules.winner_by == "total" and (ended is None or ended.how == "target")
    if favoured is None or not by_total:
        return favoured
    hands = [line for line in lines if line.kind in HAND_KINDS]
    final = totals([*hands, *bonus_lines(rules, lines, ended, seats)], seats)
    return max(range(seats), key=lambda seat: (final[seat], seat == favoured))
