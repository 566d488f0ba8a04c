"""Rooms and games in the administration: found, read, a game declared void.

The deck of a hand is never shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# Imported so that these are registered with the rest.
import games.people_admin
import games.report_admin
import games.sheet_admin  # noqa: F401
from accounts import journal, names
from accounts.asking import WhyForm, WithDeeds, ask, page_of, the_one
from accounts.played import ID_DIGITS, OfAPerson
from accounts.readonly import ReadOnly
from accounts.refusal import Refusal
from games import table
from games.models import Game, GameSeat, Hand, Member, Room, Table
from games.presets import agreed
from games.stakes import agreed as stakes_agreed


class MemberInline(ReadOnly, admin.TabularInline):
    model = Member
    fields = readonly_fields = ("who", "joined_at")

    @admin.display(description=_("member"))
    def who(self, member: Member) -> str:
        return member.user.username

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        return super().get_queryset(request).select_related("user")


class TableInline(ReadOnly, admin.TabularInline):
    model = Table
    fields = readonly_fields = ("number", "opened_at")
    show_change_link = False


class RoomsOfAPerson(OfAPerson):
    title = _("member")
    path = "members__user_id"


@admin.register(Room)
class RoomAdmin(ReadOnly, WithDeeds, admin.ModelAdmin):
    # The invitation and the code stay out: reading them here would be a way into any room.
    list_display = ("name", "owner", "is_public", "pace", "guests", "spectators", "opened_at")
    list_filter = (RoomsOfAPerson, "is_public", "pace", "guests", "opened_at")
    list_select_related = ("owner",)
    search_fields = ("name",)
    search_help_text = _("The name of the room, or of a member in any case")
    date_hierarchy = "opened_at"
    fields = (
        "name", "owner", "is_public", "pace", "guests", "spectators", "agreed", "staked",
        "opened_at",
    )  # fmt: skip
    readonly_fields = ("agreed", "staked")
    inlines = (MemberInline, TableInline)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Room], search_term: str
    ) -> tuple[QuerySet[Room], bool]:
        for word in search_term.split():
            members = Member.objects.filter(room=OuterRef("pk"))
            named = Exists(members.filter(user__name_key__contains=names.key(word)))
            queryset = queryset.filter(Q(name__icontains=word) | Q(named))
        return queryset, False

    @admin.display(description=_("rules"))
    def agreed(self, room: Room) -> str:
        return agreed(room.rules)

    @admin.display(description=_("stakes"))
    def staked(self, room: Room) -> str:
        return stakes_agreed(room.stakes, room.rules)

    def deeds(self, request: HttpRequest, thing: Room) -> Iterator[tuple[Any, str]]:
        if request.user.has_perm("games.view_game"):
            yield _("Its games"), f"{reverse('admin:games_game_changelist')}?room={thing.pk}"


class SeatInline(ReadOnly, admin.TabularInline):
    model = GameSeat
    fields = readonly_fields = ("seat", "who")

    @admin.display(description=_("player"))
    def who(self, seat: GameSeat) -> Any:
        if seat.user is None:
            return "…"
        return format_html('<a href="{}">{}</a>', page_of(seat.user), seat.user.username)

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameSeat]:
        return super().get_queryset(request).select_related("user")


class HandInline(ReadOnly, admin.TabularInline):
    model = Hand
    fields = ("number", "dealer", "dealt_at", "ended_at")


STATES: dict[str, tuple[Any, Q]] = {
    "waiting": (_("Waiting"), Q(started_at=None)),
    "playing": (
        _("Being played"),
        Q(started_at__isnull=False, ended_at=None, clock__adjourned_at=None),
    ),
    "adjourned": (_("Adjourned"), Q(ended_at=None, clock__adjourned_at__isnull=False)),
    "overdue": (
        _("Clock overdue"), Q(ended_at=None, clock__deadline__lt=Now() - timedelta(minutes=1)),
    ),
    "over": (_("Over"), Q(ended_at__isnull=False)),
    "void": (
        _("Voided"),
        Q(sheet__how="voided")
        | Q(sheet__editions__how="voided", sheet__editions__replaced_by=None),
    ),
}


class StateFilter(admin.SimpleListFilter):
    """Waiting for players, being played, put aside, over, declared void."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(name, said) for name, (said, _asked) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        state = STATES.get(self.value() or "")
        if state is None:
            return queryset
        return queryset.filter(pk__in=Game.objects.filter(state[1]).values("pk"))


