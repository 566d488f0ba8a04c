"""Doors of the fair deal: the proof of a hand as a file, for whoever may read its replay."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import replay as replays
from games.fair import page as fair
from games.fair.finding import NotProven, proof_of_sheet
from games.sheet_doors import edition_of, reader, unlisted
from games.views import said


@require_safe
def proof(request: HttpRequest, sheet_id: int, number: int) -> HttpResponse:
    """The proof of a hand that is over."""
    reader(request, sheet_id, None)
    return _proof(request, sheet_id, number)


@require_safe
def shared_proof(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """The same to whoever holds a link to its sheet."""
    return unlisted(_proof(request, edition_of(request, token), number))


def _proof(request: HttpRequest, sheet_id: int, number: int) -> HttpResponse:
    try:
        found = proof_of_sheet(sheet_id, number)
    except NotProven as refusal:
        shown = {"why": said(refusal)}
        return render(request, "games/no_replay.html", shown, status=HTTPStatus.NOT_FOUND)
    if found is None:
        raise Http404("no such hand")
    if "seen" in request.GET:  # for the replay page: with the cards it shows in place of the deck
        hand = replays.replayed(sheet_id, number)
        return JsonResponse({} if hand is None else fair.laid_out(hand) or {})
    name = f"gin-rami-{found.game}-{found.hand}.json"
    return HttpResponse(
        json.dumps(found.as_dict(), indent=1),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
