"""Doors for running a room: its settings, its members, joining and leaving it."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.refusal import Refusal
from games import presets, rooms
from games.forms import RoomForm, field_of
from games.views import asker, refusals_are_answered, said


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_are_answered
def settings(request: HttpRequest, room_id: int) -> HttpResponse:
    """The owner's form, with the room as it is, until it can be changed."""
    now = rooms.settings_page(room_id, asker(request))
    form = RoomForm.of_room(now, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            rooms.change_room(room_id, asker(request), **form.wanted())
        except Refusal as refusal:
            form.add_error(field_of(refusal), said(refusal))
        else:
            messages.success(request, _("The room is changed. Games in progress keep their rules."))
            return redirect("games:room", room_id)
    return render(
        request,
        "games/settings.html",
        {"form": form, "presets": presets.PRESETS.values(), "room_id": room_id},
        status=HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK,
    )


@login_required
@require_safe
@refusals_are_answered
def member(request: HttpRequest, room_id: int, member_id: int) -> HttpResponse:
    """What is asked before a member goes or becomes the host: what it means, and one button."""
    page = rooms.member_page(room_id, asker(request), member_id)
    if page["why_not"] is not None:
        page["why_not"] = said(page["why_not"])
    return render(request, "games/member.html", page)


@login_required
@require_POST
@refusals_are_answered
def pass_on(request: HttpRequest, room_id: int, member_id: int) -> HttpResponse:
    rooms.pass_on(room_id, asker(request), member_id)
    messages.success(request, _("The room has a new host."))
    return redirect("games:room", room_id)


@login_required
@require_POST
@refusals_are_answered
def remove(request: HttpRequest, room_id: int, member_id: int) -> HttpResponse:
    rooms.remove_member(room_id, asker(request), member_id)
    messages.success(request, _("Removed. The invitation has a new link and a new code."))
    return redirect("games:room", room_id)


@login_required
@require_POST
@refusals_are_answered
def leave(request: HttpRequest, room_id: int) -> HttpResponse:
    rooms.leave(room_id, asker(request))
    messages.success(request, _("You have left the room."))
    return redirect("games:rooms")


@login_required
@require_POST
@refusals_are_answered
def enter(request: HttpRequest, room_id: int) -> HttpResponse:
    """Become a member of a public room."""
    rooms.enter_public(room_id, asker(request))
    messages.success(request, _("Welcome: you are a member of this room."))
    return redirect("games:room", room_id)
