"""The hands of a pad: written, taken back, corrected, and the game stopped by agreement."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.refusal import N_, Refusal
from scoring import ledger, live, tasks
from scoring.ledger import SheetReading
from scoring.models import SheetHand
from scoring.pad.rights import own_pad, require_current
from scoring.rules import MOST_HANDS, HandResult, Standing


def enter(
    sheet_id: int, user_id: int, number: int, result: HandResult, entry: UUID | None = None
) -> Standing:
    """Write a hand. The same ``entry`` sent twice writes once, whatever happened in between.

    ``number`` must be the next one: a writer who missed a hand is told so, not corrected.
    """
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        known = entry is not None and SheetHand.objects.filter(_family(pad), entry=entry).exists()
        if not known and pad.ended is None and number != len(pad.hands) + 1:
            require_current(pad)
            raise Refusal(
                "out_of_step",
                N_("Hand %(number)s is not the next one: the sheet has %(hands)s."),
                number=number,
                hands=len(pad.hands),
            )
        if not known and number > MOST_HANDS:
            sentence = N_("One game has at most %(most)s hands.")
            raise Refusal("too_many_hands", sentence, most=MOST_HANDS)
        standing = ledger.record_hand(sheet_id, number, result, entry)
        _tell(pad, ended=standing.finished and not known)
    return standing


def undo(sheet_id: int, user_id: int) -> int:
    """Take the last hand back: a new edition without it; returns its number."""
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        if not pad.hands:
            raise Refusal("no_hand", N_("There is no hand to take back."))
        return _edition(pad, pad.results[:-1])


def correct(sheet_id: int, user_id: int, number: int, result: HandResult | None) -> int:
    """A new edition where this hand ended otherwise, or was never played (None)."""
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        if not 1 <= number <= len(pad.hands):
            raise Refusal("no_hand", N_("There is no such hand on this sheet."))
        before, after = pad.results[: number - 1], pad.results[number:]
        between = () if result is None else (result,)
        if between == (pad.results[number - 1],):
            require_current(pad)
            return sheet_id
        return _edition(pad, (*before, *between, *after))


def end(sheet_id: int, user_id: int) -> None:
    """Both agreed to stop here: the game is called off and nobody wins (rules, section 12)."""
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        ledger.end_sheet(sheet_id, "called_off")
        _tell(pad, ended=True)


def reopen(sheet_id: int, user_id: int) -> int:
    """Play on after all: a new edition of a game that was called off."""
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        if pad.ended is None or pad.ended.how != "called_off":
            raise Refusal("not_called_off", N_("Only a game that was called off can go on."))
        return _edition(pad, pad.results)


def _edition(pad: SheetReading, results: Sequence[HandResult]) -> int:
    new = ledger.edition(pad.id, results)
    live.ring_pad(pad.original_id)
    return new


def _tell(pad: SheetReading, ended: bool) -> None:
    live.ring(pad.id)
    live.ring_pad(pad.original_id)
    if ended:
        transaction.on_commit(lambda: tasks.write_bonuses.delay(pad.id), robust=True)


def _family(pad: SheetReading) -> Q:
    return Q(sheet_id=pad.original_id) | Q(sheet__original_id=pad.original_id)
