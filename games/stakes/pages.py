"""What a person's chips have done, page by page, and who owes whom in a room."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.called import called
from accounts.models import User
from games.models import Room
from games.stakes.words import CHIPS, UNITS, also, money, signed, signed_figure, unit_name
from scoring import chips
from scoring.models import SheetSeat
from scoring.rules.stakes import ZERO, Stakes, shown

PAGE = 50
SAID = {
    "start": gettext_lazy("Starting chips"),
    "grant": gettext_lazy("Given by the administration"),
    "put_up": gettext_lazy("Put up"),
    "settled": gettext_lazy("Paid out"),
    "again": gettext_lazy("Paid out again, after a correction"),
    "collected": gettext_lazy("Shortfall made good"),
    "closed": gettext_lazy("Account closed"),
}


def chips_page(user_id: int, before: int | None) -> dict[str, Any]:
    """One's own chips: what is there, the tabs of one's rooms, and every movement."""
    balance, rate = chips.wallet(user_id), chips.wished(user_id)
    return {
        "balance": money(balance),
        "also": also(balance, rate),
        "units": [(one.unit, UNITS[one.unit]) for one in chips.rates()],
        "unit_wished": rate.unit if rate else "",
        "tabs": _own_tabs(user_id),
        **_movements(user_id, None, CHIPS, before),
    }


def tab_page(user_id: int, room_id: int, before: int | None) -> dict[str, Any] | None:
    """One's own tab in a room, movement by movement; None where there is none."""
    room = Room.objects.filter(pk=room_id).first()
    balance = chips.tabs_of(user_id).get(room_id)
    if room is None or balance is None:
        return None
    unit, staked = unit_of(room), chips.in_play(room_id).get(user_id, ZERO)
    due = shown(balance + staked)  # what lies in a pot is nobody's debt yet
    return {
        "room": room,
        "balance": money(due, unit),
        "in_play": money(staked, unit) if staked else "",
        "owes": due < 0,
        "owed": due > 0,
        **_movements(user_id, room_id, unit, before),
    }


def unit_of(room: Room) -> str:
    """What amounts are called in this room today."""
    return Stakes.from_dict(room.stakes).unit


def _own_tabs(user_id: int) -> list[dict[str, Any]]:
    balances = chips.tabs_of(user_id)
    return [
        {"room": room, "amount": signed(balances[room.pk], unit_of(room))}
        for room in Room.objects.filter(pk__in=list(balances)).order_by("name", "pk")
        if shown(balances[room.pk])
    ]


def _movements(user_id: int, room_id: int | None, unit: str, before: int | None) -> dict[str, Any]:
    rows = chips.history(user_id, room_id, before, PAGE + 1)
    page, more = rows[:PAGE], rows[PAGE:]
    others = _opponents([row.sheet_id for row in page if row.sheet_id], user_id)
    return {
        "rows": [_row(row, others) for row in page],
        "older": page[-1].number if more else None,
        "newest": before is None,
        "unit": unit_name(unit),
    }


def _opponents(sheet_ids: Collection[int], user_id: int) -> dict[int, str]:
    """Who sat opposite, by sheet; nobody where this person only put up the purse."""
    seats = SheetSeat.objects.filter(sheet_id__in=sheet_ids)
    played = set(seats.filter(user_id=user_id).values_list("sheet_id", flat=True))
    others = seats.exclude(user_id=user_id).values_list("sheet_id", "name")
    return {sheet_id: called(name) for sheet_id, name in others if sheet_id in played}


def _row(row: chips.Movement, others: Mapping[int, str]) -> dict[str, Any]:
    return {
        "at": row.at,
        "what": str(SAID.get(row.kind, row.kind)),
        "against": others.get(row.sheet_id or 0, ""),
        "sheet_id": row.sheet_id,
        "reason": row.reason,
        "amount": signed_figure(row.amount),
        "gain": row.amount > 0,
        "balance": signed_figure(row.balance, plus=False),
    }


def tabs_in_room(room: Room, people: Mapping[int, str]) -> dict[str, Any] | None:
    """Who owes whom in a room, and what each has on the tab; None where nobody has one.

    ``people``: its members; who has left it is looked up.
    """
    balances = chips.tabs(room.pk)
    if not balances:
        return None
    names = {**_names(set(balances) - set(people)), **people}
    unit, staked = unit_of(room), chips.in_play(room.pk)
    settled = {who: balance + staked.get(who, ZERO) for who, balance in balances.items()}
    return {
        "balances": [
            {
                "name": names[who],
                "amount": signed(amount, unit),
                "in_play": money(staked[who], unit) if staked.get(who) else "",
            }
            for who, amount in sorted(settled.items(), key=lambda one: -one[1])
        ],
        "debts": [
            _debt(debt, names, unit) for debt in chips.debts(room.pk) if shown(debt.amount)
        ],
        "own": list(balances),
    }


def _debt(debt: chips.Debt, names: Mapping[int, str], unit: str) -> str:
    told = {
        "debtor": names.get(debt.debtor or 0, _("the house")),
        "creditor": names.get(debt.creditor or 0, _("the house")),
        "amount": money(debt.amount, unit),
    }
    return _("%(debtor)s owes %(creditor)s %(amount)s") % told


def _names(user_ids: Collection[int]) -> dict[int, str]:
    if not user_ids:
        return {}
    found = User.objects.filter(pk__in=list(user_ids)).values_list("pk", "username")
    return {user_id: called(name) for user_id, name in found}
