"""Forgotten passwords in the administration: who waits for a link, a button each."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import forgotten, journal
from accounts.models import ResetRequest
from accounts.readonly import ReadOnly


@admin.register(ResetRequest)
class ForgottenAdmin(ReadOnly, admin.ModelAdmin):
    """Who asked for a link, oldest first; for whoever may change people, within their reach."""

    list_display = ("user", "when", "buttons")
    list_display_links = None
    fields = ("user", "asked_at")
    show_full_result_count = False

    class Media:
        css = {"all": ("css/office.css",)}

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        told = {"title": gettext("Forgotten passwords")}
        return super().changelist_view(request, {**(extra_context or {}), **told})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("accounts.change_user"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[ResetRequest]:
        return forgotten.waiting_for(request.user)  # type: ignore[arg-type]

    def get_urls(self) -> list[URLPattern]:
        dismiss = self.admin_site.admin_view(self.dismiss)
        return [
            path("<int:user_id>/dismiss/", dismiss, name="accounts_resetrequest_dismiss"),
            *super().get_urls(),
        ]

    @admin.display(description=_("asked"), ordering="asked_at")
    def when(self, asked: ResetRequest) -> str:
        return date_format(localtime(asked.asked_at), "SHORT_DATETIME_FORMAT")

    @admin.display(description="")
    def buttons(self, asked: ResetRequest) -> str:
        """Sent with the form of the list, so that a link followed by mistake does nothing."""
        row = '<button class="button" formmethod="post" formaction="{}">{}</button> '
        link = reverse("admin:accounts_user_reset_link", args=[asked.user_id])
        drop = reverse("admin:accounts_resetrequest_dismiss", args=[asked.user_id])
        made = format_html(row, link, gettext("Make the link"))
        return made + format_html(row, drop, gettext("Dismiss"))

    def dismiss(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Drop a request nobody stands behind."""
        if request.method != "POST":
            raise Http404
        asked = get_object_or_404(self.get_queryset(request), user_id=user_id)
        forgotten.settle(user_id)
        deed = gettext("Request for a link to choose a new password dismissed")
        journal.write(request, [asked.user], deed)
        messages.success(request, f"{deed}.")
        return HttpResponseRedirect(reverse("admin:accounts_resetrequest_changelist"))
