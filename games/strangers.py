"""Whom somebody could ask to be a friend: asked wherever a page offers it."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.models import Block, Friendship


def strangers(user_id: int | None, others: Collection[int]) -> dict[int, str]:
    """Those of these people with an account who are no friends yet, nor asked; by number, names.

    Who asked this person is among them: asking back accepts. Whom they blocked is not; who blocked
    them is, since a block is never told. Nobody may be asked by a guest.
    """
    wanted = set(others) - {user_id}
    if user_id is None or not wanted:
        return {}
    me, them = Q(asker_id=user_id, asked=OuterRef("pk")), Q(asked_id=user_id, asker=OuterRef("pk"))
    known = Friendship.objects.filter(me | (them & Q(accepted_at__isnull=False)))
    blocked = Block.objects.filter(user_id=user_id, blocked=OuterRef("pk"))
    asking = User.objects.filter(pk=user_id, is_guest=False)
    # Guests, the computer and who is gone have no password.
    people = User.objects.filter(pk__in=wanted, is_active=True)
    people = people.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    found = people.filter(~Exists(known), ~Exists(blocked), Exists(asking))
    return dict(found.values_list("pk", "username"))
