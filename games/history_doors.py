"""Doors of histories, players and exports: parse the request, ask, answer with a page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games import presets, tasks
from games.history import listing, players
from games.history.filters import HistoryForm
from games.strangers import strangers
from games.views import asker
from scoring import archive, statistics
from scoring import history as histories

NO_INDEX = "noindex, nofollow"


@login_required
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """One's own finished sheets, newest first."""
    after = request.GET.get("after", "")
    behind = histories.cursor(after) if after else None
    if after and behind is None:
        raise Http404("no such page")
    form = HistoryForm(asker(request), request.GET)
    page = listing.laid_out(asker(request), form, behind)
    return render(request, "games/history.html", page)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: HttpRequest) -> HttpResponse:
    """All one's sheets in one archive: asked for by a POST, watched while it is built, fetched."""
    if request.method == "POST":
        with transaction.atomic():
            export_id = archive.begin(asker(request))
            transaction.on_commit(lambda: tasks.build_export.delay(export_id), robust=True)
        return redirect("history:export")
    return render(request, "games/export.html", {"export": archive.progress_of(asker(request))})


@login_required
@require_safe
def export_progress(request: HttpRequest) -> HttpResponse:
    """The part of that page that changes, fetched again by it."""
    return render(request, "games/_export.html", {"export": archive.progress_of(asker(request))})


@login_required
@require_safe
def export_file(request: HttpRequest, export_id: int) -> HttpResponse:
    """The archive, to its owner."""
    packed = archive.archive_of(export_id, asker(request))
    if packed is None:
        raise Http404("no such export")
    day = timezone.localdate().isoformat()
    answer = HttpResponse(packed, content_type="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="gin-rami-{day}.zip"'
    return answer


@require_safe
def player(request: HttpRequest, person_id: int) -> HttpResponse:
    """Somebody's page, to those they let see it; for everybody else there is none."""
    person = _shown(request, person_id)
    viewer = request.user if request.user.is_authenticated else None
    page = players.player_page(person, viewer, _preset(request))
    page["befriend"] = bool(strangers(asker(request) or None, [person_id]))
    return _unlisted(render(request, "games/player.html", page))


@login_required
@require_safe
def with_me(request: HttpRequest, person_id: int) -> HttpResponse:
    """The games somebody played against the reader, and who won them."""
    person = _shown(request, person_id)
    if person.pk == asker(request):
        return redirect("history:player", person_id)
    viewer = User.objects.get(pk=asker(request))
    page = players.duel_page(person, viewer, _preset(request))
    return _unlisted(render(request, "games/with_me.html", page))


def _shown(request: HttpRequest, person_id: int) -> User:
    """The person whose page it is, if this reader may see it."""
    if not statistics.may_see(asker(request) or None, person_id):
        raise Http404("no such player")
    return User.objects.get(pk=person_id)


def _preset(request: HttpRequest) -> str:
    """The rules asked for; all games where none, or none known, are named."""
    asked = request.GET.get("rules", "")
    return asked if asked in presets.PRESETS else ""


def _unlisted(response: HttpResponse) -> HttpResponse:
    response.headers["X-Robots-Tag"] = NO_INDEX
    return response
