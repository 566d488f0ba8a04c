"""What is kept of a game's score: sheets, their seats and hands, and lines that are only added.

Each "never" and "once" is a named constraint here first and an ``if`` in the ledger second.
"""

from scoring.models.chips import (
    ChipAccount,
    ChipEntry,
    ChipPosting,
    StartingGrant,
)
from scoring.models.exports import Export, ExportPart
from scoring.models.lines import ScoreLine, SheetHand
from scoring.models.rates import UnitRate, UnitWish
from scoring.models.sharing import PadInvitation, ShareLink
from scoring.models.sheets import ScoreSheet, SheetSeat
from scoring.models.summaries import Tally
from scoring.models.wagers import Wager, WagerSeat

__all__ = [
    "ChipAccount",
    "ChipEntry",
    "ChipPosting",
    "Export",
    "ExportPart",
    "PadInvitation",
    "ScoreLine",
    "ScoreSheet",
    "ShareLink",
    "SheetHand",
    "SheetSeat",
    "StartingGrant",
    "Tally",
    "UnitRate",
    "UnitWish",
    "Wager",
    "WagerSeat",
]
