"""Share links: whoever holds one reads the sheet, until a player of it revokes it.

A sheet has one link that works at a time. It opens every edition of the sheet, also those to come.
"""

from __future__ import annotations

import secrets

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.refusal import N_, Refusal
from scoring.models import ScoreSheet, ShareLink

TOKEN_BYTES = 16


def share(sheet_id: int, user_id: int) -> str:
    """The token of the sheet's link; made now if there is none that works.

    Raises Refusal: not_found, for anyone but its players and keeper.
    """
    with transaction.atomic():
        first = _locked_for(sheet_id, user_id)
        token = token_of(first)
        if token is None:
            token = secrets.token_urlsafe(TOKEN_BYTES)
            ShareLink.objects.create(sheet_id=first, token=token, made_by_id=user_id)
    return token


def revoke(sheet_id: int, user_id: int) -> None:
    """Let the sheet's link lead nowhere from now on. Without one there is nothing to do.

    Raises Refusal: not_found, for anyone but its players and keeper.
    """
    with transaction.atomic():
        first = _locked_for(sheet_id, user_id)
        _working(first).update(revoked_at=timezone.now())


def token_of(sheet_id: int) -> str | None:
    """The token of the link that works now, if there is one."""
    return _working(sheet_id).values_list("token", flat=True).first()


def sheet_of(token: str) -> int | None:
    """The first edition of the sheet this link opens; None for a link revoked or never made."""
    links = ShareLink.objects.filter(token=token, revoked_at=None)
    return links.values_list("sheet_id", flat=True).first()


def may_share(user_id: int | None, sheet_id: int) -> bool:
    """Whether this person is a player of this sheet, or keeps it."""
    if user_id is None:
        return False
    own = Q(seats__user_id=user_id) | Q(keeper_id=user_id)
    return ScoreSheet.objects.filter(own, _family(sheet_id)).exists()


def first_edition(sheet_id: int) -> int | None:
    """The first edition of a sheet, which is itself most of the time; None if there is none."""
    rows = ScoreSheet.objects.filter(pk=sheet_id).values_list("original_id", flat=True)
    for original in rows:
        return original or sheet_id
    return None


def _family(sheet_id: int) -> Q:
    """All editions of a sheet, by its first."""
    first = first_edition(sheet_id)
    return Q(pk=first) | Q(original_id=first)


def _working(sheet_id: int) -> QuerySet[ShareLink]:
    return ShareLink.objects.filter(sheet_id=first_edition(sheet_id), revoked_at=None)


def _locked_for(sheet_id: int, user_id: int) -> int:
    """The first edition, locked, so that two who share at once get the same link."""
    first = first_edition(sheet_id)
    if first is None or not may_share(user_id, first):
        raise Refusal("not_found", N_("There is no such sheet."))
    ScoreSheet.objects.select_for_update().get(pk=first)
    return first


def forget(user_id: int) -> None:
    """Let the links somebody made lead nowhere: they are no longer there to revoke them."""
    made = ShareLink.objects.filter(made_by_id=user_id)
    made.filter(revoked_at=None).update(revoked_at=timezone.now())
    made.update(made_by=None)


def hand_over(user_id: int, to_id: int) -> None:
    """Let an account revoke the links that somebody made as a guest."""
    ShareLink.objects.filter(made_by_id=user_id).update(made_by_id=to_id)
