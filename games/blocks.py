"""Whom somebody wants nothing of, and who wants nothing of them: asked wherever two could meet."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Block


def apart(user_id: int) -> QuerySet[Block]:
    """The blocks this person made or is in."""
    return Block.objects.filter(Q(user_id=user_id) | Q(blocked_id=user_id))


def are_apart(user_id: int, others: Collection[int]) -> bool:
    """Whether this person blocks one of these, or one of these blocks them."""
    return apart(user_id).filter(Q(blocked__in=others) | Q(user__in=others)).exists()


def between(user_id: int, column: str) -> Exists:
    """Whether a row's person, named in this column, and this one are apart: for a filter."""
    other = OuterRef(column)
    mine = Q(user_id=user_id, blocked_id=other) | Q(blocked_id=user_id, user_id=other)
    return Exists(Block.objects.filter(mine))
