"""The administration's corrections: a free line, or a hand that ended otherwise than written."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import journal
from accounts.asking import WhyForm, ask, page_of, the_one
from accounts.refusal import Refusal
from scoring import ledger
from scoring.ledger import SheetReading
from scoring.models import ScoreLine, ScoreSheet
from scoring.rules import HAND_KINDS, HandResult

MOST = 10_000  # points of one correction
TAKEN_OUT = "taken_out"


def may_correct(request: HttpRequest) -> bool:
    """Whether this member of staff may correct sheets; nobody edits a line."""
    return bool(request.user.has_perm("scoring.change_scoresheet"))


def may_be_voided(sheet: ScoreSheet) -> bool:
    """Whether this is a sheet without a game here: one with a game is voided by the game."""
    return sheet.source != ScoreSheet.Source.TABLE and sheet.ended_at is not None


class LineForm(WhyForm):
    """A correction of one player's total."""

    seat = forms.TypedChoiceField(label=_("Player"), coerce=int)
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST,
        max_value=MOST,
        help_text=_("With a minus sign to take points away. They change the total only."),
    )
    field_order = ("seat", "points", "reason")

    def __init__(self, sheet: SheetReading, data: Any) -> None:
        super().__init__(data)
        self.fields["seat"].choices = list(enumerate(sheet.names))  # type: ignore[attr-defined]

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if not points:
            raise forms.ValidationError(gettext("A correction of nothing changes nothing."))
        return points


class HandForm(WhyForm):
    """How a hand really ended."""

    kind = forms.ChoiceField(label=_("How it ended"))
    winner = forms.TypedChoiceField(
        label=_("Won by"),
        coerce=int,
        required=False,
        empty_value=None,
        help_text=_("Whoever scores: of an undercut the defender. Of a void hand nobody."),
    )
    knocker_deadwood = forms.IntegerField(label=_("Deadwood of the knocker"), min_value=0)
    defender_deadwood = forms.IntegerField(label=_("Deadwood of the other"), min_value=0)
    spade = forms.BooleanField(label=_("The upcard was a spade"), required=False)
    field_order = ("kind", "winner", "knocker_deadwood", "defender_deadwood", "spade", "reason")

    def __init__(self, sheet: SheetReading, number: int, data: Any) -> None:
        result = sheet.results[number - 1]
        told = {name: getattr(result, name) for name in self.base_fields if name != "reason"}
        super().__init__(data, initial=told)
        kinds = [(kind, label) for kind, label in ScoreLine.Kind.choices if kind in HAND_KINDS]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            *kinds, ("void", gettext("Void")), (TAKEN_OUT, gettext("Never played: take it out")),
        ]  # fmt: skip
        nobody = ("", gettext("Nobody"))
        self.fields["winner"].choices = [nobody, *enumerate(sheet.names)]  # type: ignore[attr-defined]

    def result(self) -> HandResult | None:
        """The hand as it is now said to have ended; None: it was never played."""
        told = {name: self.cleaned_data[name] for name in self.fields if name != "reason"}
        return None if told["kind"] == TAKEN_OUT else HandResult(**told)


class Correcting:
    """The pages that correct a sheet. What was written stays: lines are added, editions made."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [
            path("<int:number>/line/", view(self.line_page), name="scoring_scoresheet_line"),
            path(
                "<int:number>/hands/<int:hand>/",
                view(self.hand_page),
                name="scoring_scoresheet_hand",
            ),
            path("<int:number>/void/", view(self.void_page), name="scoring_scoresheet_void"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    def line_page(self, request: HttpRequest, number: int) -> HttpResponse:
        """A free line: it changes totals, and never who won."""
        sheet: ScoreSheet = the_one(self, request, number, may_correct(request))
        reading = ledger.read_sheet(sheet.pk)
        form = LineForm(reading, request.POST or None)
        if form.is_valid():
            seat, points, why = (form.cleaned_data[one] for one in ("seat", "points", "reason"))
            try:
                ledger.write_correction(sheet.pk, seat, points, why, request.user.get_username())
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                deed = gettext("Correction: %(points)+d for %(name)s")
                told = deed % {"points": points, "name": reading.names[seat]}
                return self._done(request, sheet, sheet.pk, told, why)
        sentence = gettext(
            "A line is added, with your name and your reason. It changes the total of one player, "
            "never who won, the target or the hands."
        )
        return self._ask(request, form, gettext("Write a correction"), sentence, sheet)

    def hand_page(self, request: HttpRequest, number: int, hand: int) -> HttpResponse:
        """A hand corrected or taken out: a new sheet replaces this one."""
        sheet: ScoreSheet = the_one(self, request, number, may_correct(request))
        reading = ledger.read_sheet(sheet.pk)
        if not 1 <= hand <= len(reading.hands):
            raise Http404
        form = HandForm(reading, hand, request.POST or None)
        if form.is_valid():
            why, result = form.cleaned_data["reason"], form.result()
            between = () if result is None else (result,)
            results = (*reading.results[: hand - 1], *between, *reading.results[hand:])
            try:
                new = ledger.edition(sheet.pk, results)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                told = gettext("Hand %(hand)d corrected: sheet %(new)d replaces sheet %(old)d")
                told %= {"hand": hand, "new": new, "old": sheet.pk}
                return self._done(request, sheet, new, told, why)
        sentence = gettext(
            "A new sheet with this hand replaces the old one, which stays readable. The end of the "
            "game and its bonuses are worked out again."
        )
        title = gettext("Correct hand %(hand)d") % {"hand": hand}
        return self._ask(request, form, title, sentence, sheet)

    def void_page(self, request: HttpRequest, number: int) -> HttpResponse:
        """Let nobody have won a game with real cards, or one brought in, with a reason."""
        sheet: ScoreSheet = the_one(self, request, number, may_correct(request))
        if not may_be_voided(sheet):
            raise Http404
        form = WhyForm(request.POST or None)
        if form.is_valid():
            try:
                new = ledger.void(sheet.pk)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                told = gettext("Declared void: sheet %(new)d replaces sheet %(old)d")
                told %= {"new": new, "old": sheet.pk}
                return self._done(request, sheet, new, told, form.cleaned_data["reason"])
        sentence = gettext(
            "Nobody will have won this game: a new sheet with the same hands replaces this one, "
            "which stays readable."
        )
        return self._ask(request, form, gettext("Declare void"), sentence, sheet)

    def _done(
        self, request: HttpRequest, sheet: ScoreSheet, latest: int, told: str, why: str
    ) -> HttpResponse:
        things = ScoreSheet.objects.filter(pk__in={sheet.pk, latest})
        journal.write(request, things, told, why)
        messages.success(request, f"{told}.")
        return HttpResponseRedirect(page_of(ScoreSheet(pk=latest)))

    def _ask(
        self, request: HttpRequest, form: WhyForm, title: str, sentence: str, sheet: ScoreSheet
    ) -> HttpResponse:
        page: Any = self
        return ask(request, page, form, title, sentence, title, sheet)
