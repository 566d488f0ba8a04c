"""What somebody is called where names are read: who is gone, a guest and the computer are told."""

from __future__ import annotations

from django.utils.translation import gettext

from accounts import bots, names


def called(name: str, kind: str = "") -> str:
    """A name in the reader's language. ``kind``: as a seat of a sheet has it; nothing, untold."""
    if kind == "bot":
        return bots.shown(name)
    if name == names.GONE or name.startswith(f"{names.GONE} "):
        return gettext("deleted player")  # the number that keeps names apart says nothing
    return gettext("%(name)s (guest)") % {"name": name} if kind == "guest" else name
