"""Rooms, games and reports in the admin: read, never edited. The deck of a hand is never shown.

A report can be settled, and opened again; from it the person reported is one click away.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games import talk
from games.models import Game, GameSeat, Hand, Member, Report, Room, Table
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


class SettledFilter(admin.SimpleListFilter):
    """Reports somebody still has to look at, and those settled."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("To look at")), ("settled", _("Settled"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() in ("open", "settled"):
            return queryset.filter(settled_at__isnull=self.value() == "open")
        return queryset


@admin.register(Report)
class ReportAdmin(ReadOnly, admin.ModelAdmin):
    """What players reported, with the lines before it. The message itself is marked."""

    list_display = ("id", "reported_at", "said", "reported", "reporter", "room", "settled_at")
    list_filter = (SettledFilter, "reported_at")
    list_select_related = ("reported", "reporter", "room")
    search_fields = ("reported__username", "reporter__username", "room__name", "reason")
    date_hierarchy = "reported_at"
    ordering = ("-id",)
    fields = ("person", "reporter", "room", "reason", "context", "reported_at", "settled_at")
    readonly_fields = ("person", "context")
    actions = ("settle", "open_again")

    def has_settle_permission(self, request: HttpRequest) -> bool:
        """Settling changes a report, so it asks for the right to."""
        return bool(request.user.has_perm("games.change_report"))

    @admin.action(description=_("Settle the selected reports"), permissions=["settle"])
    def settle(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        self._note(request, talk.settle(_ids(queryset)), gettext("Report settled"))

    @admin.action(description=_("Open the selected reports again"), permissions=["settle"])
    def open_again(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        self._note(request, talk.settle(_ids(queryset), False), gettext("Report opened again"))

    def _note(self, request: HttpRequest, changed: list[Report], deed: str) -> None:
        for report in changed:
            self.log_change(request, report, deed)
        count = len(changed)
        done = ngettext("%(count)d report changed.", "%(count)d reports changed.", count)
        self.message_user(request, done % {"count": count})

    @admin.display(description=_("message"))
    def said(self, report: Report) -> str:
        return str(report.lines[-1]["text"])[:80] if report.lines else ""

    @admin.display(description=_("person reported"))
    def person(self, report: Report) -> str:
        """With a link: the person's page is where suspending them is done."""
        if report.reported is None:
            return "…"
        page = reverse("admin:accounts_user_change", args=[report.reported.pk])
        return format_html('<a href="{}">{}</a>', page, report.reported.username)

    @admin.display(description=_("last lines"))
    def context(self, report: Report) -> str:
        """The lines as they were, the one reported last and in bold."""
        last = len(report.lines) - 1
        rows = (
            (_moment(line["at"]), line["name"], line["text"]) for line in report.lines[:last]
        )
        marked = ((_moment(line["at"]), line["name"], line["text"]) for line in report.lines[last:])
        return format_html(
            "<ol>{}{}</ol>",
            format_html_join("", "<li>{} <b>{}</b> : {}</li>", rows),
            format_html_join("", "<li><strong>{} {} : {}</strong></li>", marked),
        )


def _moment(text: str) -> str:
    moment = parse_datetime(text)
    return "" if moment is None else date_format(localtime(moment), "SHORT_DATETIME_FORMAT")


def _ids(reports: QuerySet[Report]) -> list[int]:
    return [report.pk for report in reports]
