"""How the chips of a game are shared out when it ends, to the last part (rules, section 11).

Worked out from the hands alone, so it is the same whoever asks, and however often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from scoring.rules.games import LEFT, Ended, as_if_reached, bonus_lines, standing, totals
from scoring.rules.hands import HAND_KINDS, Line
from scoring.rules.options import ScoringRules
from scoring.rules.stakes import EXACT, ZERO, Stakes, buy_in, purse, rate

LEAST_LEFT_POINTS = 25  # the least that is paid by whoever leaves a game of money play


@dataclass(frozen=True, slots=True)
class Settlement:
    """Where the chips of one game go: exactly, and how that was worked out.

    ``paid`` is what each seat receives out of the pot, ``commission`` the house, ``purse_back``
    whoever put up the purse: together the pot. ``lost``: what each seat loses of its buy-in, and
    ``points`` the difference it pays for in money play, after the rule for whoever leaves.
    """

    mode: str
    winner: int | None
    pot: Decimal
    buy_in: Decimal
    rate: Decimal
    lost: tuple[Decimal, ...]
    points: tuple[int, ...]
    commission: Decimal
    paid: tuple[Decimal, ...]
    purse_back: Decimal = ZERO
    left: bool = False

    @property
    def at_stake(self) -> Decimal:
        """What the commission is a share of."""
        return sum(self.lost, ZERO) if self.mode == "money" else self.pot

    @property
    def net(self) -> Decimal:
        """What the winner has more than before; match play: without their own stake."""
        return ZERO if self.winner is None else self.paid[self.winner] - self.buy_in

    def change(self, seat: int) -> Decimal:
        """What the game brought this seat, below zero for who lost."""
        return self.paid[seat] - self.buy_in


def settle(
    stakes: Stakes,
    rules: ScoringRules,
    lines: Iterable[Line],
    ended: Ended | None,
    seats: int = 2,
) -> Settlement:
    """Share the pot out by how the game ended; without a winner everybody gets theirs back.

    Corrections never move chips: hand lines are read alone, and the bonuses worked out.
    """
    with localcontext(EXACT):
        hands = [line for line in lines if line.kind in HAND_KINDS]
        winner = None if ended is None else standing(rules, hands, ended, seats).winner
        left = ended is not None and ended.how in LEFT
        share = rate(stakes, rules.format == "first_knock")
        if winner is None:
            return _back(stakes, share, seats)
        points = (0,) * seats
        lost = tuple(ZERO if seat == winner else buy_in(stakes) for seat in range(seats))
        if stakes.mode == "money":
            points = _points_paid_for(rules, hands, ended, winner, seats)
            lost = tuple(min(buy_in(stakes), each * stakes.amount) for each in points)
        return _won(stakes, winner, share, lost, points, left)


def settle_totals(
    stakes: Stakes, totals: Sequence[int], winner: int, first_knock: bool = False
) -> Settlement:
    """The same from final totals alone, for a game that was played to its end."""
    with localcontext(EXACT):
        seats = range(len(totals))
        points, lost = (0,) * len(totals), tuple(
            ZERO if seat == winner else buy_in(stakes) for seat in seats
        )
        if stakes.mode == "money":
            points = tuple(max(0, totals[winner] - totals[seat]) for seat in seats)
            lost = tuple(min(buy_in(stakes), each * stakes.amount) for each in points)
        return _won(stakes, winner, rate(stakes, first_knock), lost, points, False)


def _pot(stakes: Stakes, seats: int) -> Decimal:
    return buy_in(stakes) * seats + purse(stakes)


def _back(stakes: Stakes, share: Decimal, seats: int) -> Settlement:
    """A game nobody won: every chip goes back to where it came from."""
    own, nothing = buy_in(stakes), (ZERO,) * seats
    return Settlement(
        stakes.mode, None, _pot(stakes, seats), own, share, nothing, (0,) * seats, ZERO,
        (own,) * seats, purse(stakes),
    )  # fmt: skip


def _won(
    stakes: Stakes,
    winner: int,
    share: Decimal,
    lost: tuple[Decimal, ...],
    points: tuple[int, ...],
    left: bool,
) -> Settlement:
    own, pot = buy_in(stakes), _pot(stakes, len(lost))
    at_stake = sum(lost, ZERO) if stakes.mode == "money" else pot
    commission = at_stake * share
    paid = [own - each for each in lost]
    paid[winner] += sum(lost, purse(stakes)) - commission
    return Settlement(
        stakes.mode, winner, pot, own, share, lost, points, commission, tuple(paid), ZERO, left
    )


def _points_paid_for(
    rules: ScoringRules, hands: Sequence[Line], ended: Ended | None, winner: int, seats: int
) -> tuple[int, ...]:
    """The points each seat pays for; whoever left pays as if the winner had just got there."""
    if ended is not None and ended.how in LEFT:
        final, least = as_if_reached(rules, hands, winner, seats), LEAST_LEFT_POINTS
    else:
        final, least = totals([*hands, *bonus_lines(rules, hands, ended, seats)], seats), 0
    return tuple(
        0 if seat == winner else max(least, final[winner] - final[seat]) for seat in range(seats)
    )
