"""Doors of games as files: a sheet taken along as JSON or CSV, and a game brought in."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.refusal import N_, Refusal
from games import files
from games.sheet_doors import edition_of, reader, unlisted
from games.views import asker, refusals_lead_to
from scoring import chips, ledger


@require_safe
def sheet_json(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """The game as a file that can be read back."""
    reader(request, sheet_id, None)
    return _json(sheet_id)


@require_safe
def sheet_csv(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """The sheet for a spreadsheet."""
    reader(request, sheet_id, None)
    return _csv(sheet_id)


@require_safe
def shared_json(request: HttpRequest, token: str) -> HttpResponse:
    """The same to whoever holds a link to it."""
    return unlisted(_json(edition_of(request, token)))


@require_safe
def shared_csv(request: HttpRequest, token: str) -> HttpResponse:
    """The same to whoever holds a link to it."""
    return unlisted(_csv(edition_of(request, token)))


def _json(sheet_id: int) -> HttpResponse:
    game = files.as_json(ledger.read_sheet(sheet_id), chips.outcome(sheet_id))
    text = json.dumps(game, ensure_ascii=False, indent=1)
    return _file(text, "application/json", f"gin-rami-{sheet_id}.json")


def _csv(sheet_id: int) -> HttpResponse:
    # By the mark at its beginning a spreadsheet takes the text for UTF-8.
    text = "\ufeff" + files.as_csv(ledger.read_sheet(sheet_id), chips.outcome(sheet_id))
    return _file(text, "text/csv; charset=utf-8", f"gin-rami-{sheet_id}.csv")


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": disposition}
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """A game written elsewhere: pasted or sent as a file, looked at, then kept."""
    if request.method != "POST":
        return render(request, "games/bring.html", {})
    text, shown = _text(request), {}
    try:
        told = files.told_in(text)
        if request.POST.get("do") == "keep":
            _require_patience(request)
            sheet_id = files.bring(asker(request), told, _seat(request), _entry(request))
            messages.success(request, _("The game is in your history."))
            return redirect("games:sheet", sheet_id)
        shown = {**files.preview(told), "known": files.known(asker(request), told)}
    except Refusal as refusal:
        shown["error"] = in_words(refusal)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if "error" in shown else HTTPStatus.OK
    shown |= {"text": text, "entry": uuid4(), "me": request.user.get_username()}
    return render(request, "games/bring.html", shown, status=status)


@login_required
@require_POST
@refusals_lead_to(lambda kwargs: reverse("games:sheet", args=[kwargs["sheet_id"]]))
def brought(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """A game one brought in: ended where it was left open, or taken out of one's history."""
    do = request.POST.get("do", "")
    if do == "end":
        messages.success(request, _("The game has ended: nobody has won."))
        return redirect("games:sheet", ledger.end_brought(sheet_id, asker(request)))
    if do != "remove":
        raise Http404("no such change")
    ledger.let_go(sheet_id, asker(request))
    messages.success(request, _("The game is out of your history."))
    return redirect("history:games")


def _require_patience(request: HttpRequest) -> None:
    """Nobody fills the site with games by a program."""
    if not ratelimit.consume(request, action="bring", user=request.user):
        raise Refusal("too_many_games", N_("You have brought many games in. Go on in an hour."))


def _text(request: HttpRequest) -> str:
    """What was pasted, unless a file was sent. One byte too many is kept, to be refused."""
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", "")
    return sent.read(files.LONGEST + 1).decode("utf-8-sig", errors="replace")


def _seat(request: HttpRequest) -> int | None:
    """Which of the two names is the one who brings the game, if it is one of them."""
    return {"0": 0, "1": 1}.get(request.POST.get("me", ""))


def _entry(request: HttpRequest) -> UUID | None:
    """The mark of this form, by which a second click is known."""
    try:
        return UUID(request.POST.get("entry", ""))
    except ValueError:
        return None


def in_words(refusal: Refusal) -> str:
    """A refusal in the reader's language, with what it quotes."""
    if refusal.code == "not_json":
        return _("This is not a game in JSON. Copy the whole file, from { to }.")
    return _(refusal.sentence) % {key: _quoted(key, one) for key, one in refusal.params.items()}


def _quoted(key: str, value: Any) -> object:
    if isinstance(value, Refusal):
        return in_words(value)
    return _(value) if key == "what" else value
