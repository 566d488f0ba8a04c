"""Guests at the doors: which pages ask for an account, and that a guest is still here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.guest_doors import see_again

# What a guest cannot do before they have chosen a password: the names of addresses, or how they
# begin. Their own account, whatever is written to an address or kept beside a password, friends
# and sheets that outlive the evening, and the administration.
CLOSED = (
    "accounts:account", "accounts:letters", "account_change_password", "account_set_password",
    "account_reauthenticate", "mfa_", "games:friends", "games:pad", "games:bring_sheet",
    "history:export", "admin:",
)  # fmt: skip
OPEN = ("games:pad_worker",)


class GuestsAtTheDoor:
    """Leads guests from closed pages to the one where they choose a password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:  # nobody: do not ask
            return None
        user: Any = request.user
        if not user.is_authenticated or not user.is_guest:
            return None
        see_again(request, user)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in OPEN or not name.startswith(CLOSED):
            return None
        if name != "accounts:account":  # there the page itself says it
            messages.info(request, _("For this, choose a password first. Your games stay yours."))
        return HttpResponseRedirect(
            reverse("accounts:claim") + "?" + urlencode({"next": request.get_full_path()})
        )
