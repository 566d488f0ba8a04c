"""What somebody wants to see of their history: the form above it, and its filters as chips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.history.words import rules_name
from scoring import history
from scoring.history import Wanted

YEARS = range(1900, 3000)
SOURCES = {"table": ("table",), "paper": ("paper",), "imported": ("imported",)}
DAY = {"type": "date"}
ISO = "%Y-%m-%d"  # what a browser sends, whatever it shows
Words = Any  # a text, or one to be said later


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the address of the same page without it."""

    words: str
    without: str


class HistoryForm(forms.Form):
    """Every filter may be left open. What cannot be read is said, and filters nothing."""

    q = forms.CharField(
        label=pgettext_lazy("history", "Search"), required=False, max_length=50,
        widget=forms.TextInput(attrs={"type": "search", "class": "in"}),
    )  # fmt: skip
    against = forms.TypedChoiceField(
        label=_("Opponent"), required=False, coerce=int, empty_value=None
    )
    rules = forms.ChoiceField(label=_("Rules"), required=False)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[
            ("", pgettext_lazy("results", "All")),
            ("won", pgettext_lazy("games", "Won")),
            ("lost", pgettext_lazy("games", "Lost")),
            ("none", pgettext_lazy("games", "Without a winner")),
        ],
    )
    source = forms.ChoiceField(
        label=_("Played"),
        required=False,
        choices=[
            ("", _("Here and elsewhere")),
            ("table", _("On this site")),
            ("paper", _("With real cards")),
            ("imported", pgettext_lazy("games", "Imported")),
        ],
    )
    period = forms.ChoiceField(
        label=_("Period"),
        required=False,
        choices=[
            ("", pgettext_lazy("period", "Always")),
            ("month", _("This month")),
            ("year", _("This year")),
            ("dates", _("From … to …")),
        ],
    )
    since = forms.DateField(
        label=pgettext_lazy("period", "From"), required=False, input_formats=[ISO],
        widget=forms.DateInput(attrs=DAY, format=ISO),
    )
    until = forms.DateField(
        label=pgettext_lazy("period", "To"), required=False, input_formats=[ISO],
        widget=forms.DateInput(attrs=DAY, format=ISO),
    )  # fmt: skip

    def __init__(self, user_id: int, asked: Mapping[str, Any]) -> None:
        super().__init__(asked)
        played = [(slug, rules_name(slug)) for slug in history.presets_played(user_id)]
        self._choose("against", pgettext_lazy("opponents", "All"), history.opponents(user_id))
        self._choose("rules", pgettext_lazy("rules", "All"), played)
        for field in self.fields.values():
            field.widget.attrs["class"] = "in"

    def _choose(self, name: str, nothing: Words, among: Sequence[tuple[Any, str]]) -> None:
        cast(Any, self.fields[name]).choices = [("", nothing), *among]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        days = {name: data[name] for name in ("since", "until") if data.get(name)}
        for name, day in days.items():
            if day.year not in YEARS:
                self.add_error(name, _("There is nothing that long ago, nor that far ahead."))
        if len(days) == 2 and days["since"] > days["until"]:
            self.add_error("until", _("The last day comes before the first."))
        return data

    def wanted(self, zone: tzinfo) -> Wanted:
        """What the filters mean, on the reader's clock. A named period goes before dates."""
        self.is_valid()
        data = self.cleaned_data
        start, end = history.between(data.get("since"), data.get("until"), zone)
        wanted = Wanted(
            name=data.get("q", ""),
            opponent_id=data.get("against"),
            preset=data.get("rules", ""),
            result=data.get("result", ""),
            sources=SOURCES.get(data.get("source", ""), ()),
            start=start,
            end=end,
        )
        return history.in_period(wanted, data.get("period", ""), zone)

    def asked(self) -> dict[str, str]:
        """The filters that are set and could be read, as they stand in an address."""
        skipped = {"since", "until"} if self.cleaned_data.get("period") in ("month", "year") else {
            "period"
        }
        return {
            name: str(value)
            for name, value in self.cleaned_data.items()
            if value not in (None, "") and name not in skipped
        }

    def chips(self) -> Iterator[Chip]:
        """Each filter that is set, in words."""
        asked = self.asked()
        for name in asked:
            without = {key: value for key, value in asked.items() if key != name}
            yield Chip(self._said(name), address(without))

    def _said(self, name: str) -> str:
        value = self.cleaned_data[name]
        if name == "q":
            return gettext("“%(text)s”") % {"text": value}
        if name == "since":
            return gettext("from %(day)s") % {"day": date_format(value, "SHORT_DATE_FORMAT")}
        if name == "until":
            return gettext("to %(day)s") % {"day": date_format(value, "SHORT_DATE_FORMAT")}
        return str(dict(cast(Any, self.fields[name]).choices)[value])


def address(asked: Mapping[str, str]) -> str:
    """These filters as the end of an address."""
    query = QueryDict(mutable=True)
    query.update(asked)
    return f"?{query.urlencode()}"
