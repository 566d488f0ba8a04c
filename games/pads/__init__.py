"""Pads, as pages show them and browsers write on them: the words around ``scoring.pad``.

A hand entered comes as an entry (``entries``), what is drawn is a state (``state``), and the worker
that keeps the page without a network is made in ``offline``.
"""

from games.pads.entries import BadEntry, Sending, read_sending, result_of, write
from games.pads.state import pad_of, rows_of, state_of, watch_pad
from games.pads.sums import sum_of

__all__ = [
    "BadEntry",
    "Sending",
    "pad_of",
    "read_sending",
    "result_of",
    "rows_of",
    "state_of",
    "sum_of",
    "watch_pad",
    "write",
]
