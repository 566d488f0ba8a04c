"""What a player's name may be, and when two names are the same. Pure: values in, values out.

A name is what the others see at the table, so two people must never look alike: names are
compared by ``key``, not letter by letter.
"""

from __future__ import annotations

import unicodedata

from accounts.refusal import N_, Refusal

LEAST, MOST = 2, 24
MARKS_IN_A_ROW = 3
PUNCTUATION = "-'’._"

# What a player is called who deleted their account: on the sheets of others, in French as the site.
GONE = "joueur supprimé"

# The levels of the computer, as its players are called on sheets.
BOTS = {"beginner": "Débutant", "regular": "Habitué", "strong": "Fort", "expert": "Expert"}

TAKEN = N_("This name is already taken, or looks too much like another.")

# Drawn as nothing although Unicode calls them letters or marks (fillers, variation selectors).
_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
_BLANKS = (_INVISIBLE | {"\u2800"}) - {"\ufe0f"}  # an emoji may ask to be drawn in colour
_SPACING_MODIFIERS = range(0x02B0, 0x0300)  # read as apostrophes, quotes and accents on nothing
_LOOK_ALIKE_SCRIPTS = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC"})

# Letters of other alphabets drawn like a Latin one, after case is folded.
_AS_LATIN = str.maketrans(
    "авекмнорстухіјѕһԁԛԝ" + "αβεζηικμνορτυχ" + "ı’",
    "abekmhopctyxijshdqw" + "abezhikmnoptyx" + "i'",
)  # fmt: skip


class BadName(Refusal):
    """A name nobody may carry."""


def tidy(name: str) -> str:
    """The name as it is kept and shown: compatible letters made one (full-width A is A)."""
    return unicodedata.normalize("NFKC", name)


def key(name: str) -> str:
    """What two names must not share: no case, no width, no alphabet in disguise."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    parts = unicodedata.normalize("NFKD", folded).translate(_AS_LATIN)
    return unicodedata.normalize("NFKC", parts).casefold()


def check(name: str) -> None:
    """Refuse a name that is not tidy, or that hides or imitates something."""
    if name != tidy(name) or name != name.strip() or "  " in name:
        raise BadName("name_spaces", N_("Put no space at the ends and only one between words."))
    seen = sum(1 for char in name if unicodedata.category(char)[0] != "M")
    if not LEAST <= seen <= MOST:
        raise BadName(
            "name_length",
            N_("A name has from %(least)d to %(most)d characters."),
            least=LEAST, most=MOST,
        )  # fmt: skip
    if not all(_allowed(char) for char in name):
        raise BadName(
            "name_characters",
            N_("Use letters, digits, spaces and - ' . _ only."),
        )
    if not any(char.isalnum() for char in name):
        raise BadName("name_letters", N_("A name needs at least one letter or digit."))
    if _stacked(name):
        raise BadName("name_accents", N_("This name has too many accents on one letter."))
    if len(_scripts(name)) > 1:
        raise BadName("name_alphabets", N_("Keep to one alphabet in a name."))
    if _letters(name) in _RESERVED or _letters(name).startswith(_letters(GONE)):
        raise BadName("name_reserved", N_("The site keeps this name for itself."))


def shows_itself(line: str) -> bool:
    """Whether a line of free text hides nothing and stays on its line: the name of a room."""
    run = 0
    for char in line:
        run = run + 1 if unicodedata.category(char)[0] == "M" else 0
        if not char.isprintable() or char in _BLANKS or run > MARKS_IN_A_ROW:
            return False
    return True


def _allowed(char: str) -> bool:
    if char in _INVISIBLE or ord(char) in _SPACING_MODIFIERS:
        return False
    if char == " " or char in PUNCTUATION:
        return True
    return unicodedata.category(char) in ("Ll", "Lu", "Lt", "Lo", "Lm", "Nd", "Mn", "Mc")


def _stacked(name: str) -> bool:
    """Whether marks float on nothing or pile up."""
    run = MARKS_IN_A_ROW  # a mark at the very start is one too many
    for char in name:
        if unicodedata.category(char)[0] != "M":
            run = 0 if char.isalnum() else MARKS_IN_A_ROW
        elif run >= MARKS_IN_A_ROW:
            return True
        else:
            run += 1
    return False


def _scripts(name: str) -> set[str]:
    """The alphabets of this name among those that imitate one another."""
    words = {unicodedata.name(char, "").partition(" ")[0] for char in name if char.isalpha()}
    return words & _LOOK_ALIKE_SCRIPTS


def _letters(name: str) -> str:
    """The letters and figures alone, without accents: what a hasty reader sees."""
    return "".join(char for char in unicodedata.normalize("NFKD", key(name)) if char.isalnum())


# What the site itself writes where a player's name stands.
_RESERVED = frozenset(
    _letters(name)
    for name in (
        "vous",
        "you",
        "ordinateur",
        "computer",
        *BOTS.values(),
        "beginner",
        "regular",
        "strong",
        GONE,
        "deleted player",
        "anonyme",
        "anonymous",
        "gin rami",
        "invité",
        "guest",
    )
)
