"""Beginning a pad, and playing the same two again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from accounts import names as people_names
from accounts.models import User
from accounts.refusal import N_, Refusal
from scoring import ledger
from scoring.ledger import SeatEntry, SheetReading
from scoring.models import PadInvitation, ScoreSheet
from scoring.pad.inviting import DECLINED, ask
from scoring.pad.rights import own_pad, require_current

NAME_LENGTH = 24
OPEN_AT_MOST = 100  # pads a keeper has not finished


def open_pad(
    keeper_id: int,
    rules: Mapping[str, Any],
    names: Sequence[str],
    accounts: Sequence[int | None] = (None, None),
    first_dealer: int = 0,
    me_seat: int | None = None,
) -> int:
    """Begin a sheet under these rules; returns its number.

    ``me_seat``: where the keeper plays, if they do. ``accounts``: whom to invite at each seat: a
    name only, until they accept. Raises Refusal for names or accounts that cannot be.
    """
    keeper = User.objects.get(pk=keeper_id)
    written = [
        keeper.username if seat == me_seat else _tidy(name) for seat, name in enumerate(names)
    ]
    _require_two_people(written)
    seats = [
        SeatEntry(name, keeper_id, "person") if seat == me_seat else SeatEntry(name, None, "name")
        for seat, name in enumerate(written)
    ]
    with transaction.atomic():
        # The bounds count one at a time. The key stays free for who invites this keeper meanwhile.
        User.objects.select_for_update(no_key=True).get(pk=keeper_id)
        _require_room_for_one_more(keeper_id)
        sheet_id = ledger.open_sheet(
            rules, seats, source="paper", keeper_id=keeper_id, first_dealer=first_dealer
        )
        for seat, account in enumerate(accounts):
            if account is not None and seat != me_seat:
                ask(sheet_id, keeper_id, seat, account)
    return sheet_id


def _tidy(name: str) -> str:
    name = " ".join(people_names.tidy(name).split())
    if not name or len(name) > NAME_LENGTH or not people_names.shows_itself(name):
        sentence = N_("Give both players a name of 1 to %(most)s characters.")
        raise Refusal("pad_name", sentence, most=NAME_LENGTH)
    return name


def _require_two_people(names: Sequence[str]) -> None:
    if len({people_names.key(name) for name in names}) < len(names):
        raise Refusal("same_names", N_("The two players need two different names."))


def _require_room_for_one_more(keeper_id: int) -> None:
    kept = ScoreSheet.objects.filter(
        keeper_id=keeper_id, source="paper", ended_at=None, replaced_by=None
    )
    if kept.count() >= OPEN_AT_MOST:
        raise Refusal(
            "too_many_pads",
            N_("You have %(most)s unfinished sheets. End one of them first."),
            most=OPEN_AT_MOST,
        )


def rematch(sheet_id: int, user_id: int) -> int:
    """The same two play again under the same rules, and the other one deals first.

    A rematch that nobody has written on yet is given again: a double click opens one sheet.
    """
    with transaction.atomic():
        old = own_pad(sheet_id, user_id)
        require_current(old)
        if old.ended is None:
            raise Refusal("still_open", N_("This game is not over yet."))
        begun = _untouched_like(old)
        if begun is not None:
            return begun
        dealer = ((old.first_dealer or 0) + 1) % len(old.seats)
        asked = dict(
            PadInvitation.objects.filter(sheet_id=old.original_id)
            .exclude(state=DECLINED)
            .values_list("seat", "user_id")
        )
        accounts = [asked.get(seat.seat) for seat in old.seats]
        return open_pad(
            user_id, old.rules, old.names, accounts, dealer, old.seat_of(user_id)
        )


def _untouched_like(old: SheetReading) -> int | None:
    """A sheet of this keeper, begun after this game, with the same names and rules and no hand."""
    later = ScoreSheet.objects.filter(
        keeper_id=old.keeper_id, source="paper", started_at__gte=old.ended_at, ended_at=None,
        replaces=None, replaced_by=None, hands=None,
    )  # fmt: skip
    found = ledger.read_sheets(list(later.order_by("pk").values_list("pk", flat=True)))
    alike = (one.id for one in found.values() if (one.names, one.rules) == (old.names, old.rules))
    return next(alike, None)
