"""People: our own user, from day one."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Someone who signs in with a name and a password."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
