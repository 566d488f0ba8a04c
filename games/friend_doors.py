"""Doors to one's friends: asked, accepted, invited into a room, blocked."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusal import Refusal
from games import friends, rooms
from games.views import asker


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Who is around one, and what one does about it."""
    if request.method == "POST":
        try:
            _do(request)
        except Refusal as refusal:
            messages.error(request, _(refusal.sentence) % refusal.params)
        return redirect("games:friends")
    mine = asker(request)
    shown = {"circle": friends.circle_of(mine), "rooms": rooms.my_rooms(mine)}
    return render(request, "games/friends.html", shown)


def _do(request: HttpRequest) -> None:
    """What one button says; one that says nothing known does nothing."""
    mine, deed = asker(request), request.POST.get("do", "")
    who, room_id = _number(request, "who"), _number(request, "room")
    if deed == "ask":
        friends.ask(mine, request.POST.get("name", "")[:100])
        messages.success(request, _("They are asked. Once they accept, you are friends."))
    elif deed == "accept" and friends.accept(mine, who):
        messages.success(request, _("You are friends now."))
    elif deed == "end":
        friends.end(mine, who)
    elif deed in ("block", "unblock"):
        friends.block(mine, who, deed == "block")
    elif deed == "invite":
        friends.invite(room_id, mine, who)
        messages.success(request, _("They are invited: their home page says so at once."))


def _number(request: HttpRequest, name: str) -> int:
    sent = request.POST.get(name, "")
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= 18 else 0


@login_required
@require_POST
def answer(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Come into the room one is asked into, or decline."""
    try:
        room_id = friends.answer(invitation_id, asker(request), "come" in request.POST)
    except Refusal as refusal:
        messages.error(request, _(refusal.sentence) % refusal.params)
        return redirect("home")
    return redirect("home") if room_id is None else redirect("games:room", room_id)
