"""The table: every change to a game, and every look at one.

Each verb is one transaction that locks the Game row first, checks, writes, and rings the table's
bell after commit. Lock order: Game, then ScoreSheet. A refused verb has changed nothing.
"""

from games.table.hands import SEATS, deal_overdue, ready
from games.table.looks import look
from games.table.playing import make_move, resign, result_of
from games.table.rights import Refused
from games.table.seating import lay, rematch, sit_down, waiting_table_of

__all__ = [
    "SEATS",
    "Refused",
    "deal_overdue",
    "lay",
    "look",
    "make_move",
    "ready",
    "rematch",
    "resign",
    "result_of",
    "sit_down",
    "waiting_table_of",
]
