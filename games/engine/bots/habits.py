"""The figures by which the Fort weighs, fitted by playing thousands of hands against each other.

``per_round`` figures are added for every turn each seat has had.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Habits:
    """How the Fort sees a hand. The points of a hand are the unit, unless it says otherwise."""

    deadwood: float = 1.095
    deadwood_per_round: float = 0.0982
    gain: float = 1.8886
    gain_per_round: float = -0.0578
    knock: float = 2.183
    knock_per_round: float = 0.0124
    gin: float = 4.3835
    outs: float = 0.6982
    danger: float = 2.0
    danger_per_round: float = 1.3651
    heavy: float = -0.0258
    knock_at: tuple[float, ...] = (12.0, 12.2, 11.9, 9.9, 6.6)
    knock_less_per_card: float = 4.8639
    take_meld: float = -48.0
    take: float = 1.0539
    take_per_round: float = 0.0418
    from_stock: float = 2.0
    near_thrown: float = 0.6273
    kind_thrown: float = 0.5835
    near_left: float = 0.6935
    near_known: float = 1.0805
    high: float = 0.0183


HABITS = Habits()
