"""All chips added up again, each sum from its own rows, to compare with what stands there.

Nothing here trusts a trigger: accounts are held against their postings, entries against zero, pots
against what was put up, and what was shared out against the rules as they are now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import Count, F, Max, Q, Sum, Window
from django.db.models.functions import Lag

from scoring.chips.readings import outcomes
from scoring.chips.wagers import SETTLING
from scoring.models import ChipAccount, ChipEntry, ChipPosting, ScoreSheet, Wager, WagerSeat
from scoring.rules.settling import Settlement
from scoring.rules.stakes import ZERO, Stakes, buy_in, purse

Kind = ChipAccount.Kind
AT_ONCE = 200  # wagers read together


@dataclass
class Books:
    """What an audit of chips found: counts, and a line for each difference."""

    accounts: int = 0
    entries: int = 0
    wagers: int = 0
    postings: int = 0
    differences: list[str] = field(default_factory=list)


def audit() -> Books:
    """Add everything up again. To be read in one snapshot where games are played meanwhile."""
    books = Books(
        accounts=ChipAccount.objects.count(),
        entries=ChipEntry.objects.count(),
        wagers=Wager.objects.count(),
        postings=ChipPosting.objects.count(),
    )
    for check in (_the_whole, _entries, _accounts, _running_balances, _wagers):
        books.differences.extend(check())
    return books


def _the_whole() -> Iterator[str]:
    total = ChipAccount.objects.aggregate(sum=Sum("balance"))["sum"]
    if total:
        yield f"all accounts together hold {total}, not nothing"


def _entries() -> Iterator[str]:
    told = ChipEntry.objects.annotate(sum=Sum("postings__amount"), parts=Count("postings"))
    for number, total, parts in told.values_list("pk", "sum", "parts").iterator():
        if total != 0 or parts < 2:
            yield f"entry {number}: {parts} postings add up to {total}"


def _accounts() -> Iterator[str]:
    told = ChipAccount.objects.annotate(
        sum=Sum("postings__amount"), parts=Count("postings"), last=Max("postings__number")
    )
    for one in told.iterator():
        if one.balance != (one.sum or 0):
            yield f"account {one.pk}: the balance is {one.balance}, its postings come to {one.sum}"
        if not one.postings_made == one.parts == (one.last or 0):
            yield f"account {one.pk}: it counts {one.postings_made} postings and has {one.parts}"
        floor = {Kind.WALLET: ZERO, Kind.POT: ZERO, Kind.TAB: one.floor}.get(Kind(one.kind))
        if floor is not None and one.balance < floor:
            yield f"account {one.pk}: {one.balance} is below its floor"


def _running_balances() -> Iterator[str]:
    before = Window(Lag("balance"), partition_by=F("account"), order_by=F("number").asc())
    told = ChipPosting.objects.annotate(before=before)
    columns = ("pk", "amount", "balance", "before")
    for number, amount, balance, was in told.values_list(*columns).iterator():
        if (was or ZERO) + amount != balance:
            yield f"posting {number}: {was} and {amount} do not come to {balance}"


def _wagers() -> Iterator[str]:
    numbers = list(Wager.objects.order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(numbers), AT_ONCE):
        yield from _some_wagers(numbers[at : at + AT_ONCE])


def _some_wagers(numbers: list[int]) -> Iterator[str]:
    wagers = {one.pk: one for one in Wager.objects.filter(pk__in=numbers)}
    latest = _latest([one.sheet_id for one in wagers.values()])
    told = outcomes([sheet.pk for sheet in latest.values()])
    pots = dict(
        ChipAccount.objects.filter(kind=Kind.POT, wager__in=numbers)
        .values_list("wager_id", "balance")
    )  # fmt: skip
    seats: dict[int, list[WagerSeat]] = defaultdict(list)
    for row in WagerSeat.objects.filter(wager__in=numbers).select_related("account"):
        seats[row.wager_id].append(row)
    had, put_up = _moved(numbers)
    for number, wager in wagers.items():
        sheet, stakes = latest[wager.sheet_id], Stakes.from_dict(wager.stakes)
        own = seats[number]
        costs = sum((purse(stakes) if s.seat is None else buy_in(stakes) for s in own), ZERO)
        if put_up[number] != costs:
            yield f"wager {number}: {put_up[number]} was put up, not {costs}"
        if wager.settled_at is None:
            if sheet.bonuses_at is not None:
                yield f"wager {number}: sheet {sheet.pk} is finished, the pot is not shared out"
            if pots[number] != costs:
                yield f"wager {number}: the pot holds {pots[number]}, not {costs}"
            continue
        if pots[number] != 0:
            yield f"wager {number}: {pots[number]} stayed in the pot"
        settlement = told[sheet.pk].settlement
        due = _due(own, settlement) if settlement else {}
        for payee, amount in had[number].items() | due.items():
            if had[number].get(payee, ZERO) != due.get(payee, ZERO):
                yield f"wager {number}: {payee} had {amount}; sheet {sheet.pk} says otherwise"


def _latest(first_ids: list[int]) -> dict[int, ScoreSheet]:
    """By the first edition, the one that counts."""
    family = Q(pk__in=first_ids) | Q(original_id__in=first_ids)
    sheets = ScoreSheet.objects.filter(family, replaced_by=None)
    return {sheet.original_id or sheet.pk: sheet for sheet in sheets}


Payee = tuple[str, int | None]  # the kind, shortfalls counted as the person's own, and whose


def _payee(kind: str, user_id: int | None) -> Payee:
    return ("house", None) if kind == Kind.HOUSE else ("person", user_id)


def _moved(numbers: list[int]) -> tuple[dict[int, dict[Payee, Decimal]], dict[int, Decimal]]:
    """What each had of a pot, and what was put into it."""
    had: dict[int, dict[Payee, Decimal]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    put_up: dict[int, Decimal] = defaultdict(lambda: ZERO)
    postings = ChipPosting.objects.filter(entry__wager__in=numbers)
    columns = ("entry__wager", "entry__kind", "account__kind", "account__user", "amount")
    for wager, what, kind, user_id, amount in postings.values_list(*columns):
        if what in SETTLING and kind != Kind.POT:
            had[wager][_payee(kind, user_id)] += amount
        elif what == "put_up" and kind == Kind.POT:
            put_up[wager] += amount
    return had, put_up


def _due(seats: list[WagerSeat], told: Settlement) -> dict[Payee, Decimal]:
    due: dict[Payee, Decimal] = defaultdict(lambda: ZERO)
    for row in seats:
        payee = _payee(row.account.kind, row.account.user_id)
        due[payee] += told.purse_back if row.seat is None else told.paid[row.seat]
    due["house", None] += told.commission
    return due
