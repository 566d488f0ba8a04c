"""The pad: the sheet of a game with real cards, written by whoever keeps it and by nobody else.

Each verb is told the edition its writer saw. One that has been replaced since refuses, so nothing
is ever written over a correction made elsewhere. Lock order: the sheet, then its invitations.
"""

from scoring.pad.forgetting import forget
from scoring.pad.inviting import accept, decline, invite
from scoring.pad.looks import earlier_editions, invitations_at, invitations_for, kept, pads_of
from scoring.pad.opening import NAME_LENGTH, open_pad, rematch
from scoring.pad.writing import correct, end, enter, reopen, undo

__all__ = [
    "NAME_LENGTH",
    "accept",
    "correct",
    "decline",
    "earlier_editions",
    "end",
    "enter",
    "forget",
    "invitations_at",
    "invitations_for",
    "invite",
    "kept",
    "open_pad",
    "pads_of",
    "rematch",
    "reopen",
    "undo",
]
