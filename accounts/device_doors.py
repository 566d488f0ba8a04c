"""Door to the places where one is signed in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import devices


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def signed_in(request: HttpRequest) -> HttpResponse:
    """One's sessions; one of them closed, or all but this."""
    chosen = request.POST.get("close", "")
    if request.method == "POST":
        if chosen == "others":
            devices.close_others(request)
            messages.success(request, _("You are signed out everywhere else."))
        elif chosen.isascii() and chosen.isdecimal() and len(chosen) <= 18:
            devices.close(request.user.pk or 0, int(chosen))
            messages.success(request, _("This device is signed out."))
        return redirect("accounts:devices")
    return render(request, "accounts/devices.html", {"devices": devices.devices_of(request)})
