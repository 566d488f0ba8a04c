"""Doors to the computer: a game at once, and the computer in place of a friend."""

from __future__ import annotations

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import guests
from accounts.guest_doors import welcome
from games import rooms
from games.views import asker, refusals_are_answered


@require_POST
@refusals_are_answered
def play(request: HttpRequest) -> HttpResponse:
    """A game against the computer, of the level sent; a visitor plays it as a guest."""
    level = request.POST.get("level", "")
    if request.user.is_authenticated:
        return redirect("games:table", rooms.practise(asker(request), level, _("Practice")))
    if not ratelimit.consume(request, action="guest"):
        messages.error(request, _("Many guests came from here just now. Wait ten minutes."))
        return redirect("home")
    with transaction.atomic():  # no guest stays behind who plays nothing
        guest = guests.arrive_unnamed(_("Player"))
        table_id = rooms.practise(guest.pk, level, _("Practice"))
    welcome(request, guest)
    return redirect("games:table", table_id)


@login_required
@require_POST
@refusals_are_answered
def bring(request: HttpRequest, table_id: int) -> HttpResponse:
    """The computer in place of a friend: opposite who waits, or where a friend has left."""
    level = request.POST.get("level", "")
    return redirect("games:table", rooms.bring_computer(table_id, asker(request), level))
