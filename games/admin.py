"""Rooms and games in the admin: read, never edited. The deck of a hand is never shown."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Game, GameSeat, Hand, Member, Room, Table
from scoring.admin import ReadOnly


class MemberInline(ReadOnly, admin.TabularInline):
    model = Member
    fields = readonly_fields = ("user", "joined_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        return super().get_queryset(request).select_related("user")


class TableInline(ReadOnly, admin.TabularInline):
    model = Table
    fields = readonly_fields = ("number", "opened_at")
    show_change_link = False


@admin.register(Room)
class RoomAdmin(ReadOnly, admin.ModelAdmin):
    # The invitation and the code stay out: reading them here would be a way into any room.
    list_display = ("name", "owner", "is_public", "opened_at")
    list_filter = ("is_public",)
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username", "members__user__username")
    date_hierarchy = "opened_at"
    fields = ("name", "owner", "is_public", "rules", "opened_at")
    inlines = (MemberInline, TableInline)


class SeatInline(ReadOnly, admin.TabularInline):
    model = GameSeat
    fields = ("seat", "user")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameSeat]:
        return super().get_queryset(request).select_related("user")


class HandInline(ReadOnly, admin.TabularInline):
    model = Hand
    fields = ("number", "dealer", "dealt_at", "ended_at")


class StateFilter(admin.SimpleListFilter):
    """Waiting for players, being played, over."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("waiting", _("Waiting")), ("playing", _("Being played")), ("over", _("Over"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        if self.value() == "waiting":
            return queryset.filter(started_at=None)
        if self.value() == "playing":
            return queryset.filter(started_at__isnull=False, ended_at=None)
        if self.value() == "over":
            return queryset.filter(ended_at__isnull=False)
        return queryset


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "room", "players", "started_at", "ended_at")
    list_filter = (StateFilter, "started_at")
    list_select_related = ("table__room",)
    search_fields = ("seats__user__username", "table__room__name")
    date_hierarchy = "opened_at"
    fields = ("table", "number", "rules", "sheet", "opened_at", "started_at", "ended_at")
    inlines = (SeatInline, HandInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).prefetch_related("seats__user")

    @admin.display(description=_("room"))
    def room(self, game: Game) -> str:
        return f"{game.table.room.name} · {game.table.number}"

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        seats = sorted(game.seats.all(), key=lambda seat: seat.seat)
        return ", ".join(seat.user.username if seat.user else "…" for seat in seats)
