"""Score sheets in the admin: to read, and to correct by new lines and new editions alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

# Imported so that these are registered with the rest.
import scoring.chip_admin
import scoring.rate_admin  # noqa: F401
from accounts import names
from accounts.asking import WithDeeds
from accounts.played import ID_DIGITS, OfAPerson
from accounts.readonly import ReadOnly
from scoring.correcting import Correcting, may_be_voided, may_correct
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat
from scoring.rules import UNDONE


def at_seat(sheet: ScoreSheet, seat: int | None) -> str:
    """Who sits there, by the name on the sheet."""
    return next((one.name for one in sheet.seats.all() if one.seat == seat), "–")


def named(column: str) -> Subquery:
    """The same of a row that hangs on a sheet, in the statement that reads it."""
    seats = SheetSeat.objects.filter(sheet=OuterRef("sheet"), seat=OuterRef(column))
    return Subquery(seats.values("name")[:1])


class SeatInline(ReadOnly, admin.TabularInline):
    model = SheetSeat
    fields = ["name", "kind", "user"]
    ordering = ("seat",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SheetSeat]:
        return super().get_queryset(request).select_related("user")


class LineInline(ReadOnly, admin.TabularInline):
    model = ScoreLine
    fields = ["hand", "who", "kind", "base", "bonus", "multiplier", "points", "reason", "author"]
    readonly_fields = ["who", "points"]

    @admin.display(description=_("player"))
    def who(self, line: Any) -> str:
        return str(line.name)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoreLine]:
        return super().get_queryset(request).annotate(name=named("seat"))


class HandInline(ReadOnly, admin.TabularInline):
    """How each hand ended, and the way to the page that corrects it."""

    model = SheetHand
    readonly_fields = ["won_by", "correct"]
    told = ("number", "kind", "won_by", "knocker_deadwood", "defender_deadwood", "spade")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*self.told, "correct") if may_correct(request) else self.told

    @admin.display(description=_("won by"))
    def won_by(self, hand: Any) -> str:
        return hand.name or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SheetHand]:
        return super().get_queryset(request).annotate(name=named("winner"))

    @admin.display(description=_("correction"))
    def correct(self, hand: SheetHand) -> str:
        page = reverse("admin:scoring_scoresheet_hand", args=[hand.sheet_id, hand.number])
        return format_html('<a href="{}">{}</a>', page, gettext("Correct"))


class SheetsOfAPerson(OfAPerson):
    path = "seats__user_id"


class LateFilter(admin.SimpleListFilter):
    """Games that are over whose bonuses nobody has written yet."""

    title = _("bonuses")
    parameter_name = "bonuses"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("late", pgettext_lazy("bonuses", "Still to be written"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "late":
            return queryset.filter(ended_at__isnull=False, bonuses_at=None)
        return queryset


@admin.register(ScoreSheet)
class ScoreSheetAdmin(ReadOnly, WithDeeds, Correcting, admin.ModelAdmin):
    list_display = ["id", "players", "source", "started_at", "how", "ended_at", "bonuses_at"]
    list_filter = [SheetsOfAPerson, "source", "how", LateFilter, "started_at"]
    search_fields = ["seats__name"]
    search_help_text = _("A number, or the name of a player in any case")
    date_hierarchy = "started_at"
    list_select_related = False
    show_full_result_count = False
    ordering = ["-id"]
    inlines = [SeatInline, HandInline, LineInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoreSheet]:
        return super().get_queryset(request).prefetch_related("seats")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ScoreSheet], search_term: str
    ) -> tuple[QuerySet[ScoreSheet], bool]:
        for word in search_term.split():
            seats = SheetSeat.objects.filter(sheet=OuterRef("pk"))
            named = Q(name__icontains=word) | Q(user__name_key__contains=names.key(word))
            found = Q(Exists(seats.filter(named)))
            if word.isascii() and word.isdigit() and len(word) <= ID_DIGITS:
                found |= Q(pk=int(word))
            queryset = queryset.filter(found)
        return queryset, False

    def deeds(self, request: HttpRequest, thing: ScoreSheet) -> Iterator[tuple[Any, str]]:
        yield _("Read the sheet"), f"/sheets/{thing.pk}/"
        if may_correct(request):
            yield _("Write a correction"), reverse("admin:scoring_scoresheet_line", args=[thing.pk])
            if may_be_voided(thing) and thing.how not in UNDONE:
                yield _("Declare void"), reverse("admin:scoring_scoresheet_void", args=[thing.pk])

    @admin.display(description=_("first dealer"))
    def dealt_first(self, sheet: ScoreSheet) -> str:
        return at_seat(sheet, sheet.first_dealer)

    @admin.display(description=_("ended by"))
    def ended_by_whom(self, sheet: ScoreSheet) -> str:
        return at_seat(sheet, sheet.ended_by)

    @admin.display(description=_("players"))
    def players(self, sheet: ScoreSheet) -> str:
        return " – ".join(seat.name for seat in sheet.seats.all())
