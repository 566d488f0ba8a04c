"""A guest turns out to be somebody with an account: what they played becomes that account's.

Done by the administration, as a whole or not at all, by the verbs of each room. Lines are never
touched, and sheets keep the name of the day. Lock order: Room, Member, Game, ScoreSheet, then the
person.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from accounts import forgetting
from accounts.models import User
from accounts.refusal import N_, Refusal
from games import friends, rooms, table, talk
from games.models import Block, GameSeat, Mute
from scoring import archive, ledger, pad, shares


class Unmerged(Refusal):
    """Two people who cannot be made one."""


def merge(guest_id: int, account_id: int) -> None:
    """Give an account all a guest has, and let the guest go. Raises Unmerged.

    Refused if the two ever sat at one table: then they are two people, or played themselves.
    """
    try:
        with transaction.atomic():
            _require_two_who_never_met(guest_id, account_id)
            rooms.hand_over(guest_id, account_id)
            talk.hand_over(guest_id, account_id)
            _keep_away(guest_id, account_id)
            table.hand_over(guest_id, account_id)  # no game is locked after a table
            shares.hand_over(guest_id, account_id)
            ledger.hand_over(guest_id, account_id)
            pad.forget(guest_id)
            archive.forget(guest_id)
            if not User.objects.select_for_update(no_key=True).get(pk=guest_id).is_guest:
                raise _no_guest()
            forgetting.forget(guest_id)
    except IntegrityError:  # they sat down together at this very moment
        raise _met() from None


def _keep_away(guest_id: int, account_id: int) -> None:
    """Whoever wanted nothing of the guest, or not to read them, has the same of the account."""
    apart = Block.objects.filter(blocked_id=guest_id).exclude(user_id=account_id)
    for user_id in list(apart.values_list("user_id", flat=True)):
        friends.block(user_id, account_id, True)
    deaf = Mute.objects.filter(muted_id=guest_id).exclude(user_id=account_id)
    for user_id in list(deaf.values_list("user_id", flat=True)):
        talk.mute(user_id, account_id, True)
    talk.forget(guest_id)
    friends.forget(guest_id)


def _require_two_who_never_met(guest_id: int, account_id: int) -> None:
    if not User.objects.filter(pk=guest_id, is_guest=True).exists():
        raise _no_guest()
    account = User.objects.filter(pk=account_id, is_guest=False, deleted_at=None, bot="")
    if not account.exists():
        raise Unmerged("no_account", N_("Nobody with an account has this name."))
    seats = GameSeat.objects.filter(user_id=guest_id)
    shared = seats.filter(game__table__games__seats__user_id=account_id).exists()
    if shared or ledger.sat_together(guest_id, account_id):
        raise _met()
    if seats.filter(game__ended_at=None).exists():
        raise Unmerged("still_playing", N_("This guest is at a table now. Wait until they left."))


def _met() -> Unmerged:
    return Unmerged("met", N_("The two have sat at one table: they cannot be made one."))


def _no_guest() -> Unmerged:
    return Unmerged("no_guest", N_("This is no guest: only a guest becomes part of an account."))
