"""The administration's pages that shut people out and let them in again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import journal, suspensions
from accounts.asking import SuspendForm, WhyForm, ask, page_of, the_one
from accounts.models import SignIn, Suspension, User
from accounts.readonly import ReadOnly
from accounts.refusal import Refusal
from accounts.rights import may_suspend


def shut_out(
    request: HttpRequest, users: Iterable[User], reason: str, until: datetime | None
) -> None:
    """Suspend these people in the name of who asks, and write it in the journal."""
    chosen = list(users)
    suspensions.suspend(chosen, reason, until, request.user)  # type: ignore[arg-type]
    if until is None:
        deed = gettext("Suspended until reinstated")
    else:
        day = date_format(localtime(until), "SHORT_DATETIME_FORMAT")
        deed = gettext("Suspended until %(day)s") % {"day": day}
    journal.write(request, chosen, deed, reason)


class Suspending:
    """Suspend and reinstate, one person on their page or several from the list."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        mine = [
            path("<int:user_id>/suspend/", view(self.suspend_one), name="accounts_user_suspend"),
            path(
                "<int:user_id>/reinstate/", view(self.reinstate_one), name="accounts_user_reinstate"
            ),
        ]
        return [*mine, *super().get_urls()]  # type: ignore[misc]

    def suspension_deeds(self, request: HttpRequest, person: User) -> Iterable[tuple[Any, str]]:
        """What this administrator may do to that person now."""
        if not may_suspend(request.user, person):
            return
        if person.is_active:
            yield _("Suspend"), reverse("admin:accounts_user_suspend", args=[person.pk])
        elif suspensions.of(person.pk) is not None:
            yield _("Reinstate"), reverse("admin:accounts_user_reinstate", args=[person.pk])

    def suspend_one(self, request: HttpRequest, user_id: int) -> HttpResponse:
        person = self._person(request, user_id)
        return self._suspend(request, [person]) or HttpResponseRedirect(page_of(person))

    def reinstate_one(self, request: HttpRequest, user_id: int) -> HttpResponse:
        person = self._person(request, user_id)
        return self._reinstate(request, [person]) or HttpResponseRedirect(page_of(person))

    @admin.action(description=_("Suspend the chosen people"), permissions=["change"])
    def suspend(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        chosen = self._within_reach(request, queryset)
        return self._suspend(request, chosen, _sent("suspend", chosen)) if chosen else None

    @admin.action(description=_("Reinstate the chosen people"), permissions=["change"])
    def reinstate(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        chosen = self._within_reach(request, queryset)
        return self._reinstate(request, chosen, _sent("reinstate", chosen)) if chosen else None

    def _person(self, request: HttpRequest, user_id: int) -> User:
        person = User.objects.filter(pk=user_id).first()
        allowed = person is None or may_suspend(request.user, person)
        found: User = the_one(self, request, user_id, allowed)
        return found

    def _suspend(
        self, request: HttpRequest, chosen: list[User], sent: Any = ()
    ) -> HttpResponse | None:
        """Ask why and until when; do it once that is said."""
        form = SuspendForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            try:
                shut_out(request, chosen, form.cleaned_data["reason"], form.cleaned_data["until"])
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                done = ngettext(
                    "%(count)d person suspended.", "%(count)d people suspended.", len(chosen)
                )
                messages.success(request, done % {"count": len(chosen)})
                return None
        sentence = gettext(
            "Signed out at once, on every device: %(names)s. In a running game their seat counts "
            "as left, and the other may claim the game. What they played stays."
        )
        return self._ask(request, form, gettext("Suspend"), sentence, chosen, sent)

    def _reinstate(
        self, request: HttpRequest, chosen: list[User], sent: Any = ()
    ) -> HttpResponse | None:
        form = WhyForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            why = form.cleaned_data["reason"]
            found = suspensions.reinstate(chosen, request.user)  # type: ignore[arg-type]
            journal.write(request, found, gettext("Reinstated"), why)
            done = ngettext(
                "%(count)d person reinstated.", "%(count)d people reinstated.", len(found)
            )
            messages.success(request, done % {"count": len(found)})
            return None
        sentence = gettext("They may sign in again: %(names)s.")
        return self._ask(request, form, gettext("Reinstate"), sentence, chosen, sent)

    def _ask(
        self, request: HttpRequest, form: WhyForm, deed: str, sentence: str,
        chosen: list[User], sent: Any,
    ) -> HttpResponse:  # fmt: skip
        names = ", ".join(user.username for user in chosen)
        one = chosen[0] if len(chosen) == 1 and not sent else None
        page: Any = self
        return ask(request, page, form, deed, sentence % {"names": names}, deed, one, sent)

    def _within_reach(self, request: HttpRequest, queryset: QuerySet[User]) -> list[User]:
        everyone = list(queryset)
        chosen = [user for user in everyone if may_suspend(request.user, user)]
        if len(chosen) < len(everyone):
            left = gettext("Left alone, yourself, deleted or out of your reach: %d.")
            messages.warning(request, left % (len(everyone) - len(chosen)))
        return chosen


def _sent(action: str, chosen: Iterable[User]) -> list[tuple[str, Any]]:
    """The choice made on the list, sent again with the answer."""
    return [("action", action), *((ACTION_CHECKBOX_NAME, user.pk) for user in chosen)]


class SuspensionInline(ReadOnly, admin.TabularInline):
    model = Suspension
    fk_name = "user"
    fields = ("since", "until", "reason", "by", "ended_at", "ended_by")
    classes = ("collapse",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Suspension]:
        return super().get_queryset(request).select_related("by", "ended_by")


class SignInInline(ReadOnly, admin.TabularInline):
    """The last sign-ins, as many as are kept."""

    model = SignIn
    fields = ("at", "address", "agent")
    classes = ("collapse",)
