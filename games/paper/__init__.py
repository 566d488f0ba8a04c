"""The score sheet as it is laid out on its page: rows in words, running totals, the verdict.

Points and counts come from the ledger and the score rules and are never worked out here.
"""

from games.paper.bonuses import bonus_rows, correction_rows, ending, verdict
from games.paper.editions import traced, traced_later
from games.paper.page import facts, laid_out, paper_of
from games.paper.rows import Cell, Row, hand_rows, in_words

__all__ = [
    "Cell",
    "Row",
    "bonus_rows",
    "correction_rows",
    "ending",
    "facts",
    "hand_rows",
    "in_words",
    "laid_out",
    "paper_of",
    "traced",
    "traced_later",
    "verdict",
]
