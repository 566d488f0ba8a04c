"""The administration's table of units in which people may see their chips as well."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import journal
from accounts.asking import WhyForm, ask
from accounts.readonly import ReadOnly
from accounts.refusal import Refusal
from scoring import chips
from scoring.models import UnitRate


class RateForm(WhyForm):
    """What a chip would be worth in a unit."""

    unit = forms.ChoiceField(label=_("Unit"), choices=UnitRate.Unit.choices)
    per_chip = forms.DecimalField(
        label=_("For one chip"),
        max_digits=12,
        decimal_places=6,
        min_value=0,
        localize=True,
        help_text=_("0 takes the unit out of the table."),
    )
    field_order = ("unit", "per_chip", "reason")


def plain(rate: Decimal) -> str:
    """A rate as its reader writes it, without the zeros behind it."""
    return number_format(Decimal(f"{rate.normalize():f}"))


@admin.register(UnitRate)
class UnitRateAdmin(ReadOnly, admin.ModelAdmin):
    """In which units people may see their chips as well. No amount is ever kept in them."""

    list_display = ("unit", "worth")
    list_display_links = None

    @admin.display(description=_("For one chip"), ordering="per_chip")
    def worth(self, rate: UnitRate) -> str:
        return plain(rate.per_chip)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        told = {"title": gettext("What a chip would be worth")}
        return super().changelist_view(request, {**(extra_context or {}), **told})

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("scoring.change_unitrate"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Put a unit into the table, change its rate, or take it out."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = RateForm(request.POST or None)
        if form.is_valid():
            unit, per_chip = form.cleaned_data["unit"], form.cleaned_data["per_chip"]
            try:
                chips.set_rate(unit, per_chip)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                told = {"unit": UnitRate.Unit(unit).label, "rate": plain(per_chip)}
                deed = gettext("A chip is worth %(rate)s %(unit)s") % told
                if not per_chip:
                    deed = gettext("Chips are not shown in %(unit)s any more") % told
                things = UnitRate.objects.filter(unit=unit)
                journal.write(request, things, deed, form.cleaned_data["reason"])
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(reverse("admin:scoring_unitrate_changelist"))
        sentence = gettext(
            "People may choose to see their chips in this unit as well. It is for the eye alone: "
            "no real money moves."
        )
        title = gettext("Set a rate")
        return ask(request, self, form, title, sentence, title)
