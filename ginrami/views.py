"""Pages of the site as a whole: home, and whether it is alive."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import friends, rooms
from scoring import history, pad


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A visitor reads what the site is; a player finds games, sheets, rooms and the lobby."""
    if not request.user.is_authenticated:
        return render(request, "home.html")
    return render(request, "home.html", _lists(request))


@login_required
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The lists of the home page, which fetches them again when its socket says so."""
    return render(request, "_home_lists.html", _lists(request))


def _lists(request: HttpRequest) -> dict[str, Any]:
    user_id = int(request.user.pk or 0)
    watched = rooms.watch_home(0, user_id)  # first: what changes meanwhile must differ from it
    return {
        "stamp": watched.stamp,
        **rooms.at_home(user_id, watched.tables),
        "sheets": rooms.last_sheets(user_id),
        "rooms": rooms.my_rooms(user_id),
        "invitations": pad.invitations_for(user_id),
        "invited": friends.invited(user_id),
        "asking": friends.asking(user_id),
        "pads": [one for one in history.unfinished(user_id) if one.kept_on_a_pad],
    }


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answers "ok" when the database does; otherwise the error is a 500, as a monitor expects."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain")
