"""The forms of a pad: who plays by which rules, and one hand entered without script."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.refusal import Refusal
from games.forms import OPTIONS, RoomForm
from games.pads import entries
from scoring import pad
from scoring import rules as scoring
from scoring.ledger import HandReading, SheetReading
from scoring.rules import HandResult

WHO = [
    ("me", _("Me")),
    ("name", _("A name, no account")),
    ("account", _("An account of this site: invite it")),
]
NOT_ASKED = ("keep_drawn_card", "discard_history")  # nobody watches how real cards are played


def _name_field(label: Any) -> forms.CharField:
    attrs = {"class": "in", "autocomplete": "off", "maxlength": pad.NAME_LENGTH}
    attrs["placeholder"] = _("Name")
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, max_length=100, required=False, widget=widget)


class PadForm(RoomForm):
    """A pad to begin: two names, what they are, who deals first, and the rules as for a room."""

    name = None  # type: ignore[assignment]
    public = None  # type: ignore[assignment]
    pace = None  # type: ignore[assignment]
    spectators = None  # type: ignore[assignment]
    name_0 = _name_field(_("First player"))
    name_1 = _name_field(_("Second player"))
    who_0 = forms.ChoiceField(label=_("Who is it?"), choices=WHO, initial="me")
    who_1 = forms.ChoiceField(label=_("Who is it?"), choices=WHO, initial="name")
    first_dealer = forms.TypedChoiceField(
        label=_("Who deals first"),
        choices=[("0", _("The first player")), ("1", _("The second player"))],
        coerce=int,
        widget=forms.RadioSelect,
        initial="0",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in (0, 1):
            self.fields[f"who_{seat}"].widget.attrs["class"] = "in"

    def groups(self) -> list[Any]:
        """The options as the page lays them out, without those a pad has no use for."""
        kept = []
        for title, fields in super().groups():
            fields = [field for field in fields if field.name not in NOT_ASKED]
            kept.append((title, fields))
        return kept

    def customised(self) -> bool:
        names = [name for name in ("target", *OPTIONS) if name not in NOT_ASKED]
        return any(self[name].value() not in (None, "") or name in self.errors for name in names)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.accounts: list[int | None] = [self._account(cleaned, seat) for seat in (0, 1)]
        if cleaned.get("who_0") == cleaned.get("who_1") == "me":
            self.add_error("who_1", gettext("You can be only one of the two."))
        return cleaned

    def _account(self, cleaned: dict[str, Any], seat: int) -> int | None:
        """The account to invite at this seat; the name is then spelled as it spells itself."""
        name = cleaned.get(f"name_{seat}", "")
        if cleaned.get(f"who_{seat}") != "me" and not name.strip():
            self.add_error(f"name_{seat}", gettext("Give this player a name."))
        if cleaned.get(f"who_{seat}") != "account" or not name.strip():
            return None
        found = account_named(name)
        if found is None:
            self.add_error(f"name_{seat}", gettext("Nobody here has this name."))
            return None
        cleaned[f"name_{seat}"] = found.username
        return found.pk

    def wanted(self) -> dict[str, Any]:
        """What ``pad.open_pad`` is asked for, beside the rules."""
        cleaned = self.cleaned_data
        mine = [seat for seat in (0, 1) if cleaned[f"who_{seat}"] == "me"]
        return {
            "names": [cleaned["name_0"], cleaned["name_1"]],
            "accounts": self.accounts,
            "first_dealer": cleaned["first_dealer"],
            "me_seat": mine[0] if mine else None,
        }


def account_named(name: str) -> User | None:
    """Whoever signs in with this name."""
    if "\0" in name:
        return None
    return User.objects.named(name.strip()).filter(is_active=True).first()


class HandForm(forms.Form):
    """One hand in one form: who finished and how, and what both had left."""

    sheet = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=10**6, widget=forms.HiddenInput)
    entry = forms.UUIDField(widget=forms.HiddenInput)
    ending = forms.ChoiceField(label=_("Who finishes, and how?"))
    knocker = forms.IntegerField(
        label=_("Deadwood of the knocker"), required=False, min_value=0,
        max_value=scoring.HIGHEST_KNOCK,
        widget=forms.NumberInput(attrs={"class": "in", "inputmode": "numeric"}),
    )  # fmt: skip
    defender = forms.IntegerField(
        label=_("Deadwood left to the other player"), required=False, min_value=0,
        max_value=scoring.HIGHEST_DEADWOOD,
        widget=forms.NumberInput(attrs={"class": "in", "inputmode": "numeric"}),
    )  # fmt: skip
    upcard = forms.TypedChoiceField(
        label=_("Upcard"), required=False, coerce=int, empty_value=None,
        choices=[("", _("not noted")), ("1", _("ace")), *((str(n), str(n)) for n in range(2, 10)),
                 ("10", _("10 or a court card"))],
        widget=forms.Select(attrs={"class": "in"}),
    )  # fmt: skip
    spade = forms.BooleanField(label=_("The upcard was a spade"), required=False)

    def __init__(
        self, sheet: SheetReading, data: Any = None, hand: HandReading | None = None
    ) -> None:
        self.reading = sheet
        super().__init__(data, initial=_told(sheet, hand))
        self.fields["ending"].choices = _endings(sheet)  # type: ignore[attr-defined]
        self.fields["ending"].widget = forms.RadioSelect(choices=_endings(sheet))
        if sheet.rules.get("knock_limit") != "upcard":
            del self.fields["upcard"]
        if not sheet.rules.get("spades_double"):
            del self.fields["spade"]

    def clean(self) -> dict[str, Any]:
        """Refuse a hand these rules cannot produce, with the sentence that says why."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        if cleaned["ending"] != "void":
            self._require_figures(cleaned)
        if not self.errors:
            try:
                entries.check(self.reading.rules, self._result(), cleaned.get("upcard"))
            except Refusal as refusal:
                self.add_error(None, gettext(refusal.sentence) % refusal.params)
        return cleaned

    def _require_figures(self, cleaned: dict[str, Any]) -> None:
        missing = gettext("Say how much deadwood there was.")
        first_knock = self.reading.rules.get("format") == "first_knock"
        if cleaned["ending"].endswith("-knock") and cleaned.get("knocker") is None:
            self.add_error("knocker", missing)
        if cleaned.get("defender") is None and not first_knock:
            self.add_error("defender", missing)

    def _result(self) -> HandResult:
        said = self.cleaned_data
        seat, _dash, how = said["ending"].partition("-")
        return entries.result_of(
            self.reading.rules, int(seat) if how else 0, how or "void", said.get("knocker") or 0,
            said.get("defender") or 0, bool(said.get("spade")),
        )  # fmt: skip

    @property
    def result(self) -> HandResult:
        """The hand, once the form is valid."""
        return self._result()

    @property
    def mark(self) -> UUID:
        """The mark of this entry, once the form is valid."""
        mark: UUID = self.cleaned_data["entry"]
        return mark


