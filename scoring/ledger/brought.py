"""A game that was brought in: ended where its file left it open, or let go by who brought it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.refusal import N_, Refusal
from scoring import live, shares
from scoring.ledger.bonuses import write_bonuses
from scoring.ledger.editions import current_of
from scoring.ledger.hands import end_sheet
from scoring.ledger.tallying import tally_again
from scoring.models import ScoreSheet, SheetSeat


def end_brought(sheet_id: int, keeper_id: int) -> int:
    """Call off what is still open: nobody wins (rules, section 12). The edition that ended."""
    with transaction.atomic():
        current = current_of(_own(sheet_id, keeper_id))
        end_sheet(current, "called_off")
        write_bonuses(current)
    return current


def let_go(sheet_id: int, keeper_id: int) -> None:
    """Take it out of one's history and figures, every edition of it; its link opens nothing more.

    What was written stays, under names alone, and nobody's to read.
    """
    with transaction.atomic():
        first = _own(sheet_id, keeper_id)
        shares.revoke(first, keeper_id)
        editions = ScoreSheet.objects.filter(Q(pk=first) | Q(original_id=first))
        seats = SheetSeat.objects.filter(sheet__in=editions, user_id=keeper_id)
        seats.update(user=None, kind=SheetSeat.Kind.NAME)
        tally_again(current_of(first))
        editions.update(keeper=None)
        live.ring(first)


def _own(sheet_id: int, keeper_id: int) -> int:
    """Its first edition, locked, for who brought it in; for anybody else it is not there."""
    first = shares.first_edition(sheet_id)
    brought = ScoreSheet.objects.filter(source=ScoreSheet.Source.IMPORTED, keeper_id=keeper_id)
    if first is None or not brought.select_for_update().filter(pk=first):
        raise Refusal("not_found", N_("There is no such sheet."))
    return first
