"""The form that opens or changes a room: a name, a preset, and every option behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.refusal import Refusal
from games import presets
from games.models import Pace
from games.stakes.form import RADIOS, StakesForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Words = str | _StrPromise
    Choices = list[tuple[str, Words]]

# What a browser can send for an option, beside the value the rules know.
TEXTS: dict[str, Any] = {"true": True, "false": False, "null": None}


# rules, section 10: the one spelling of every option; the words are for people.
OPTIONS: dict[str, tuple[Words, Choices]] = {
    "format": (
        _("Format"),
        [("points", _("Hands for points, to a target")), ("first_knock", _("First to knock wins"))],
    ),
    "knock_limit": (
        _("Knock limit"),
        [
            ("10", _("10 deadwood or less")),
            ("0", _("Gin only")),
            ("upcard", _("The upcard decides (Oklahoma)")),
        ],
    ),
    "oklahoma_ace": (
        _("Oklahoma: an ace turned up"),
        [("gin", _("Only gin ends the hand")), ("1", _("Knock with 1"))],
    ),
    "spades_double": (
        _("Oklahoma: a spade turned up"),
        [("false", _("Changes nothing")), ("true", _("Doubles the hand"))],
    ),
    "gin": (_("Gin bonus"), [("25", "25"), ("20", "20")]),
    "big_gin": (
        _("Big gin bonus"),
        [("null", _("No big gin")), ("25", "25"), ("31", "31"), ("50", "50")],
    ),
    "undercut": (_("Undercut bonus"), [("25", "25"), ("20", "20"), ("10", "10"), ("0", "0")]),
    "layoffs": (_("Laying off on the knocker’s melds"), [("true", _("Yes")), ("false", _("No"))]),
    "line_bonus": (
        _("Bonus for every hand won"),
        [("0", pgettext_lazy("bonus", "None")), ("20", "20"), ("25", "25")],
    ),
    "line_bonus_to": (
        _("Who gets the line bonus"),
        [("each", _("Both players, each for their hands")), ("winner", _("Only the winner"))],
    ),
    "game_bonus": (_("Game bonus"), [("0", pgettext_lazy("bonus", "None")), ("100", "100")]),
    "shutout": (
        _("Shutout"),
        [
            ("none", _("No shutout")),
            ("fixed", _("100 points")),
            ("double_hands", _("The hand points again")),
            ("double_hands_and_game", _("The hand points and the game bonus again")),
        ],
    ),
    "shutout_when": (
        _("A shutout is due when the other player"),
        [("zero_points", _("has no point")), ("zero_hands", _("won no hand"))],
    ),
    "winner_by": (
        _("Who wins the game"),
        [
            ("target", _("Whoever reaches the target")),
            ("total", _("The higher total, bonuses included")),
        ],
    ),
    "next_dealer": (
        _("Next dealer"),
        [
            ("alternate", _("Each in turn")),
            ("loser", _("Whoever lost the hand")),
            ("winner", _("Whoever won the hand")),
        ],
    ),
    "keep_drawn_card": (
        _("The card just drawn may be discarded"),
        [("from_discard", _("Yes, when it came from the stock")), ("any", _("Never"))],
    ),
    "discard_history": (
        _("Discard pile"),
        [("top_only", _("Only its top card is seen")), ("open", _("Both may browse it"))],
    ),
}

GROUPS: list[tuple[Words, list[str]]] = [
    (_("The hand"), ["format", "knock_limit", "oklahoma_ace", "spades_double", "layoffs"]),
    (_("Points"), ["gin", "big_gin", "undercut"]),
    (_("The end of the game"), ["target", "line_bonus", "line_bonus_to", "game_bonus", "shutout",
                                "shutout_when", "winner_by"]),
    (_("At the table"), ["next_dealer", "keep_drawn_card", "discard_history"]),
]  # fmt: skip


CHOSEN = ("preset", "public", "pace", "spectators", "guests", *RADIOS)  # a row of choices each


class RoomForm(StakesForm):
    """An option left empty is the preset's. ``options`` is what the rules are asked for."""

    name = forms.CharField(
        label=_("Name of the room"),
        max_length=60,
        error_messages={"required": _("Give the room a name.")},
        widget=forms.TextInput(attrs={"class": "in", "autocomplete": "off"}),
    )
    preset = forms.ChoiceField(
        label=_("Rules"),
        choices=[(preset.slug, preset.name) for preset in presets.PRESETS.values()],
        initial=presets.DEFAULT,
    )
    public = forms.TypedChoiceField(
        label=_("Who may come in"),
        choices=[
            ("no", _("By invitation: whoever has the link or the code")),
            (
                "yes",
                _("Public: anyone signed in finds it in the lobby, sits down, reads its sheets"),
            ),
        ],
        coerce=lambda text: text == "yes",
        widget=forms.RadioSelect,
        initial="no",
    )
    pace = forms.TypedChoiceField(
        label=_("Pace of play"),
        choices=Pace.choices,
        required=False,
        empty_value=Pace.NONE,
        widget=forms.RadioSelect,
        initial=Pace.NONE,
    )
    spectators = forms.ChoiceField(
        label=_("Who may watch"),
        choices=[
            ("yes", _("Spectators: they see what both players see, never a hand before its end")),
            ("no", _("Only those who play see a game while it runs")),
        ],
        required=False,
        widget=forms.RadioSelect,
        initial="yes",
    )
    guests = forms.ChoiceField(
        label=_("Guests"),
        choices=[
            ("yes", _("Welcome: whoever has the link plays at once, under a name they choose")),
            ("no", _("None: only people with an account come in")),
        ],
        required=False,
        widget=forms.RadioSelect,
        initial="yes",
    )
    target = forms.IntegerField(
        label=_("Target"),
        required=False,
        min_value=1,
        max_value=1000,
        widget=forms.NumberInput(attrs={"class": "in", "inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].widget.attrs["placeholder"] = gettext("as in the preset")
        for name, (label, choices) in OPTIONS.items():
            self.fields[name] = forms.ChoiceField(
                label=label,
                required=False,
                choices=[("", _("as in the preset")), *choices],
                widget=forms.Select(attrs={"class": "in"}),
            )
        if self.is_bound:
            self._mark_errors()

    def _mark_errors(self) -> None:
        for name in self.errors:
            if name in self.fields and name not in CHOSEN:
                self.fields[name].widget.attrs |= {
                    "aria-invalid": "true",
                    "aria-describedby": f"{name}-error",
                }

    @classmethod
    def of_room(cls, room: Mapping[str, Any], data: Mapping[str, Any] | None) -> RoomForm:
        """The form with a room as it is now."""
        spelled = {value: text for text, value in TEXTS.items()}
        initial = {
            name: spelled.get(value, value) if name in OPTIONS and type(value) is not int else value
            for name, value in room.items()
        }
        return cls(data, initial=initial | cls.of_stakes(initial.pop("stakes", {})))

    def wanted(self) -> dict[str, Any]:
        """What the verbs of a room are asked for."""
        asked = ("name", "options", "public", "pace", "stakes")
        wanted = {name: self.cleaned_data[name] for name in asked}
        return wanted | {
            name: self.cleaned_data[name] != "no" for name in ("spectators", "guests")
        }

    def groups(self) -> list[tuple[Words, list[forms.BoundField]]]:
        """The options as the page lays them out."""
        return [(title, [self[name] for name in names]) for title, names in GROUPS]

    def customised(self) -> bool:
        """Whether an option differs from its preset, or is wrong: then the page shows them."""
        names = ["target", *OPTIONS]
        return any(self[name].value() not in (None, "") or name in self.errors for name in names)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        options: dict[str, Any] = {"preset": cleaned.get("preset", presets.DEFAULT)}
        for name in ("target", *OPTIONS):
            if cleaned.get(name) not in (None, ""):
                options[name] = _value(cleaned[name])
        rules = None
        if not self.errors:
            try:
                rules = presets.rule_set(options)
            except Refusal as refusal:
                self.add_error(_field(refusal), gettext(refusal.sentence) % refusal.params)
        stakes = self.clean_stakes(cleaned, rules)
        return {**cleaned, "options": options, "stakes": stakes}


def _value(text: str | int) -> Any:
    """The value the rules know for what the browser sent."""
    if isinstance(text, int):
        return text
    return int(text) if text.isdecimal() else TEXTS.get(text, text)


def field_of(refusal: Refusal) -> str | None:
    """The field of the form at which a verb's refusal is shown, if it is about one."""
    return {"room_name": "name", "guests_stay_private": "public", "too_many_public": "public",
            "practice_is_private": "public", "too_few_chips": "stakes_amount",
            "no_chips": "stakes_mode", "no_stakes_for_guests": "stakes_mode",
            "practice_for_nothing": "stakes_mode"}.get(refusal.code)


def _field(refusal: Refusal) -> str | None:
    """The field a refused option belongs to, if the refusal names one."""
    option = refusal.params.get("option")
    return option if option == "target" or option in OPTIONS else None
