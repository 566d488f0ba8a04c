"""The players who are no people: one account a level, made when first needed. Nobody can be one.

They are shut out for good, so that every door that asks whether somebody may come in, be found by
name or be written to says no. What they are called on a sheet is ``NAMES``.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, pgettext

from accounts import names
from accounts.guests import neighbour
from accounts.models import User
from accounts.refusal import N_, Refusal

NAMES = names.BOTS
LEVELS = tuple(NAMES)
USUAL = "regular"


def account_of(level: str) -> User:
    """The account of a level. Raises Refusal: unknown_level."""
    known = User.objects.filter(bot=level).first() if level in LEVELS else None
    if known is not None:
        return known
    if level not in LEVELS:
        raise Refusal("unknown_level", N_("The computer has no such level."))
    try:
        with transaction.atomic():
            return _made(level)
    except IntegrityError:  # made by another at the same instant
        return User.objects.get(bot=level)


def _made(level: str) -> User:
    """Whoever carries the name since before it was kept for the site keeps it."""
    name = NAMES[level]
    taken = User.objects.named(name).exists()
    bot = User(username=neighbour(name) if taken else name, bot=level, is_active=False)
    bot.pages_for = User.PagesFor.NOBODY
    bot.set_unusable_password()
    bot.save()
    return bot


def name_of(level: str, otherwise: str = "") -> str:
    """What a level is called in the reader's language."""
    called = {
        "beginner": pgettext("level", "Beginner"),
        "regular": pgettext("level", "Regular"),
        "strong": pgettext("level", "Strong"),
        "expert": pgettext("level", "Expert"),
    }
    return called.get(level, otherwise)


def choices() -> list[dict[str, str]]:
    """The levels one can play against, each with a sentence about how it plays."""
    sentences = {
        "beginner": gettext("Plays it safe, and makes the mistakes of somebody who learns."),
        "regular": gettext("Thinks of its own cards only, and knocks as soon as it can."),
        "strong": gettext("Remembers what you take and throw, and chooses when to knock."),
        "expert": gettext("Weighs every move against the hands you may hold."),
    }
    return [
        {"slug": level, "name": name_of(level), "sentence": sentences[level]} for level in LEVELS
    ]


def shown(name: str) -> str:
    """The name of a computer player as lists show it: it is told from people."""
    level = next((level for level, known in NAMES.items() if known == name), "")
    return gettext("%(name)s (computer)") % {"name": name_of(level, name)}
