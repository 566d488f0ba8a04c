"""Doors to one's own person where games and sheets are concerned: deleting the account."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms import PresentPasswordForm
from accounts.models import User
from accounts.refusal import Refusal
from games.farewell import say_farewell
from games.views import asker


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """What deleting one's account means; and the deed, with the password."""
    form = PresentPasswordForm(User.objects.get(pk=asker(request)), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            say_farewell(asker(request))
        except Refusal as refusal:
            form.add_error(None, _(refusal.sentence) % refusal.params)
        else:
            get_adapter().logout(request)
            messages.success(request, _("Your account is deleted. Thank you for the games."))
            return redirect("home")
    return render(request, "accounts/delete.html", {"form": form})
