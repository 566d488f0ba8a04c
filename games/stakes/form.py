"""The part of a room's form that asks what is played for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.refusal import Refusal
from games.presets import RuleSet
from games.stakes.words import CHIPS, UNITS, readable
from scoring.rules.stakes import Stakes

MODES = [
    ("none", pgettext_lazy("stakes", "None"), _("Played for the pleasure of it.")),
    ("match", _("The match"), _("Each puts up the same stake, the winner takes both.")),
    (
        "money",
        _("The point"),
        _(
            "Each point of the difference has its price. Both put up 200 times that, the most that "
            "can be lost."
        ),
    ),
    ("purse", _("A purse"), _("The players put up nothing: the winner takes a fixed purse.")),
]
# Beside the kind of stake, each with the kinds it belongs to; "tab": only where a tab pays.
FIELDS = {
    "amount": "match money purse",
    "unit": "match money purse",
    "commission": "match money purse",
    "source": "match money",
    "tab_limit": "match money tab",
    "purse_from": "purse",
}
RADIOS = ("stakes_mode",)


def _amount(label: Any) -> forms.CharField:
    # Text, so that a comma is a comma in every browser; scoring says what an amount is.
    attrs = {"class": "in num", "inputmode": "decimal", "autocomplete": "off", "maxlength": "12"}
    return forms.CharField(label=label, required=False, widget=forms.TextInput(attrs=attrs))


def _choice(label: Any, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, required=False, choices=choices, widget=forms.Select(attrs={"class": "in"})
    )


class StakesForm(forms.Form):
    """What a room plays for. ``cleaned_data["stakes"]`` is what the verbs are asked for."""

    stakes_mode = forms.ChoiceField(
        label=_("Stake"),
        choices=[(value, name) for value, name, _sentence in MODES],
        required=False,
        widget=forms.RadioSelect,
        initial="none",
    )
    stakes_amount = _amount(_("Amount"))
    stakes_unit = _choice(_("Amounts are called"), list(UNITS.items()))
    stakes_commission = _choice(
        _("Commission of the house"),
        [("none", pgettext_lazy("commission", "None")), ("house", _("5 to 15%, by the stake"))],
    )
    stakes_source = _choice(
        _("Stakes come from"),
        [("wallet", _("Each player’s chips")), ("tab", _("A tab of the room"))],
    )
    stakes_tab_limit = _amount(_("The most a member may owe"))
    stakes_purse_from = _choice(
        _("The purse is put up by"), [("house", _("The house")), ("owner", _("The host"))]
    )

    def stakes_modes(self) -> list[dict[str, Any]]:
        """The ways of playing for something, each with its sentence."""
        chosen = self["stakes_mode"].value() or "none"
        return [
            {"value": value, "name": name, "sentence": sentence, "on": value == chosen}
            for value, name, sentence in MODES
        ]

    def stakes_fields(self) -> list[dict[str, Any]]:
        """The fields as the page lays them out: which kinds of stake they belong to."""
        return [{"box": self[f"stakes_{name}"], "kinds": kinds} for name, kinds in FIELDS.items()]

    @staticmethod
    def of_stakes(stakes: Mapping[str, str]) -> dict[str, Any]:
        """What the form shows first of a room that plays for this."""
        return {f"stakes_{name}": value for name, value in stakes.items() if value != "0.00"}

    def clean_stakes(self, cleaned: Mapping[str, Any], rules: RuleSet | None) -> dict[str, str]:
        """The stakes asked for; what is wrong stands beside its field."""
        options = self._asked(cleaned)
        try:
            stakes = Stakes.from_dict(options)
            if rules is not None:
                stakes.require_rules(rules.scoring)
        except Refusal as refusal:
            option = refusal.params.get("option")
            field = f"stakes_{option}" if option in ("mode", *FIELDS) else None
            self.add_error(field, gettext(refusal.sentence) % readable(refusal.params))
        return options

    def _asked(self, cleaned: Mapping[str, Any]) -> dict[str, str]:
        """Without what does not belong to this kind of stake: a hidden field says nothing."""
        mode = cleaned.get("stakes_mode") or "none"
        if mode == "none":
            return {}
        asked = ["amount", "unit", "commission", "purse_from" if mode == "purse" else "source"]
        if mode != "purse" and cleaned.get("stakes_source") == "tab":
            asked.append("tab_limit")
        usual = Stakes().to_dict() | {"amount": "", "tab_limit": "", "unit": CHIPS}
        return {"mode": mode} | {
            name: cleaned.get(f"stakes_{name}") or usual[name] for name in asked
        }
