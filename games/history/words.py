"""The words of histories and statistics: rules, results, dates and figures."""

from __future__ import annotations

from datetime import datetime
from zlib import crc32

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import presets

SHADES = "abcd"


def rules_name(slug: str) -> str:
    """The name of a rule set; whatever stands there, for one this site does not know."""
    preset = presets.PRESETS.get(slug)
    return str(preset.name) if preset else slug or _("Other rules")


def moment(at: datetime) -> str:
    """A day and a time on the reader's clock; its month and year stand above it."""
    return date_format(timezone.localtime(at), pgettext("format of day and time", "N j, H:i"))


def month(at: datetime) -> str:
    """A month and its year on the reader's clock."""
    return date_format(timezone.localtime(at), "YEAR_MONTH_FORMAT")


def percent(rate: float | None) -> str:
    """A rate without decimals; a dash where nothing can be said."""
    return "–" if rate is None else _("%(number)s%%") % {"number": round(rate)}


def average(value: float | None) -> str:
    """One decimal; a dash where nothing can be said."""
    return "–" if value is None else number_format(value, 1)


def count(number: int) -> str:
    """A whole number, its thousands apart."""
    return number_format(number, use_l10n=True, force_grouping=True)


def shade(name: str) -> str:
    """The colour of somebody's initial: the same on every page."""
    return SHADES[crc32(name.encode()) % len(SHADES)]
