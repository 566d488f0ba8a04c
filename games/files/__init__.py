"""A game as a file: read from JSON, written as JSON or CSV, brought in from elsewhere.

What is written can be read back, and loses nothing.
"""

from games.files.bringing import LONGEST, bring, known, preview, told_in
from games.files.reading import Told, from_json, read_json, refuse, why
from games.files.writing import as_csv, as_json

__all__ = [
    "LONGEST",
    "Told",
    "as_csv",
    "as_json",
    "bring",
    "from_json",
    "known",
    "preview",
    "read_json",
    "refuse",
    "told_in",
    "why",
]
