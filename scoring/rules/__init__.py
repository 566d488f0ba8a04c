"""What a hand and the end of a game are worth: values in, lines out (rules, sections 7 to 10).

Pure: no framework, no clock, no dice. options.py holds what a room may choose, hands.py one
hand, games.py the whole sheet, tallies.py what a game came to for each player.
"""

from scoring.rules.games import (
    BONUS_KINDS,
    CORRECTION,
    ENDS,
    LEFT,
    UNDONE,
    Ended,
    Standing,
    bonus_lines,
    hand_points,
    hands_won,
    reached,
    standing,
    totals,
)
from scoring.rules.hands import (
    HAND_KINDS,
    HIGHEST_DEADWOOD,
    HIGHEST_KNOCK,
    MOST_HANDS,
    BadSheet,
    HandResult,
    Line,
    check_hand,
    hand_line,
)
from scoring.rules.options import (
    CHOICES,
    NOT_IN_FIRST_KNOCK,
    PRESETS,
    VALUES,
    BadRules,
    ScoringRules,
    in_short,
    not_in_first_knock,
    require_value,
)
from scoring.rules.tallies import SeatTally, tallies

__all__ = [
    "BONUS_KINDS",
    "CHOICES",
    "CORRECTION",
    "ENDS",
    "HAND_KINDS",
    "HIGHEST_DEADWOOD",
    "HIGHEST_KNOCK",
    "LEFT",
    "MOST_HANDS",
    "NOT_IN_FIRST_KNOCK",
    "PRESETS",
    "UNDONE",
    "VALUES",
    "BadRules",
    "BadSheet",
    "Ended",
    "HandResult",
    "Line",
    "ScoringRules",
    "SeatTally",
    "Standing",
    "bonus_lines",
    "check_hand",
    "hand_line",
    "hand_points",
    "hands_won",
    "in_short",
    "not_in_first_knock",
    "reached",
    "require_value",
    "standing",
    "tallies",
    "totals",
]
