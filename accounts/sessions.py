"""Sessions, and whether one still speaks for its user: asked by sockets before each action.

A socket outlives the request that opened it. Signing out deletes the session row, a suspension
clears ``is_active`` and ends every session, a new password changes the hash; any of them ends the
socket's right to act.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.refusal import N_, Refusal

_STILL_OPEN = """
SELECT u.password, u.times_signed_out
  FROM accounts_user u
  JOIN django_session s ON s.session_key = %s AND s.expire_date > %s
 WHERE u.id = %s AND u.is_active
"""


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


def require_open(held: Pass) -> None:
    """Raise SignedOut unless the session still speaks for its user at this moment."""
    moment = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(_STILL_OPEN, [held.session_key, moment, held.user_id])
        row = cursor.fetchone()
    if row is None or tuple(row) != (held.password, held.times_signed_out):
        raise SignedOut("signed_out", N_("You are signed out. Sign in to go on."))
