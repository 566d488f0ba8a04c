"""Reports in the administration: what was said, and what is done about it, in one click each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts import journal
from accounts.asking import REASON_LENGTH, page_of
from accounts.played import OfAPerson
from accounts.readonly import ReadOnly
from accounts.refusal import Refusal
from accounts.rights import may_suspend, may_touch
from accounts.suspending import shut_out
from games import silences, talk
from games.models import Report, Silence

DAYS = ((1, _("1 day")), (7, _("1 week")), (30, _("1 month")))


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


class ReportsOfAPerson(OfAPerson):
    title = _("person reported")
    path = "reported_id"


@admin.register(Report)
class ReportAdmin(ReadOnly, admin.ModelAdmin):
    """What players reported, with the lines before it. The message itself is marked."""

    change_form_template = "admin/report.html"
    list_display = ("id", "reported_at", "said", "person", "by", "place", "settled_at")
    list_filter = (ReportsOfAPerson, SettledFilter, "reported_at")
    list_select_related = ("reported", "reporter", "room")
    search_fields = ("reported__username", "reporter__username", "room__name", "reason")
    date_hierarchy = "reported_at"
    ordering = ("-id",)
    fields = ("person", "by", "place", "reason", "context", "reported_at", "settled_at")
    readonly_fields = ("person", "by", "place", "context")
    actions = ("settle", "open_again")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).select_related("reported", "reporter", "room")

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
        journal.write(request, changed, deed)
        count = len(changed)
        done = ngettext("%(count)d report changed.", "%(count)d reports changed.", count)
        self.message_user(request, done % {"count": count})

    # --- one click each, from the report itself

    def get_urls(self) -> list[URLPattern]:
        act = self.admin_site.admin_view(require_POST(self.act))
        return [path("<int:number>/act/", act, name="games_report_act"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        report = context["original"]
        if self.has_settle_permission(request) and report.settled_at is None:
            reason = gettext("Report %(number)d: %(reason)s") % {
                "number": report.pk, "reason": report.reason,
            }  # fmt: skip
            context |= {
                "days": DAYS,
                "reason": reason[:REASON_LENGTH].rstrip(":\u00a0 "),
                "may_mute": _may_mute(request, report),
                "may_suspend": may_suspend(request.user, report.reported),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def act(self, request: HttpRequest, number: int) -> HttpResponse:
        """Mute, suspend or dismiss, as the button says; each settles the report."""
        if not self.has_settle_permission(request):
            raise PermissionDenied
        report = self.get_object(request, str(number))
        if report is None:
            raise Http404
        deeds: dict[str, Callable[..., str]] = {
            "mute": self._mute, "suspend": self._suspend, "dismiss": self._dismiss,
        }  # fmt: skip
        deed = deeds.get(request.POST.get("do", ""))
        if deed is None:
            raise Http404
        reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]
        days = request.POST.get("days", "")
        lasts = dict(DAYS)[int(days)] if days in [str(one) for one, _name in DAYS] else None
        until = timezone.now() + timedelta(days=int(days)) if lasts is not None else None
        try:
            done = deed(request, report, reason, until)
        except Refusal as refusal:
            messages.error(request, gettext(refusal.sentence) % refusal.params)
        else:
            talk.settle([report.pk])
            journal.write(request, [report], done, reason)
            messages.success(request, f"{done}.")
        return HttpResponseRedirect(page_of(report))

    def _mute(
        self, request: HttpRequest, report: Report, reason: str, until: datetime | None
    ) -> str:
        if report.reported is None or not _may_mute(request, report):
            raise PermissionDenied
        until = until or timezone.now() + timedelta(days=DAYS[0][0])
        silences.silence(report.reported.pk, reason, until, request.user.pk)
        told = {"name": report.reported.username, "day": _day(until)}
        done = gettext("%(name)s is muted until %(day)s") % told
        journal.write(request, [report.reported], done, reason)
        return done

    def _suspend(
        self, request: HttpRequest, report: Report, reason: str, until: datetime | None
    ) -> str:
        if report.reported is None or not may_suspend(request.user, report.reported):
            raise PermissionDenied
        shut_out(request, [report.reported], reason, until)
        name = report.reported.username
        if until is None:
            return gettext("%(name)s is suspended until reinstated") % {"name": name}
        return gettext("%(name)s is suspended until %(day)s") % {"name": name, "day": _day(until)}

    def _dismiss(self, *_asked: Any) -> str:
        return gettext("Report dismissed")

    # --- what is shown of it

    @admin.display(description=_("reported by"), ordering="reporter")
    def by(self, report: Report) -> str:
        return report.reporter.username if report.reporter else "…"

    @admin.display(description=_("room"), ordering="room")
    def place(self, report: Report) -> str:
        return report.room.name

    @admin.display(description=_("message"))
    def said(self, report: Report) -> str:
        return str(report.lines[-1]["text"])[:80] if report.lines else ""

    @admin.display(description=_("person reported"))
    def person(self, report: Report) -> str:
        if report.reported is None:
            return "…"
        page = page_of(report.reported)
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


@admin.register(Silence)
class SilenceAdmin(ReadOnly, admin.ModelAdmin):
    """Who is muted, until when and why; letting somebody speak again is an action."""

    list_display = ("user", "since", "until", "reason", "by")
    list_select_related = ("user", "by")
    search_fields = ("user__username", "reason")
    ordering = ("-until",)
    fields = ("user", "since", "until", "reason", "by")
    actions = ("lift",)

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.change_report"))

    @admin.action(description=_("Let the selected people write again"), permissions=["lift"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Silence]) -> None:
        chosen = [each.user for each in queryset.select_related("user")]
        for person in chosen:
            silences.lift(person.pk)
        journal.write(request, chosen, gettext("May write again"))
        done = ngettext("%(count)d person may write.", "%(count)d people may write.", len(chosen))
        self.message_user(request, done % {"count": len(chosen)})


def _may_mute(request: HttpRequest, report: Report) -> bool:
    return report.reported is not None and may_touch(request.user, report.reported)


def _moment(text: str) -> str:
    moment = parse_datetime(text)
    return "" if moment is None else _day(moment)


def _day(moment: datetime) -> str:
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT")


def _ids(reports: QuerySet[Report]) -> list[int]:
    return [report.pk for report in reports]
