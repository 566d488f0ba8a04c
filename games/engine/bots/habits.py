"""The figures by which the Fort weighs, fitted by playing thousands of hands against each other.

``per_round`` figures are added for every turn each seat has had.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Habits:
    """How the Fort sees a hand. The points of a hand are the unit, unless it says otherwise."""

    deadwood: float = 0.8890
    deadwood_per_round: float = 0.0849
    gain: float = 2.1063
    gain_per_round: float = -0.0617
    knock: float = 3.2129
    knock_per_round: float = 0.3501
    gin: float = 4.3124
    outs: float = 1.5935
    danger: float = 0.4188
    danger_per_round: float = 2.9962
    heavy: float = -0.2137
    knock_at: tuple[float, ...] = (12.1741, 12.7742, 10.3334, 9.1427, 6.1102)
    knock_less_per_card: float = 5.5968
    take_meld: float = -47.4874
    take: float = 0.3439
    take_per_round: float = 0.2684
    from_stock: float = 2.0000
    near_thrown: float = 0.6393
    kind_thrown: float = 0.5776
    near_left: float = 0.7124
    near_known: float = 0.8348
    high: float = -0.0539


HABITS = Habits()
