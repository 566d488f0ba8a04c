"""People in the administration, with what only this floor can do: merge a guest, anonymise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import journal
from accounts.admin import PersonAdmin
from accounts.asking import WhyForm, ask, page_of
from accounts.models import User
from accounts.refusal import Refusal
from accounts.rights import may_suspend
from games.farewell import say_farewell
from games.merging import merge
from scoring.chip_admin import may_grant

admin.site.unregister(User)
# Lists that can be asked for one person's rows, by the right it takes.
ELSEWHERE = (
    ("games.view_game", _("Their games"), "admin:games_game_changelist"),
    ("scoring.view_scoresheet", _("Their sheets"), "admin:scoring_scoresheet_changelist"),
    ("scoring.view_chipposting", _("Their chips"), "admin:scoring_chipposting_changelist"),
    ("games.view_report", _("Reports about them"), "admin:games_report_changelist"),
)


class MergeForm(WhyForm):
    """The account a guest turned out to have."""

    name = forms.CharField(
        label=_("Name of the account"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "vTextField"}),
    )
    field_order = ("name", "reason")


@admin.register(User)
class PlayerAdmin(PersonAdmin):
    """A person and what they played."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<int:user_id>/merge/", view(self.merge_page), name="accounts_user_merge"),
            path("<int:user_id>/forget/", view(self.forget_page), name="accounts_user_forget"),
            *super().get_urls(),
        ]

    def deeds(self, request: HttpRequest, thing: User) -> Iterator[tuple[Any, str]]:
        yield from super().deeds(request, thing)
        for right, words, where in ELSEWHERE:
            if request.user.has_perm(right):
                yield words, f"{reverse(where)}?player={thing.pk}"
        if may_grant(request) and not (thing.is_guest or thing.bot or thing.deleted_at):
            yield _("Give chips"), reverse("admin:scoring_chips_grant", args=[thing.pk])
        if may_suspend(request.user, thing):
            if thing.is_guest:
                merging = reverse("admin:accounts_user_merge", args=[thing.pk])
                yield _("Merge into an account"), merging
            yield _("Anonymise"), reverse("admin:accounts_user_forget", args=[thing.pk])

    def merge_page(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Give what a guest played to the account they have."""
        guest = self._person(request, user_id)
        form = MergeForm(request.POST or None)
        if form.is_valid():
            name, why = form.cleaned_data["name"], form.cleaned_data["reason"]
            account = User.objects.named(name).first()
            known = guest.username
            try:
                merge(guest.pk, 0 if account is None else account.pk)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                assert account is not None  # noqa: S101 - merge refuses nobody's number
                deed = gettext("Guest %(name)s merged into this account") % {"name": known}
                journal.write(request, [account], deed, why)
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(page_of(account))
        sentence = gettext(
            "The games, sheets, rooms and words of guest %(name)s become the account's, and the "
            "guest is gone. Refused if the two ever sat at one table. This cannot be undone."
        )
        title = gettext("Merge into an account")
        return ask(request, self, form, title, sentence % {"name": guest.username}, title, guest)

    def forget_page(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Anonymise somebody who asked for it."""
        person = self._person(request, user_id)
        form = WhyForm(request.POST or None)
        if form.is_valid():
            try:
                say_farewell(person.pk)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                person.refresh_from_db()
                deed = gettext("Anonymised")
                journal.write(request, [person], deed, form.cleaned_data["reason"])
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(page_of(person))
        sentence = gettext(
            "The account of %(name)s is emptied and shut for good; games being played are given "
            "up. Others keep their sheets and totals. This cannot be undone."
        )
        title = gettext("Anonymise")
        return ask(request, self, form, title, sentence % {"name": person.username}, title, person)