class GamesOfAPerson(OfAPerson):
    path = "seats__user_id"


class RoomFilter(admin.SimpleListFilter):
    """``?room=`` and a number: its games, where a room was asked for."""

    title = _("room")
    parameter_name = "room"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(room.pk), room.name) for room in Room.objects.filter(pk=self._number())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(table__room_id=self._number()) if self.value() else queryset

    def _number(self) -> int:
        asked = self.value() or ""
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= ID_DIGITS else 0


@admin.register(Game)
class GameAdmin(ReadOnly, WithDeeds, admin.ModelAdmin):
    list_display = ("id", "room", "players", "started_at", "ended_at")
    list_filter = (GamesOfAPerson, RoomFilter, StateFilter, "started_at")
    list_select_related = ("table__room",)
    search_fields = ("table__room__name",)
    search_help_text = _("The name of a player in any case, or of the room")
    date_hierarchy = "opened_at"
    show_full_result_count = False
    ordering = ("-id",)
    fields = ("room", "number", "agreed", "opened_at", "started_at", "ended_at")
    readonly_fields = ("room", "agreed")
    inlines = (SeatInline, HandInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).prefetch_related("seats__user")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        for word in search_term.split():
            seats = GameSeat.objects.filter(game=OuterRef("pk"))
            played = Exists(seats.filter(user__name_key__contains=names.key(word)))
            queryset = queryset.filter(Q(table__room__name__icontains=word) | Q(played))
        return queryset, False

    @admin.display(description=_("room"))
    def room(self, game: Game) -> str:
        return f"{game.table.room.name} · {game.table.number}"

    @admin.display(description=_("rules"))
    def agreed(self, game: Game) -> str:
        return agreed(game.rules)

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        seats = sorted(game.seats.all(), key=lambda seat: seat.seat)
        return ", ".join(seat.user.username if seat.user else "…" for seat in seats)

    # --- declaring a game void

    def get_urls(self) -> list[URLPattern]:
        void = self.admin_site.admin_view(self.void)
        return [path("<int:number>/void/", void, name="games_game_void"), *super().get_urls()]

    def deeds(self, request: HttpRequest, thing: Game) -> Iterator[tuple[Any, str]]:
        if thing.sheet_id is not None and request.user.has_perm("scoring.view_scoresheet"):
            sheet = reverse("admin:scoring_scoresheet_change", args=[thing.sheet_id])
            yield _("Its sheet"), sheet
        if thing.sheet_id is not None and request.user.has_perm("games.change_game"):
            yield _("Declare void"), reverse("admin:games_game_void", args=[thing.pk])

    def void(self, request: HttpRequest, number: int) -> HttpResponse:
        """Let nobody have won this game, with a reason."""
        game: Game = self._game(request, number)
        form = WhyForm(request.POST or None)
        if form.is_valid():
            try:
                table.void(game.pk)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                deed = gettext("Game declared void")
                journal.write(request, [game], deed, form.cleaned_data["reason"])
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(page_of(game))
        sentence = gettext(
            "Nobody will have won this game. If it is being played it ends at once, and its open "
            "hand counts for nothing. What was written stays readable."
        )
        title = gettext("Declare void")
        return ask(request, self, form, title, sentence, title, game)

    def _game(self, request: HttpRequest, number: int) -> Game:
        game: Game = the_one(self, request, number, request.user.has_perm("games.change_game"))
        return game
