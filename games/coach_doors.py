"""Doors to the coach: ask about a hand of one's own, and see how far it is.

What the coach found stands on the replay's own page (games/sheet_doors.py).
"""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import coach, tasks
from games.views import asker, refusals_lead_to


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_lead_to(lambda kwargs: _place(kwargs["sheet_id"], kwargs["number"]))
def analysis(request: HttpRequest, sheet_id: int, number: int) -> HttpResponse:
    """The part of the replay that shows progress, fetched again by it; a POST asks the coach."""
    if request.method != "POST":
        progress = coach.progress_of(asker(request), sheet_id, number)
        if progress is None:
            raise Http404("no such hand")
        return render(request, "games/_coach_progress.html", {"coach": progress})
    analysis_id = coach.ask(asker(request), sheet_id, number)
    transaction.on_commit(lambda: tasks.set_the_coach_to_work(analysis_id), robust=True)
    return redirect(_place(sheet_id, number, request.POST.get("ply", "")))


def _place(sheet_id: int, number: int, ply: str = "") -> str:
    """The coach's place on the page of the hand, at the move one came from."""
    here = reverse("games:replay", args=[sheet_id, number])
    known = ply.isdecimal() and len(ply) <= 6
    return f"{here}?ply={int(ply)}#coach" if known else f"{here}#coach"
