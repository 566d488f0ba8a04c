"""The quick way in, for tests that are about something else: people who are signed in, at a table.

Served by the site of the browser tests alone (impatient.py), under an address no other site has.
"""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from accounts import people
from accounts.models import User
from games import table
from games.models import Room, Shuffle
from tests.browser.laid import Laid, cookie
from tests.conftest import PASSWORD


def account(name: str) -> User:
    """Whoever has this name, or somebody new with a password."""
    user = User.objects.named(name).first()
    if user is None:
        user = User(username=name)
        people.set_password(user, PASSWORD)
    return user


@csrf_exempt
def enter(request: HttpRequest) -> JsonResponse:
    """Sessions of these people; with ``options``, at one table of a new room, all seats taken."""
    asked: dict[str, Any] = json.loads(request.body)
    users = [account(name) for name in asked["names"]]
    if asked.get("options") is None:
        return JsonResponse({"cookies": [cookie(user) for user in users]})
    options = dict(asked["options"])
    pace = options.pop("pace", "none")
    laid = Laid([user.username for user in users], options)
    Room.objects.filter(pk=laid.table.room_id).update(pace=pace)
    table.sit_down(laid.table.pk, users[1].pk)
    # No window is open yet that could give to the shuffle.
    Shuffle.objects.filter(game__table=laid.table).update(deadline=timezone.now())
    table.end_shuffle(laid.table.pk)
    return JsonResponse(laid.seen())
