"""A game that was brought in: ended where its file left it open, or let go by who brought it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts import names
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

    The points stay written, as any, but name nobody, and are nobody's to read.
    """
    with transaction.atomic():
        first = _own(sheet_id, keeper_id)
        shares.revoke(first, keeper_id)
        editions = ScoreSheet.objects.filter(Q(pk=first) | Q(original_id=first))
        seats = SheetSeat.objects.filter(sheet__in=editions)
        seats.update(user=None, kind=SheetSeat.Kind.NAME, name=names.GONE)
        tally_again(current_of(first))
        editions.update(keeper=None)
        live.ring(first)


def _own(sheet_id: int, keeper_id: int) -> int:
    """Its first edition, for who brought it in; for anybody else it is not there.

    Every edition is locked, and no key: who corrects the latest wants that of the first after it.
    """
    first = shares.first_edition(sheet_id)
    brought = ScoreSheet.objects.filter(source=ScoreSheet.Source.IMPORTED, keeper_id=keeper_id)
    editions = brought.filter(Q(pk=first) | Q(original_id=first)).order_by("pk")
    if first is None or not list(editions.select_for_update(no_key=True)):
        raise Refusal("not_found", N_("There is no such sheet."))
    return first
