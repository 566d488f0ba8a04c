"""Who may read a score sheet or replay its hands: the one place that decides.

Every door asks here, whatever it shows: the page, the files, a replay. What may not be read does
not exist for whoever asks.
"""

from __future__ import annotations

from django.db.models import Q

from games.models import Game
from scoring import shares


def may_read_sheet(user_id: int | None, sheet_id: int, token: str | None = None) -> bool:
    """Its players, its keeper, members of its room, and holders of a share link that still works.

    Anyone where the room is public, signed in or not. Who reads one edition reads them all.
    """
    first = shares.first_edition(sheet_id)
    if first is None:
        return False
    return (
        (token is not None and shares.sheet_of(token) == first)
        or _is_open_to(user_id, first)
        or shares.may_share(user_id, first)
    )


def _is_open_to(user_id: int | None, first: int) -> bool:
    """Whether the room it was played in is public, or this person's."""
    allowed = Q(table__room__is_public=True)
    if user_id is not None:
        allowed |= Q(table__room__members__user_id=user_id)
    return Game.objects.filter(allowed, sheet_id=first).exists()
