"""Doors to the letters: the wish on the account page, and the link that ends them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import letters


@login_required
@require_POST
def wish(request: HttpRequest) -> HttpResponse:
    """Ask for letters of each kind, or for none."""
    for kind in letters.Kind.values:
        letters.wish(request.user.pk or 0, kind in request.POST, kind)
    messages.success(request, _("Your account is up to date."))
    return redirect("accounts:account")


@never_cache
@csrf_exempt  # the link itself is the right to it, and a mail program sends nothing else
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """One click ends the letters; not the opening of the page, since programs open links too."""
    reader = letters.reader_of(token)
    if reader is None:
        raise Http404("no such link")
    if request.method == "POST":
        letters.stop(reader.pk)
    return render(
        request, "accounts/stop_letters.html", {"reader": reader, "on": letters.wanted(reader.pk)}
    )
