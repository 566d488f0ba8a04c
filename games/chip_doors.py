"""Doors of chips: what one has, and the tab one has in a room."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.stakes import pages
from games.views import asker
from scoring import chips

WRITTEN = 18  # figures of a number in an address


@login_required
@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """One's own chips, and everything that moved them."""
    return render(request, "games/chips.html", pages.chips_page(asker(request), _before(request)))


@login_required
@require_POST
def unit(request: HttpRequest) -> HttpResponse:
    """In which unit one wants to see one's chips as well."""
    chips.wish(asker(request), request.POST.get("unit", ""))
    return redirect("games:chips")


@login_required
@require_safe
def tab(request: HttpRequest, room_id: int) -> HttpResponse:
    """One's own tab in a room. Who has none is told there is no such page."""
    page = pages.tab_page(asker(request), room_id, _before(request))
    if page is None:
        raise Http404("no such tab")
    return render(request, "games/chips.html", page)


def _before(request: HttpRequest) -> int | None:
    """The movement this page goes on from; 404 for what is no number."""
    asked = request.GET.get("before", "")
    if not asked:
        return None
    if not (asked.isascii() and asked.isdecimal() and len(asked) <= WRITTEN):
        raise Http404("no such page")
    return int(asked)
