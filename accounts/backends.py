"""Who signs in: a name in any case or width, and its password."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User


class NameBackend(AuthenticationBackend):
    """allauth's backend, asking our key: the database's own case rules stop at ASCII on SQLite."""

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        return self._check_password(User.objects.named(username).first(), password)
