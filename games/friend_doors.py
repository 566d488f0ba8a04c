"""Doors to one's friends: asked, accepted, invited into a room, blocked."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusal import Refusal
from accounts.ways import way_back
from games import friends, rooms
from games.views import asker, origin_for_friends, said


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Who is around one, and what one does about it."""
    if request.method == "POST":
        try:
            _do(request)
        except Refusal as refusal:
            messages.error(request, said(refusal))
        return HttpResponseRedirect(way_back(request, reverse("games:friends")))
    mine = asker(request)
    token = friends.link_of(mine)
    path = reverse("games:friend_link", args=[token]) if token else ""
    shown = {
        "circle": friends.circle_of(mine),
        "rooms": rooms.my_rooms(mine),
        "link": path and origin_for_friends(request) + path,
    }
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
    elif deed == "link":
        friends.make_link(mine)
    elif deed == "unlink":
        friends.revoke_link(mine)
        messages.success(request, _("The link leads nowhere any more. Your friends stay."))
    elif deed == "invite":
        friends.invite(room_id, mine, who)
        messages.success(request, _("They are invited: their home page says so at once."))


def _number(request: HttpRequest, name: str) -> int:
    sent = request.POST.get(name, "")
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= 18 else 0


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """Become friends with whoever gave this link; who is not signed in does that first."""
    mine = asker(request) or None
    if request.method == "POST":
        if mine is None:
            return redirect_to_login(request.get_full_path())
        try:
            known = friends.follow_link(token, mine)
        except Refusal as refusal:
            messages.error(request, said(refusal))
            return redirect("games:friend_link", token)
        now = _("You and %(name)s are friends now.") % {"name": known.name}
        messages.success(request, now)
        return redirect("games:friends")
    owner = friends.owner_of(token, mine)
    status = HTTPStatus.NOT_FOUND if owner is None else HTTPStatus.OK
    shown = {
        "owner": owner,
        "mine": owner is not None and owner.id == mine,
        "friends": owner is not None and mine is not None and friends.are_friends(mine, owner.id),
        "next": urlencode({"next": request.path}),
    }
    response = render(request, "games/friend_link.html", shown, status=status)
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


@login_required
@require_POST
def answer(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Come into the room one is asked into, or decline."""
    try:
        room_id = friends.answer(invitation_id, asker(request), "come" in request.POST)
    except Refusal as refusal:
        messages.error(request, said(refusal))
        return redirect("home")
    return redirect("home") if room_id is None else redirect("games:room", room_id)
