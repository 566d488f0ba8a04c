"""The administration's journal: who did what to whom, when and why. Django's own log holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.readonly import ReadOnly


def write(request: HttpRequest, things: Iterable[Model], deed: str, why: str = "") -> None:
    """Write down what somebody of the staff has just done to each of these, and their reason."""
    said = gettext("%(deed)s. Reason: %(why)s") % {"deed": deed, "why": why} if why else deed
    for thing in things:
        LogEntry.objects.log_actions(
            user_id=request.user.pk or 0,
            queryset=[thing],
            action_flag=CHANGE,
            change_message=said,
            single_object=True,
        )


@admin.register(LogEntry)
class JournalAdmin(ReadOnly, admin.ModelAdmin):
    """Everything anybody did here, newest first; for superusers, and who was given the right."""

    list_display = ("action_time", "user", "content_type", "thing", "deed")
    list_display_links = None
    list_filter = ("action_time",)
    list_select_related = ("user", "content_type")
    search_fields = ("user__username", "object_repr", "change_message")
    date_hierarchy = "action_time"
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return super().get_queryset(request).order_by("-action_time", "-pk")

    @admin.display(description=_("object"))
    def thing(self, entry: LogEntry) -> Any:
        where = entry.get_admin_url()
        if not where or entry.is_deletion():
            return entry.object_repr
        return format_html('<a href="{}">{}</a>', where, entry.object_repr)

    @admin.display(description=_("what, and why"))
    def deed(self, entry: LogEntry) -> str:
        return entry.get_change_message() or str(entry.get_action_flag_display())
