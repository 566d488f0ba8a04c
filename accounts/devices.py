"""Where somebody is signed in, and closing those places: the only writer of this.

allauth notes each session as it begins; the list is what still works of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.auth import update_session_auth_hash
from django.db.models import F
from django.http import HttpRequest

from accounts import agents, people, signins
from accounts.models import User


@dataclass(frozen=True, slots=True)
class Device:
    """A browser somebody is signed in with. ``where`` is its network alone."""

    id: int
    what: str
    where: str
    since: datetime
    here: bool


def devices_of(request: HttpRequest) -> list[Device]:
    """The sessions of whoever asks that still work, this one first, then the newest."""
    if not UserSession.objects.filter(session_key=request.session.session_key).exists():
        _note(request)
    mine = UserSession.objects.purge_and_list(request.user)
    found = [
        Device(
            one.pk,
            agents.in_words(one.user_agent),
            signins.network_of(one.ip),
            one.created_at,
            one.session_key == request.session.session_key,
        )
        for one in mine
    ]
    return sorted(found, key=lambda one: (one.here, one.since), reverse=True)


def close(user_id: int, device_id: int) -> None:
    """End one session of this person, its sockets included. One that is over stays over."""
    for session in UserSession.objects.filter(pk=device_id, user_id=user_id):
        session.end()
        people.ring(user_id)


def close_others(request: HttpRequest) -> None:
    """End every session of whoever asks but this one, those nobody noted included."""
    user_id = request.user.pk or 0
    User.objects.filter(pk=user_id).update(times_signed_out=F("times_signed_out") + 1)
    here = UserSession.objects.filter(session_key=request.session.session_key)
    for session in UserSession.objects.filter(user_id=user_id).exclude(pk__in=here.values("pk")):
        session.end()
    here.delete()
    update_session_auth_hash(request, User.objects.get(pk=user_id))  # under a new key
    _note(request)
    people.ring(user_id)


def _note(request: HttpRequest) -> None:
    UserSession.objects.create_from_request(request)
