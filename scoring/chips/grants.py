"""Chips out of the house: what every account starts with, what the administration grants.

And back into it: a wallet closed with its account, a shortfall made good.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.refusal import N_
from scoring.chips.accounts import (
    Kind,
    Refused,
    house,
    locked,
    owing_of,
    post,
    require_people,
    shortfall_of,
    wallet_of,
)
from scoring.models import ChipAccount, StartingGrant, UnitWish
from scoring.rules.stakes import MOST, at_least, shown

STARTING = Decimal("1000.00")  # until the administration says otherwise


def starting_grant() -> Decimal:
    """What a new wallet is given."""
    latest = StartingGrant.objects.order_by("-pk").values_list("amount", flat=True).first()
    return STARTING if latest is None else latest


def set_starting_grant(amount: Decimal, reason: str, author: str) -> None:
    """From now on new wallets are given this much; those there are keep what they had."""
    _require_why(reason, author)
    if not 0 <= amount <= MOST or amount != shown(amount):
        raise _bad_amount()
    StartingGrant.objects.create(amount=amount, reason=reason.strip(), author=author.strip())


def ensure_starting_grant(user_id: int) -> None:
    """Open somebody's wallet with what everybody is given, once. Raises Refused: no_chips."""
    with transaction.atomic():
        require_people([user_id])
        wallet, new = wallet_of(user_id)
        if new:
            begin_with(locked([wallet, house()]), [wallet])


def begin_with(
    held: dict[int, ChipAccount], wallets: list[ChipAccount], at: datetime | None = None
) -> None:
    """Give new wallets what the rule says, in the transaction that opened them."""
    bank = _house_in(held)
    given = starting_grant()
    for wallet in wallets:
        post(held, {wallet.pk: given, bank.pk: -given}, "start", user_id=wallet.user_id, at=at)


def grant(user_id: int, amount: Decimal, reason: str, author: str) -> None:
    """Give somebody chips, or take some back; never more than they have.

    Raises Refused: no_reason, bad_amount, too_few_chips, no_chips.
    """
    _require_why(reason, author)
    if not amount or abs(amount) > MOST or amount != shown(amount):
        raise _bad_amount()
    with transaction.atomic():
        people = require_people([user_id])
        if people[user_id].deleted_at is not None:
            raise Refused("no_chips", N_("This account was deleted."))
        wallet, new = wallet_of(user_id)
        owing = owing_of([user_id])
        held = locked([wallet, house(), *owing.values()])
        if new:
            begin_with(held, [wallet])
        if held[wallet.pk].balance + amount < 0:
            raise Refused(
                "too_few_chips",
                N_("%(name)s has only %(has)s."),
                name=people[user_id].username,
                has=at_least(held[wallet.pk].balance),
            )
        moved = {wallet.pk: amount, _house_in(held).pk: -amount}
        post(held, moved, "grant", reason=reason.strip(), author=author.strip())
        for owed in owing.values():
            make_good(held, wallet, owed)


def collect(user_id: int) -> Decimal:
    """Make somebody's shortfall good out of their wallet, as far as it goes; how much that was."""
    with transaction.atomic():
        wallet, _new = wallet_of(user_id)
        owed = shortfall_of(user_id)
        return make_good(locked([wallet, owed]), wallet, owed)


def make_good(held: dict[int, ChipAccount], wallet: ChipAccount, owed: ChipAccount) -> Decimal:
    """The same over accounts that are locked, in its caller's transaction."""
    taken = min(held[wallet.pk].balance, -held[owed.pk].balance)
    post(held, {wallet.pk: -taken, owed.pk: taken}, "collected")
    return taken


def forget(user_id: int) -> None:
    """Somebody goes: what they owe is made good, the rest is the house's. Tabs stay for others."""
    with transaction.atomic():
        UnitWish.objects.filter(user_id=user_id).delete()
        own = ChipAccount.objects.filter(user_id=user_id)
        wallet = own.filter(kind=Kind.WALLET).first()
        if wallet is None:
            return
        owing = owing_of([user_id])
        held = locked([wallet, house(), *owing.values()])
        for owed in owing.values():
            make_good(held, wallet, owed)
        close(held, wallet)


def close(held: dict[int, ChipAccount], wallet: ChipAccount) -> None:
    left = held[wallet.pk].balance
    post(held, {wallet.pk: -left, _house_in(held).pk: left}, "closed")


def _house_in(held: dict[int, ChipAccount]) -> ChipAccount:
    return next(account for account in held.values() if account.kind == Kind.HOUSE)


def _require_why(reason: str, author: str) -> None:
    if not reason.strip() or not author.strip():
        raise Refused("no_reason", N_("Chips are given for a reason, and by somebody."))


def _bad_amount() -> Refused:
    return Refused(
        "bad_amount",
        N_("An amount of chips has at most two decimals, and is at most %(most)s."),
        most=MOST,
    )
