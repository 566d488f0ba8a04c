"""What people write, as it is kept: on one line, in the order it is read, nothing hidden in it."""

from __future__ import annotations

import unicodedata

from accounts.names import shows_itself

_JOINER, _IN_COLOUR = "\u200d", "\ufe0f"  # both belong to emoji


def tidy(text: str) -> str:
    """The text on one line and in the order it is read, without what is not seen.

    Controls, marks that turn the direction, and letters drawn as nothing go; of accents piled on
    one letter three stay.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        if char.isspace():
            char = " "
        elif char in (_JOINER, _IN_COLOUR):
            if not _of_an_emoji(kept[-1:], char):
                continue
        elif not shows_itself(char):
            continue
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= 3:
            kept.append(char)
    return " ".join("".join(kept).split()).rstrip(_JOINER)


def _of_an_emoji(before: list[str], char: str) -> bool:
    """Whether a joiner or a call for colour stands where an emoji would have it."""
    if not before:
        return False
    if before[0] == _IN_COLOUR:
        return char == _JOINER
    return unicodedata.category(before[0]) in ("So", "Sk", "Sm", "Po", "Nd")
