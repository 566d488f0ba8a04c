"""Chip accounts found, opened and locked, and the one function that writes an entry.

Whoever moves chips first opens every account it may need, in the order of people, then locks them
all at once in the order of their numbers, then posts: so no two of them wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from accounts.models import User
from accounts.refusal import N_, Refusal
from scoring.models import ChipAccount, ChipEntry, ChipPosting
from scoring.rules.stakes import ZERO

Kind = ChipAccount.Kind


class Refused(Refusal):
    """Chips that cannot be moved."""


def house() -> ChipAccount:
    return ChipAccount.objects.get_or_create(kind=Kind.HOUSE)[0]


def wallet_of(user_id: int) -> tuple[ChipAccount, bool]:
    """Somebody's wallet, and whether it was opened just now."""
    return ChipAccount.objects.get_or_create(kind=Kind.WALLET, user_id=user_id)


def tab_of(user_id: int, room: int) -> ChipAccount:
    return ChipAccount.objects.get_or_create(kind=Kind.TAB, user_id=user_id, room=room)[0]


def shortfall_of(user_id: int) -> ChipAccount:
    return ChipAccount.objects.get_or_create(kind=Kind.RECEIVABLE, user_id=user_id)[0]


def owing_of(user_ids: Iterable[int]) -> dict[int, ChipAccount]:
    """The shortfalls among these people, by whose they are."""
    owing = ChipAccount.objects.filter(
        kind=Kind.RECEIVABLE, balance__lt=0, user_id__in=list(user_ids)
    )
    return {one.user_id: one for one in owing if one.user_id is not None}


def require_people(user_ids: Iterable[int]) -> dict[int, User]:
    """The people behind these numbers. Guests and the computer have no chips."""
    people = User.objects.in_bulk(list(user_ids))
    if any(person.bot for person in people.values()):
        raise Refused("no_chips", N_("The computer does not play for chips."))
    if any(person.is_guest for person in people.values()):
        raise Refused("no_chips", N_("Guests have no chips: choose a password to keep your name."))
    return people


def locked(accounts: Iterable[ChipAccount]) -> dict[int, ChipAccount]:
    """These accounts as they are now, nobody else's to change until the transaction ends."""
    numbers = {account.pk for account in accounts}
    held = ChipAccount.objects.select_for_update(no_key=True).filter(pk__in=numbers)
    return {account.pk: account for account in held.order_by("pk")}


def post(
    held: Mapping[int, ChipAccount],
    moved: Mapping[int, Decimal],
    kind: str,
    *,
    wager_id: int | None = None,
    sheet_id: int | None = None,
    user_id: int | None = None,
    reason: str = "",
    author: str = "",
    at: datetime | None = None,
) -> None:
    """Write one entry over locked accounts; what does not change has no posting.

    The triggers carry the balances over, and refuse what does not add up.
    """
    moved = {number: amount for number, amount in moved.items() if amount}
    if not moved:
        return
    entry = ChipEntry.objects.create(
        kind=kind, wager_id=wager_id, sheet_id=sheet_id, user_id=user_id, reason=reason,
        author=author, made_at=at or timezone.now(),
    )  # fmt: skip
    postings = []
    for number, amount in sorted(moved.items()):
        account = held[number]
        account.balance += amount
        account.postings_made += 1
        postings.append(
            ChipPosting(
                entry=entry, account=account, amount=amount,
                number=account.postings_made, balance=account.balance,
            )
        )  # fmt: skip
    ChipPosting.objects.bulk_create(postings)


def spare(account: ChipAccount) -> Decimal:
    """What can be taken out of a wallet or tab now."""
    return account.balance - (account.floor if account.kind == Kind.TAB else ZERO)
