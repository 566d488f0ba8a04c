"""Doors of what is said in a room, for pages without script: saying, hiding somebody, reporting."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusal import Refusal
from games import rooms, talk
from games.views import asker, refusals_are_answered, said

DIGITS_AT_MOST = 18  # longer numbers name nobody, and no database could be asked for them


@login_required
@require_POST
@refusals_are_answered
def say(request: HttpRequest, room_id: int) -> HttpResponse:
    """A line for the room, where the page has no script to send it over its socket."""
    talk.say(room_id, None, asker(request), request.POST.get("text", ""))
    return _to_talk(room_id)


@login_required
@require_POST
@refusals_are_answered
def hide(request: HttpRequest, room_id: int) -> HttpResponse:
    """Read somebody's talk no more, or, with ``again``, as before."""
    rooms.require_entry(room_id, asker(request))
    again = request.POST.get("again", "")
    number = again or request.POST.get("user", "")
    if not number.isdecimal() or len(number) > DIGITS_AT_MOST:
        raise Http404("nobody has such a number")
    talk.mute(asker(request), int(number), on=not again)
    messages.success(
        request,
        _("You see their messages again.") if again
        else _("You no longer see their messages. Others still do."),
    )  # fmt: skip
    return _to_talk(room_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_are_answered
def report(request: HttpRequest, room_id: int, message_id: int) -> HttpResponse:
    """What is reported, and why, before it goes to the administrators."""
    lines = talk.recent(room_id, None, asker(request))
    line = next((line for line in lines if line["id"] == message_id and not line["you"]), None)
    if line is None:
        raise Http404("no such message")
    error = ""
    if request.method == "POST":
        try:
            talk.report(message_id, asker(request), request.POST.get("reason", ""))
        except Refusal as refusal:
            error = said(refusal)
        else:
            messages.success(request, _("Reported. An administrator will read it."))
            return _to_talk(room_id)
    return render(
        request,
        "games/report.html",
        {"room_id": room_id, "line": line, "error": error, "most": talk.REASON_LENGTH},
        status=HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK,
    )


def _to_talk(room_id: int) -> HttpResponseRedirect:
    return redirect(reverse("games:room", args=[room_id]) + "#talk")
