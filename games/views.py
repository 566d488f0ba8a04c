"""Doors of rooms, tables and sheets: parse the request, call a verb, answer with a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.refusal import Refusal
from games import presets, rooms, stakes, table, talk
from games.forms import RoomForm, field_of

View = Callable[..., HttpResponse]
HIDDEN = ("not_found", "forbidden")
LINES_WITHOUT_SCRIPT = 30  # a page with script soon has them all


def said(refusal: Refusal) -> str:
    """A refusal in the reader's language, amounts as they write them."""
    return _(refusal.sentence) % stakes.readable(refusal.params)


def refusals_lead_to(back: Callable[[dict[str, Any]], str]) -> Callable[[View], View]:
    """What may not be seen is 404; any other refusal is said on the page one came from.

    ``back`` names that page from the view's arguments. It must not be one that can be refused too.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except Refusal as refusal:
                if refusal.code in HIDDEN:
                    raise Http404(refusal.code) from None
                messages.error(request, said(refusal))
                return redirect(back(kwargs))

        return answering

    return decorated


def _back(kwargs: dict[str, Any]) -> str:
    """The room or table a request was about, else home."""
    if "room_id" in kwargs:
        return reverse("games:room", args=[kwargs["room_id"]])
    if "table_id" in kwargs:
        return reverse("games:table", args=[kwargs["table_id"]])
    return reverse("home")


refusals_are_answered = refusals_lead_to(_back)


def asker(request: HttpRequest) -> int:
    """Who asks. The views that call this stand behind login_required; 0 would be nobody."""
    return int(request.user.pk or 0)


def seen_on(request: HttpRequest) -> str:
    """What the page that was sent offered to play (games/stakes/offers.py)."""
    return request.POST.get("terms", "")


def origin_for_friends(request: HttpRequest) -> str:
    """Where a friend reaches this site: its public address, else the one in the address bar.

    "localhost" is another machine to a friend, so this machine's address on its network stands in
    for it where there is one.
    """
    if settings.SITE_URL:
        return str(settings.SITE_URL)
    here = urlsplit(request.build_absolute_uri("/"))
    host = here.netloc
    if here.hostname in ("localhost", "127.0.0.1", "::1") and settings.NETWORK_ADDRESS:
        host = settings.NETWORK_ADDRESS + (f":{here.port}" if here.port else "")
    return f"{here.scheme}://{host}"


@login_required
@require_safe
def rooms_page(request: HttpRequest) -> HttpResponse:
    return render(request, "games/rooms.html", {"rooms": rooms.my_rooms(asker(request))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_room(request: HttpRequest) -> HttpResponse:
    """The form again, with what is wrong beside its field, until a room can be opened."""
    form = RoomForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        wanted = form.wanted()
        try:
            room_id = rooms.open_room(asker(request), **wanted)
        except Refusal as refusal:
            form.add_error(field_of(refusal), said(refusal))
        else:
            messages.success(request, _("The room is open. Send its link to a friend."))
            return redirect("games:room", room_id)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(
        request,
        "games/new_room.html",
        {"form": form, "presets": presets.PRESETS.values()},
        status=status,
    )


@login_required
@require_safe
@refusals_are_answered
def room(request: HttpRequest, room_id: int) -> HttpResponse:
    user_id = asker(request)
    page = rooms.room_page(room_id, user_id)
    shown = {"room": page, **_in_words(page)}
    if not page["is_member"]:
        return render(request, "games/room.html", shown)
    link = origin_for_friends(request) + reverse("games:join", args=[page["invite"]])
    return render(
        request,
        "games/room.html",
        {
            **shown,
            "talk": talk.recent(room_id, None, user_id)[-LINES_WITHOUT_SCRIPT:],
            "hidden": talk.muted_by(user_id),
            "link": link,
            "qr": segno.make(link, micro=False).svg_data_uri(border=0, dark="#111"),
        },
    )


def _in_words(page: dict[str, Any]) -> dict[str, Any]:
    """What stands on a room's page beside its members and invitation."""
    return {
        "standings": page["standings"],
        "duels": page["duels"],
        "rotations": page["rotations"],
        "difference": presets.difference(page["rules"]),
        "words": presets.in_words(page["rules"]),
        "stakes": stakes.in_words(page["stakes"], page["rules"].scoring),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_are_answered
def tables(request: HttpRequest, room_id: int) -> HttpResponse:
    """The part of a room's page that changes, fetched again by the page; a POST opens a table."""
    user_id = asker(request)
    if request.method == "POST":
        rotation = request.POST.get("rotation", "none")
        opened = rooms.open_table(room_id, user_id, rotation, seen_on(request))
        return redirect("games:table", opened)
    page = rooms.room_page(room_id, user_id)
    return render(request, "games/_tables.html", {"room": page, **_in_words(page)})


@login_required
@require_safe
@refusals_are_answered
def members(request: HttpRequest, room_id: int) -> HttpResponse:
    """The members of a room, fetched again by its page."""
    page = rooms.room_page(room_id, asker(request))
    return render(request, "games/_members.html", {"room": page})


@login_required
@require_POST
@refusals_are_answered
def new_invitation(request: HttpRequest, room_id: int) -> HttpResponse:
    rooms.renew_invitation(room_id, asker(request))
    messages.success(request, _("Here are a new link and a new code. The old ones no longer work."))
    return redirect("games:room", room_id)


@login_required
@require_safe
@refusals_are_answered
def table_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The live table; what it shows first is what its socket will send."""
    view = table.look(table_id, asker(request))
    origin = origin_for_friends(request)
    return render(
        request, "games/table.html", {"view": view, "table_id": table_id, "origin": origin}
    )


@login_required
@require_POST
@refusals_are_answered
def sit(request: HttpRequest, table_id: int) -> HttpResponse:
    """Sit down; through the open door of a public room, become a member of it first."""
    rooms.come_in(table_id, asker(request), seen_on(request))
    return redirect("games:table", table_id)


@login_required
@require_POST
@refusals_are_answered
def line(request: HttpRequest, table_id: int) -> HttpResponse:
    """Get in line for a table's next game, or leave the line."""
    verb = table.step_out if request.POST.get("do") == "step_out" else table.line_up
    verb(table_id, asker(request))
    return redirect("games:room", rooms.room_of_table(table_id))
