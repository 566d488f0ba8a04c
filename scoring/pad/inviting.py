"""Accounts asked whether they are a name on a pad: until they accept, they are a name only."""

from __future__ import annotations

from django.db import transaction

from accounts import people
from accounts.refusal import N_, Refusal
from scoring import ledger, live
from scoring.models import PadInvitation, ScoreSheet, SheetSeat
from scoring.pad.rights import own_pad, require_current

ASKED, ACCEPTED, DECLINED = PadInvitation.State.values
UNANSWERED_AT_MOST = 20  # invitations of a keeper that nobody has answered


def invite(sheet_id: int, user_id: int, seat: int, invited_id: int) -> None:
    """Ask an account whether it is the name at this seat."""
    with transaction.atomic():
        pad = own_pad(sheet_id, user_id)
        require_current(pad)
        if not 0 <= seat < len(pad.seats) or pad.seats[seat].user_id is not None:
            raise Refusal("seat_taken", N_("This seat has its account already."))
        ask(pad.original_id, user_id, seat, invited_id)
        live.ring_pad(pad.original_id)


def ask(first: int, keeper_id: int, seat: int, invited_id: int) -> None:
    """Whoever declined is not asked again; another account may be, in their place."""
    known = PadInvitation.objects.filter(sheet_id=first)
    if invited_id == keeper_id or known.filter(user_id=invited_id).exclude(seat=seat).exists():
        raise Refusal("one_seat_each", N_("Nobody plays both seats of a game."))
    here = known.filter(seat=seat).first()
    if here is not None and here.user_id == invited_id:
        if here.state == DECLINED:
            raise Refusal("declined", N_("They said no to this sheet."))
        return
    waiting = PadInvitation.objects.filter(sheet__keeper_id=keeper_id, state=ASKED)
    if waiting.count() >= UNANSWERED_AT_MOST:
        raise Refusal(
            "too_many_invitations",
            N_("%(most)s of your invitations wait for an answer. Let them be answered first."),
            most=UNANSWERED_AT_MOST,
        )
    known.filter(seat=seat).delete()
    PadInvitation.objects.create(sheet_id=first, seat=seat, user_id=invited_id)
    people.ring(invited_id)


def accept(invitation_id: int, user_id: int) -> int:
    """Say that one is the name on this pad: from now on the game is in one's history.

    Returns the latest edition. Saying so twice changes nothing.
    """
    with transaction.atomic():
        found = _invitation(invitation_id, user_id)
        current = _locked_current(found.sheet_id)
        if _invitation(invitation_id, user_id).state != ASKED:
            return current
        PadInvitation.objects.filter(pk=invitation_id).update(state=ACCEPTED)
        SheetSeat.objects.filter(sheet_id=current, seat=found.seat).update(
            user_id=user_id, kind="person"
        )
        ledger.tally_again(current)
        _answered(found, current, user_id)
    return current


def decline(invitation_id: int, user_id: int) -> None:
    """Stay out of it: the seat remains a name."""
    with transaction.atomic():
        found = _invitation(invitation_id, user_id)
        current = _locked_current(found.sheet_id)
        waiting = PadInvitation.objects.filter(pk=invitation_id, state=ASKED)
        if waiting.update(state=DECLINED):
            _answered(found, current, user_id)


def _answered(found: PadInvitation, current: int, user_id: int) -> None:
    live.ring(current)
    live.ring_pad(found.sheet_id)
    people.ring(user_id)


def _invitation(invitation_id: int, user_id: int) -> PadInvitation:
    found = PadInvitation.objects.filter(pk=invitation_id, user_id=user_id).first()
    if found is None:
        raise Refusal("not_found", N_("There is no such invitation."))
    return found


def _locked_current(sheet_id: int) -> int:
    """The latest edition, locked; looked for again where one was made while we waited."""
    while True:
        current = ledger.current_of(sheet_id)
        ScoreSheet.objects.select_for_update().get(pk=current)
        if not ScoreSheet.objects.filter(replaces_id=current).exists():
            return current
