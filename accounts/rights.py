"""Who of the staff may touch whom: asked by every door of the administration."""

from __future__ import annotations

from typing import Any

from accounts.models import User


def may_touch(actor: Any, person: User | None) -> bool:
    """Whether this administrator may change that person; nobody in particular: yes.

    What is left of a deleted account is nobody's to change any more.
    """
    if person is None:
        return True
    if person.deleted_at is not None:
        return False
    return bool(actor.is_superuser or not (person.is_staff or person.is_superuser))


def may_suspend(actor: Any, person: User | None) -> bool:
    """Whether this administrator may shut that person out; never themself."""
    if person is None or person.pk == actor.pk:
        return False
    return bool(actor.has_perm("accounts.change_user")) and may_touch(actor, person)


def may_free_of_steps(actor: Any, person: User) -> bool:
    """Whether this administrator may take a lost second step away; one's own one removes oneself.

    As for shutting out: nobody with rights by who is no superuser.
    """
    return may_suspend(actor, person)
