"""The only writer and adder-up of score sheets.

Lock order: Game, then ScoreSheet, then chip accounts. Every writer here locks the sheet's row
first, checks, writes, and rings after commit. Totals are always a sum of the lines, tallies always
worked out from the sheet.
"""

from scoring.ledger.auditing import Audited, audited
from scoring.ledger.bonuses import (
    settle_chips,
    sheets_without_bonuses,
    write_bonuses,
    write_correction,
)
from scoring.ledger.brought import end_brought, let_go
from scoring.ledger.editions import (
    current_of,
    currents_of,
    edition,
    read_latest,
    require_current,
    void,
)
from scoring.ledger.forgetting import forget
from scoring.ledger.handing import hand_over, sat_together
from scoring.ledger.hands import SeatEntry, end_sheet, foresee_hand, open_sheet, record_hand
from scoring.ledger.past import PastSheet, write_past
from scoring.ledger.readings import (
    HandReading,
    SeatReading,
    SheetReading,
    asking,
    is_won,
    read_sheet,
    read_sheets,
    readings,
    totals,
)
from scoring.ledger.tallying import tally_again
from scoring.ledger.whole import write_whole, written_already

__all__ = [
    "Audited",
    "HandReading",
    "PastSheet",
    "SeatEntry",
    "SeatReading",
    "SheetReading",
    "asking",
    "audited",
    "current_of",
    "currents_of",
    "edition",
    "end_brought",
    "end_sheet",
    "foresee_hand",
    "forget",
    "hand_over",
    "is_won",
    "let_go",
    "open_sheet",
    "read_latest",
    "read_sheet",
    "read_sheets",
    "readings",
    "record_hand",
    "require_current",
    "sat_together",
    "settle_chips",
    "sheets_without_bonuses",
    "tally_again",
    "totals",
    "void",
    "write_bonuses",
    "write_correction",
    "write_past",
    "write_whole",
    "written_already",
]
