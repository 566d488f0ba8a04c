"""Score sheets in the admin: to read, never to edit."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat


class ReadOnly:
    """The ledger is the only writer, so nobody adds, changes or deletes here.

    What is not shown cannot be fished for either: a filter in the address asks shown fields only.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        shown = {"id", "pk", *self.list_display, *(self.fields or ())}  # type: ignore[attr-defined]
        filters = self.list_filter  # type: ignore[attr-defined]
        shown |= {each.parameter_name for each in filters if hasattr(each, "parameter_name")}
        asked = lookup.split("__")[0]
        allowed: bool = super().lookup_allowed(lookup, value, request)  # type: ignore[misc]
        return asked in shown and allowed

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = SheetSeat
    fields = ["seat", "name", "kind", "user"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SheetSeat]:
        return super().get_queryset(request).select_related("user")


class LineInline(ReadOnly, admin.TabularInline):
    model = ScoreLine
    fields = ["hand", "seat", "kind", "base", "bonus", "multiplier", "points", "reason", "author"]
    readonly_fields = ["points"]


class HandInline(ReadOnly, admin.TabularInline):
    model = SheetHand
    fields = ["number", "kind", "winner", "knocker_deadwood", "defender_deadwood", "spade"]


@admin.register(ScoreSheet)
class ScoreSheetAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["id", "players", "source", "started_at", "how", "ended_at", "bonuses_at"]
    list_filter = ["source", "how", "started_at"]
    search_fields = ["=id", "seats__name", "seats__user__username"]
    date_hierarchy = "started_at"
    list_select_related = False
    ordering = ["-id"]
    inlines = [SeatInline, HandInline, LineInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoreSheet]:
        return super().get_queryset(request).prefetch_related("seats")

    @admin.display(description=_("players"))
    def players(self, sheet: ScoreSheet) -> str:
        return " – ".join(seat.name for seat in sheet.seats.all())
