"""The door by which a guest becomes somebody with an account, and how long a guest is known."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import guests
from accounts.guest_forms import ClaimForm
from accounts.models import User
from accounts.refusal import Refusal
from accounts.ways import way_back

# The longest browsers keep a cookie; it begins anew whenever a guest is seen.
GUEST_SESSION_AGE = 400 * 24 * 3600


def welcome(request: HttpRequest, user: User) -> None:
    """Sign a new guest in on this browser, for as long as it keeps a cookie."""
    get_adapter().login(request, user)
    request.session.set_expiry(GUEST_SESSION_AGE)


def see_again(request: HttpRequest, user: User) -> None:
    """Let a guest who is here be known for as long again; once a day is enough."""
    if guests.seen(user):
        request.session.set_expiry(GUEST_SESSION_AGE)


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest) -> HttpResponse:
    """Choose a password, and keep every game; whoever has one is led to their account."""
    user = User.objects.get(pk=request.user.pk or 0)
    if not user.is_guest:
        return redirect("accounts:account")
    form = ClaimForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password = form.cleaned_data["username"], form.cleaned_data["password"]
        try:
            user = guests.claim(user.pk, password, name)
        except guests.NoGuest as refusal:
            messages.success(request, _(refusal.sentence))
            return redirect("accounts:account")
        except Refusal as refusal:
            form.tell(refusal)
        else:
            update_session_auth_hash(request, user)
            request.session.set_expiry(settings.SESSION_COOKIE_AGE)
            messages.success(request, _("Everything is kept: from now on this is your account."))
            return HttpResponseRedirect(way_back(request, reverse("home")))
    shown = {"form": form, "next": way_back(request, "")}
    return render(request, "accounts/claim.html", shown)