def _endings(sheet: SheetReading) -> list[tuple[str, str]]:
    big = sheet.rules.get("big_gin") is not None
    knocks = sheet.rules.get("knock_limit") != 0
    found = []
    for seat, name in enumerate(sheet.names):
        said = {"name": name}
        if knocks:
            found.append((f"{seat}-knock", gettext("%(name)s knocks") % said))
        found.append((f"{seat}-gin", gettext("%(name)s has gin") % said))
        if big:
            found.append((f"{seat}-big_gin", gettext("%(name)s has big gin") % said))
    return [*found, ("void", gettext("Void hand"))]


def _told(sheet: SheetReading, hand: HandReading | None) -> dict[str, Any]:
    """The form of a hand to come, or with a hand as it stands."""
    if hand is None:
        return {"sheet": sheet.id, "number": len(sheet.hands) + 1, "entry": uuid4()}
    result = hand.result
    finisher = result.winner or 0
    if result.kind == "undercut":
        finisher = (finisher + 1) % len(sheet.seats)
    how = "knock" if result.kind in ("undercut", "first_knock") else result.kind
    return {
        "sheet": sheet.id, "number": hand.number, "entry": uuid4(),
        "ending": "void" if how == "void" else f"{finisher}-{how}",
        "knocker": result.knocker_deadwood, "defender": result.defender_deadwood,
        "spade": result.spade,
    }  # fmt: skip
