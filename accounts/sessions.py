"""Sessions, and whether one still speaks for its user: asked by sockets before each action.

A socket outlives the request that opened it. Signing out deletes the session row, a suspension
clears ``is_active`` and ends every session, a new password changes the hash; any of them ends the
socket's right to act.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts import hot
from accounts.models import User
from accounts.refusal import N_, Refusal

_STILL_OPEN = """
SELECT u.id, s.session_key, u.password, u.times_signed_out
  FROM {asked}
  JOIN accounts_user u ON u.id = a.user_id AND u.is_active
  JOIN django_session s ON s.session_key = a.session_key AND s.expire_date > %s
"""

_SESSIONS = """
SELECT s.session_key, s.session_data
  FROM {asked} JOIN django_session s ON s.session_key = a.session_key AND s.expire_date > %s
"""

# Whether the session of ``a`` still speaks for its user, as a condition of another statement; its
# parameter is the time.
SPEAKS = """EXISTS (
SELECT 1 FROM accounts_user u
  JOIN django_session s ON s.session_key = a.session_key AND s.expire_date > %s
 WHERE u.id = a.user_id AND u.is_active
   AND u.password = a.password AND u.times_signed_out = a.times_signed_out)"""


class SessionStore(db.SessionStore):
    """Django's sessions in the database, asked only for keys Django could have made.

    A cookie may say anything; PostgreSQL refuses a text with a NUL by an error.
    """

    @staticmethod
    def is_proper(key: str | None) -> bool:
        """Whether Django could have made this key."""
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()

    def _validate_session_key(self, key: str | None) -> bool:
        return self.is_proper(key)


def forget_over() -> None:
    """Take away every session whose time is over, and what was noted of its device."""
    SessionStore.clear_expired()


class SignedOut(Refusal):
    """The session no longer speaks for its user."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Who a socket acts for, and the session that says so."""

    user_id: int
    session_key: str
    password: str  # the stored hash: compared, never shown
    times_signed_out: int

    def __repr__(self) -> str:
        return f"Pass(user_id={self.user_id})"


def pass_of(user: User, session: SessionBase) -> Pass | None:
    """The pass of a signed-in user, or None for anybody else."""
    if not user.is_authenticated or session.session_key is None:
        return None
    return Pass(user.pk, session.session_key, user.password, user.times_signed_out)


def pass_by(session_key: str | None) -> Pass | None:
    """The pass of whoever this session speaks for, or None: nobody."""
    request = HttpRequest()
    request.session = SessionStore(session_key)
    user = get_user(request)
    return pass_of(user, request.session) if isinstance(user, User) else None


def passes_by(session_keys: Sequence[str | None]) -> list[Pass | None]:
    """The same for many at once, in two statements.

    Whoever's session is there, and does not match its user as it should, is asked for alone: there
    are other reasons than that it is over, and Django knows them.
    """
    stored = _stored({key for key in session_keys if SessionStore.is_proper(key)})
    users = User.objects.only("password", "times_signed_out", "is_active").in_bulk(
        {said[SESSION_KEY] for said in stored.values() if SESSION_KEY in said}
    )
    return [_pass_of_stored(key, stored.get(key or ""), users) for key in session_keys]


def _stored(keys: Collection[str | None]) -> dict[str, dict[str, Any]]:
    """What each of these sessions says, as long as it lasts."""
    asked = json.dumps([{"session_key": key} for key in keys])
    (found,) = hot.rows((_sessions(connection.vendor), [asked, hot.now()]))
    reading = SessionStore()
    return {key: reading.decode(said) for key, said in found}


def _pass_of_stored(
    key: str | None, said: Mapping[str, Any] | None, users: Mapping[Any, User]
) -> Pass | None:
    if key is None or said is None or SESSION_KEY not in said:
        return None
    user = users.get(int(said[SESSION_KEY]))
    known = said.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    if user is None or not known or not user.is_active:
        return None
    told = said.get(HASH_SESSION_KEY, "")
    if not constant_time_compare(told, user.get_session_auth_hash()):
        return pass_by(key)
    return Pass(user.pk, key, user.password, user.times_signed_out)


def require_open(held: Pass) -> None:
    """Raise SignedOut unless the session still speaks for its user at this moment."""
    if not still_open([held])[0]:
        raise signed_out()


def still_open(passes: Sequence[Pass]) -> list[bool]:
    """Which of these sessions still speak for their users at this moment, in one statement."""
    (found,) = hot.rows(asking(passes))
    return answered(passes, found)


def asking(passes: Sequence[Pass]) -> hot.Statement:
    """The statement by which that is asked, to be sent together with others."""
    asked = [{"user_id": held.user_id, "session_key": held.session_key} for held in passes]
    return _still_open(connection.vendor), [json.dumps(asked), hot.now()]


@functools.cache
def _sessions(_vendor: str) -> str:
    return _SESSIONS.format(asked=hot.given(session_key=str))


@functools.cache
def _still_open(_vendor: str) -> str:
    return _STILL_OPEN.format(asked=hot.given(user_id=int, session_key=str))


def answered(passes: Sequence[Pass], found: hot.Rows) -> list[bool]:
    """What it gave, one by one."""
    known = {tuple(row) for row in found}
    return [
        (held.user_id, held.session_key, held.password, held.times_signed_out) in known
        for held in passes
    ]


def signed_out() -> SignedOut:
    return SignedOut("signed_out", N_("You are signed out. Sign in to go on."))
