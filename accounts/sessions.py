"""Sessions, and whether one still speaks for its user: asked by sockets before each action.

A socket outlives the request that opened it. Signing out deletes the session row, a suspension
clears ``is_active`` and ends every session, a new password changes the hash; any of them ends the
socket's right to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts import hot
from accounts.models import User
from accounts.refusal import N_, Refusal

_STILL_OPEN = """
SELECT u.id, s.session_key, u.password, u.times_signed_out
  FROM (VALUES {pairs}) AS asked
  JOIN accounts_user u ON u.id = asked.column1 AND u.is_active
  JOIN django_session s ON s.session_key = asked.column2 AND s.expire_date > %s
"""

# Whether a session still speaks for its user, as a condition of another statement.
SPEAKS = """EXISTS (
SELECT 1 FROM accounts_user u JOIN django_session s ON s.session_key = %s AND s.expire_date > %s
 WHERE u.id = %s AND u.is_active AND u.password = %s AND u.times_signed_out = %s)"""


class SessionStore(db.SessionStore):
    """Django's sessions in the database, asked only for keys Django could have made.

    A cookie may say anything; PostgreSQL refuses a text with a NUL by an error.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()


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
    asked = [word for held in passes for word in (held.user_id, held.session_key)]
    statement = _STILL_OPEN.format(pairs=", ".join(["(%s, %s)"] * len(passes)))
    return statement, [*asked, _now()]


def answered(passes: Sequence[Pass], found: hot.Rows) -> list[bool]:
    """What it gave, one by one."""
    known = {tuple(row) for row in found}
    return [
        (held.user_id, held.session_key, held.password, held.times_signed_out) in known
        for held in passes
    ]


def proof(held: Pass) -> list[Any]:
    """The parameters of SPEAKS."""
    return [held.session_key, _now(), held.user_id, held.password, held.times_signed_out]


def _now() -> Any:
    return connection.ops.adapt_datetimefield_value(timezone.now())


def signed_out() -> SignedOut:
    return SignedOut("signed_out", N_("You are signed out. Sign in to go on."))
