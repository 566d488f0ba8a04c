"""Pages of the site as a whole: home, the rules, and whether it is alive."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import presets, rooms


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A visitor reads what the site is; a player finds games and rooms again."""
    if not request.user.is_authenticated:
        return render(request, "home.html")
    user_id, name = int(request.user.pk), request.user.get_username()
    games = [_from_my_side(row, name) for row in rooms.my_games(user_id)]
    return render(request, "home.html", {"games": games, "rooms": rooms.my_rooms(user_id)})


def _from_my_side(row: dict[str, Any], name: str) -> dict[str, Any]:
    """A table's row with the opponent named and one's own points first."""
    others = [index for index, seated in enumerate(row["names"]) if seated != name]
    mine = [index for index in range(len(row["names"])) if index not in others]
    order = [*mine, *others]
    return {
        "id": row["id"],
        "room": row["room"],
        "hand": row["hand_number"],
        "state": row["state"],
        "my_turn": row["my_turn"],
        "opponent": row["names"][others[0]] if others else "",
        "score": [row["points"][index] for index in order] if len(order) == 2 else [],
    }


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "rules.html", {"presets": presets.PRESETS.values()})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answers "ok" when the database does; otherwise the error is a 500, as a monitor expects."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain")
