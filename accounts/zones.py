"""Time zones people may choose: names like Europe/Paris, as the machine's own tables know them."""

from __future__ import annotations

import zoneinfo
from functools import cache

from accounts.refusal import N_, Refusal

LONGEST = 64


class BadZone(Refusal):
    """No such time zone."""

    def __init__(self) -> None:
        super().__init__(
            "no_such_zone",
            N_("This time zone is not known here. Write one like Europe/Paris."),
        )


@cache
def known() -> frozenset[str]:
    """Every name that can be chosen: a place, or UTC."""
    names = zoneinfo.available_timezones()
    return frozenset(name for name in names if "/" in name or name == "UTC")


def check(name: str) -> None:
    """Refuse what names no zone; nothing at all stands for the zone of the site."""
    if name and name not in known():
        raise BadZone


def zone(name: str) -> zoneinfo.ZoneInfo | None:
    """The zone of that name; None for the site's own, and for one the tables have dropped."""
    return zoneinfo.ZoneInfo(name) if name in known() else None
