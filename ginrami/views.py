"""Pages of the site as a whole: home, and whether it is well."""

from __future__ import annotations

import sys
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.templatetags.static import static
from django.views import defaults
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import friends, rooms
from games.reach import out_of_reach
from ginrami import health
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


def server_error(request: HttpRequest) -> HttpResponse:
    """Something went wrong; where it is the database that is away, that is said plainly."""
    if not out_of_reach(sys.exc_info()[1]):
        return defaults.server_error(request)
    answer = HttpResponse(loader.get_template("503.html").render(), status=503)
    answer["Retry-After"] = "5"
    return answer


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answers "ok" when the database does, within two seconds; else 503, as a monitor expects."""
    well = health.database_answers()
    words, status = ("ok", 200) if well else ("The database does not answer.", 503)
    return HttpResponse(words, status=status, content_type="text/plain")


@require_safe
@never_cache
def alive(_request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Every part, by name. 503 when nobody can play here; with ``?all``, when anything is amiss.

    Without Redis, a worker or beat the tables go on: a proxy must not take every process away.
    """
    report = health.report()
    worst = "ok" if "all" in request.GET else "degraded"
    fine = report["status"] in ("ok", worst)
    return JsonResponse(report, status=200 if fine else 503)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """The icon, for browsers that ask where it has always been."""
    return HttpResponseRedirect(static("icons/favicon.ico"))
