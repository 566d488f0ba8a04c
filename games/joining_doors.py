"""Doors into a room: an invitation's link, and a room's code."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import guests
from accounts.guest_doors import welcome
from accounts.guest_forms import ArrivalForm
from accounts.refusal import Refusal
from games import presets, rooms, stakes, table, tries
from games.views import asker, refusals_are_answered, said, seen_on

TOLD = ("no_chips", "too_few_chips", "being_settled", "changed_offer")  # a full table is seen


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_are_answered
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation is, to anyone who holds it; a POST accepts it and sits down.

    Whoever is not signed in needs no more than a name, where the room takes guests.
    """
    if request.method == "POST" and request.user.is_authenticated:
        return _accept(request, token)
    invitation = rooms.invitation(token)
    if invitation is None:
        return render(request, "games/no_invitation.html", status=HTTPStatus.NOT_FOUND)
    form = None
    if not request.user.is_authenticated and invitation["guests"]:
        form = ArrivalForm(request.POST.dict() if request.method == "POST" else None)
        if form.is_bound:
            return _arrive(request, token, invitation, form)
    elif request.method == "POST":
        return redirect_to_login(request.get_full_path())
    return _invited(request, invitation, form)


def _accept(request: HttpRequest, token: str) -> HttpResponse:
    """Become a member and sit down; the invitation again where the room now plays otherwise."""
    try:
        room_id = rooms.join_room(token, asker(request), seen_on(request))
    except Refusal as refusal:
        if refusal.code != "changed_offer":
            raise
        messages.error(request, said(refusal))
        return redirect("games:join", token)
    return _enter(request, room_id)


def _arrive(
    request: HttpRequest, token: str, invitation: dict[str, Any], form: ArrivalForm
) -> HttpResponse:
    """A name was sent: sign a guest of that name in, and seat them."""
    if not ratelimit.consume(request, action="guest"):
        form.add_error(None, _("Many guests came from here just now. Wait ten minutes."))
        return _invited(request, invitation, form, HTTPStatus.TOO_MANY_REQUESTS)
    if form.is_valid():
        try:
            with transaction.atomic():  # no guest stays behind whom the room did not take
                guest = guests.arrive(form.cleaned_data["username"])
                room_id = rooms.join_room(token, guest.pk, seen_on(request))
        except Refusal as refusal:
            if refusal.code == "changed_offer":  # no matter of the name, and in words of this floor
                form.add_error(None, said(refusal))
            else:
                form.tell(refusal)
        else:
            welcome(request, guest)
            return _enter(request, room_id)
    return _invited(request, invitation, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _invited(
    request: HttpRequest,
    invitation: dict[str, Any],
    form: ArrivalForm | None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    shown = {
        "invitation": invitation,
        "form": form,
        "difference": presets.difference(invitation["rules"]),
        "words": presets.in_words(invitation["rules"]),
        "stakes": stakes.in_words(invitation["stakes"], invitation["rules"].scoring),
        "next": urlencode({"next": request.path}),
    }
    return render(request, "games/join.html", shown, status=status)


def _enter(request: HttpRequest, room_id: int) -> HttpResponse:
    """Lead a newcomer to a free seat, or to the room if somebody was faster."""
    user_id = asker(request)
    table_id = rooms.free_table(room_id, user_id)
    if table_id is None:
        return redirect("games:room", room_id)
    try:
        table.sit_down(table_id, user_id, seen_on(request))
    except Refusal as refusal:
        if refusal.code in TOLD:
            messages.error(request, said(refusal))
        return redirect("games:room", room_id)
    return redirect("games:table", table_id)


@require_http_methods(["GET", "HEAD", "POST"])
def join_code(request: HttpRequest) -> HttpResponse:
    """A room's code, typed. Whoever is not signed in is shown the invitation it stands for."""
    code = request.POST.get("code", request.GET.get("code", "")).replace("\0", "").strip()[:16]
    error, status = "", HTTPStatus.OK
    if request.method == "POST":
        known = request.user.is_authenticated
        address = get_adapter().get_client_ip(request)
        if tries.too_many(asker(request) if known else None, address):
            error = _("Too many codes tried. Wait ten minutes, or ask your friend for the link.")
            status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            try:
                if not known:
                    return redirect("games:join", rooms.invitation_of(code))
                return redirect("games:room", rooms.join_by_code(code, asker(request)))
            except Refusal as refusal:
                error, status = said(refusal), HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "games/join_code.html", {"code": code, "error": error}, status=status)
