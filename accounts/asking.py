"""What pages of the administration share: deeds as buttons, and the page that asks why first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.refusal import Refusal

REASON_LENGTH = 300


class WhyForm(forms.Form):
    """Why something is done: it stands in the journal."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("It stands in the journal of the administration."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal above the form."""
        self.add_error(None, gettext(refusal.sentence) % refusal.params)


class SuspendForm(WhyForm):
    """Why somebody is shut out, and the last day of it."""

    until = forms.DateField(
        label=_("Until the end of"),
        required=False,
        help_text=_("Left empty: until somebody reinstates them."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def clean_until(self) -> datetime | None:
        """The end of that day, where the reader is."""
        day: date | None = self.cleaned_data["until"]
        if day is None:
            return None
        if day < timezone.localdate():
            raise forms.ValidationError(gettext("This day is past."))
        if day > timezone.localdate() + timedelta(days=3650):
            raise forms.ValidationError(gettext("Leave it empty, or choose an earlier day."))
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))


class WithDeeds:
    """A page of one thing with its deeds as buttons: ``deeds`` gives their words and addresses."""

    change_form_template: Any = "admin/deeds.html"

    def deeds(self, request: HttpRequest, thing: Any) -> Iterable[tuple[Any, str]]:
        return ()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        thing = context.get("original") or kwargs.get("obj")
        context["deeds"] = list(self.deeds(request, thing)) if thing is not None else []
        answer: HttpResponse = super().render_change_form(  # type: ignore[misc]
            request, context, *args, **kwargs
        )
        return answer


def the_one(page: Any, request: HttpRequest, number: int, allowed: bool) -> Any:
    """The thing a deed is about, for who may do it."""
    if not allowed:
        raise PermissionDenied
    thing = page.get_object(request, str(number))
    if thing is None:
        raise Http404
    return thing


def page_of(thing: Model) -> str:
    """Where the administration shows this."""
    meta = thing._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[thing.pk])


def ask(
    request: HttpRequest,
    page: admin.ModelAdmin,
    form: forms.Form,
    title: str,
    sentence: str,
    button: str,
    thing: Model | None = None,
    sent: Sequence[tuple[str, Any]] = (),
) -> TemplateResponse:
    """The page that says what will happen and asks what must be known first.

    ``sent``: what comes along unseen, as the chosen rows of a list.
    """
    context = {
        **page.admin_site.each_context(request),
        "title": title,
        "sentence": sentence,
        "button": button,
        "form": form,
        "opts": page.opts,
        "original": thing,
        "sent": sent,
    }
    return TemplateResponse(request, "admin/ask.html", context)
