"""Doors to the e-mail address: ask for the letter again, and the link in it."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import addresses
from accounts.models import User


def ask(request: HttpRequest, user: User) -> None:
    """Have the letter sent, where the site sends any, and say so."""
    if not settings.SENDS_MAIL or not user.email or user.email_confirmed:
        return
    base = settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
    if addresses.ask(user, base):
        said = _("We wrote to %(address)s: follow the link in the letter to confirm it.")
        messages.success(request, said % {"address": user.email})
    else:
        said = _("A letter left already. Look for it, or try again later.")
        messages.warning(request, said)


@login_required
@require_POST
def ask_again(request: HttpRequest) -> HttpResponse:
    """The letter once more."""
    ask(request, User.objects.get(pk=request.user.pk or 0))
    return redirect("accounts:account")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """One click confirms; not the opening of the page, since programs open links too."""
    person = addresses.person_of(token)
    if person is None:
        raise Http404("no such link")
    if request.method == "POST":
        addresses.confirm(person)
        messages.success(request, _("%(address)s is confirmed.") % {"address": person.email})
        return redirect("accounts:account" if request.user.is_authenticated else "home")
    return render(request, "accounts/confirm_address.html", {"address": person.email})
