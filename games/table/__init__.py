"""The table: every change to a game, and every look at one.

Each verb is one transaction that locks the Game row first, checks, writes, and rings the table's
bell after commit. Lock order: Member, Game, then ScoreSheet. A refused verb has changed nothing.
"""

from games.table.advice import Question, advise, ask_advice
from games.table.agreement import call_off
from games.table.bots import (
    friend_left,
    move_late,
    no_stakes_with_bots,
    seat_bot,
    sweep_bots,
    think,
)
from games.table.company import part
from games.table.endings import Made, make_and_show
from games.table.handing import hand_over
from games.table.hands import SEATS, deal_overdue, ready
from games.table.heartbeat import beat
from games.table.line import line_up, step_out
from games.table.looks import (
    Looker,
    Onlooker,
    Seen,
    look,
    look_at_each,
    look_by_session,
    look_together,
)
from games.table.orders import sort
from games.table.past import PastGame, PastHand, next_to_act, reserve_game, write_past
from games.table.playing import make_move, resign, result_of, send_for_bonuses
from games.table.rights import Refused, tell_tables
from games.table.seating import (
    clear_seats,
    free_seats,
    hold_seats,
    lay,
    lay_again,
    rematch,
    sit_down,
    waiting_table_of,
)
from games.table.seeds import end_shuffle, end_shuffles, seed
from games.table.strokes import Click, make_and_look
from games.table.terms import follow
from games.table.time import adjourn, claim, keep_time, resume, run_out, wait
from games.table.voiding import void

__all__ = [
    "SEATS",
    "Click",
    "Looker",
    "Made",
    "Onlooker",
    "PastGame",
    "PastHand",
    "Question",
    "Refused",
    "Seen",
    "adjourn",
    "advise",
    "ask_advice",
    "beat",
    "call_off",
    "claim",
    "clear_seats",
    "deal_overdue",
    "end_shuffle",
    "end_shuffles",
    "follow",
    "free_seats",
    "friend_left",
    "hand_over",
    "hold_seats",
    "keep_time",
    "lay",
    "lay_again",
    "line_up",
    "look",
    "look_at_each",
    "look_by_session",
    "look_together",
    "make_and_look",
    "make_and_show",
    "make_move",
    "move_late",
    "next_to_act",
    "no_stakes_with_bots",
    "part",
    "ready",
    "rematch",
    "reserve_game",
    "resign",
    "result_of",
    "resume",
    "run_out",
    "seat_bot",
    "seed",
    "send_for_bonuses",
    "sit_down",
    "sort",
    "step_out",
    "sweep_bots",
    "tell_tables",
    "think",
    "void",
    "wait",
    "waiting_table_of",
    "write_past",
]
