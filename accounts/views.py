"""Doors for people: signing up, the account page, the reset page, the first administrator."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts import address_doors, addresses, forgotten, letters, names, people
from accounts.adapter import speak
from accounts.forms import AccountForm, FirstAdminForm, ForgottenForm, TableSettingsForm
from accounts.models import User
from accounts.refusal import Refusal
from accounts.ways import way_back


class SignUp(allauth_views.SignupView):
    """allauth's page; a name lost to somebody else in the same instant is a plain refusal."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            answer = super().form_valid(form)
            address_doors.ask(self.request, self.user)
            return answer
        except people.NameTaken as refusal:
            form.tell(refusal)
            return self.form_invalid(form)


class ResetPassword(allauth_views.PasswordResetView):
    """allauth's page. Without a mail server the host sees who waits, and hands the link over."""

    def get_form_class(self) -> Any:
        return super().get_form_class() if settings.SENDS_MAIL else ForgottenForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, sends_mail=settings.SENDS_MAIL)

    def form_valid(self, form: Any) -> HttpResponse:
        if settings.SENDS_MAIL:
            return super().form_valid(form)
        name = form.cleaned_data["username"]
        many = ratelimit.consume_or_429(
            self.request, action="reset_password", key=f"name:{names.key(name)}"
        )
        if many:
            return many
        forgotten.ask(name)
        return HttpResponseRedirect(self.get_success_url())


class ResetAsked(allauth_views.PasswordResetDoneView):
    """What happens next: the same words whether or not the name or the address is known."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, sends_mail=settings.SENDS_MAIL)


@never_cache
@login_required
@sensitive_post_parameters("password")
def account(request: HttpRequest) -> HttpResponse:
    """One's own account: seen, and changed."""
    user = User.objects.get(pk=request.user.pk or 0)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        try:
            people.keep(form.instance)
        except Refusal as refusal:
            form.tell(refusal)
        else:
            messages.success(request, _("Your account is up to date."))
            if form.instance.email != form.kept_email:
                _tell_of_address(request, form.instance, form.kept_email)
            answer = redirect("accounts:account")
            speak(answer, form.instance.language)
            return answer
    looks = TableSettingsForm(instance=people.table_settings_of(user.pk))
    wish = letters.wanted(user.pk) if settings.WRITES_LETTERS else None
    shown = {
        "form": form, "looks": looks, "wish": wish,
        "sends_mail": settings.SENDS_MAIL, "confirmed": user.email_confirmed,
    }  # fmt: skip
    return render(request, "accounts/account.html", shown)


def _tell_of_address(request: HttpRequest, user: User, old: str) -> None:
    """Ask at the new address whether it is theirs, and say at the old one that it went."""
    if settings.SENDS_MAIL:
        addresses.tell_changed(user, old)
        address_doors.ask(request, user)


@login_required
@require_POST
def table_settings(request: HttpRequest) -> HttpResponse:
    """Keep how one sees a table: from the account page, or from the table itself."""
    form = TableSettingsForm(request.POST)
    form.full_clean()  # ticks alone: nothing can be wrong
    people.choose_table_settings(request.user.pk or 0, form.cleaned_data)
    if not request.accepts("text/html"):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    messages.success(request, _("Your account is up to date."))
    return redirect("accounts:account")


@login_required
@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Keep the zone a page has offered, and go back to that page."""
    try:
        people.choose_time_zone(request.user.pk or 0, request.POST.get("zone", ""))
    except Refusal as refusal:
        messages.error(request, _(refusal.sentence))
    else:
        messages.success(request, _("Times are shown as you wish."))
    # Not redirect(): it takes any word for the name of a view.
    return HttpResponseRedirect(way_back(request, reverse("accounts:account")))


@never_cache
@sensitive_post_parameters("password")
def first_admin(request: HttpRequest, token: str) -> HttpResponse:
    """The host's link: choose a name and a password, and run the site."""
    if not people.is_first_admin_link(token):
        return render(request, "accounts/first_admin_dead.html", status=404)
    form = FirstAdminForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password = form.cleaned_data["username"], form.cleaned_data["password"]
        try:
            user = people.make_first_admin(token, name, password)
        except people.DeadLink:
            return render(request, "accounts/first_admin_dead.html", status=404)
        except Refusal as refusal:
            form.tell(refusal)
        else:
            if request.user.is_authenticated:
                get_adapter().logout(request)
            get_adapter().login(request, user)
            reauthenticate_by_password(request)  # just typed: not asked again at the next step
            return redirect("mfa_index")
    return render(request, "accounts/first_admin.html", {"form": form})
