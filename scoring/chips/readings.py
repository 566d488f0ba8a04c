"""What stands in the chip accounts: nothing is opened or moved by looking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import F, Sum

from scoring.chips.grants import starting_grant
from scoring.models import ChipAccount, ChipPosting, ScoreLine, ScoreSheet, SheetSeat, Wager
from scoring.rules import Ended, Line, ScoringRules
from scoring.rules.settling import Settlement, settle
from scoring.rules.stakes import ZERO, Stakes

Kind = ChipAccount.Kind
PAGE = 50


def wallet(user_id: int) -> Decimal:
    """What somebody has; before their first game, what they will be given."""
    own = ChipAccount.objects.filter(kind=Kind.WALLET, user_id=user_id)
    balance = own.values_list("balance", flat=True).first()
    return starting_grant() if balance is None else balance


@dataclass(frozen=True, slots=True)
class Movement:
    """One row of an account's history. ``balance`` is what was there after it.

    ``number`` counts the account's movements; ``sheet_id`` is the first edition of the game.
    """

    number: int
    at: datetime
    kind: str
    amount: Decimal
    balance: Decimal
    sheet_id: int | None
    reason: str
    author: str


def history(
    user_id: int, room: int | None = None, before: int | None = None, most: int = PAGE
) -> list[Movement]:
    """Movements of somebody's wallet, or of their tab in a room, newest first.

    ``before``: those below this number, for the next page; what is added meanwhile shifts nothing.
    """
    own = ChipPosting.objects.filter(
        account__user=user_id,
        account__kind=Kind.WALLET if room is None else Kind.TAB,
        account__room=room,
    )
    if before is not None:
        own = own.filter(number__lt=before)
    rows = own.order_by("-number").values_list(
        "number", "entry__made_at", "entry__kind", "amount", "balance", "entry__wager__sheet",
        "entry__reason", "entry__author",
    )  # fmt: skip
    return [Movement(*row) for row in rows[:most]]


def tabs(room: int) -> dict[int, Decimal]:
    """What each member has on the tab of this room: below zero, they owe."""
    found = ChipAccount.objects.filter(kind=Kind.TAB, room=room).order_by("user_id")
    return {user_id: balance for user_id, balance in found.values_list("user_id", "balance")
            if user_id is not None}  # fmt: skip


def tabs_of(user_id: int) -> dict[int, Decimal]:
    """What somebody has on their tab of each room."""
    found = ChipAccount.objects.filter(kind=Kind.TAB, user_id=user_id).order_by("room")
    return {room: balance for room, balance in found.values_list("room", "balance")
            if room is not None}  # fmt: skip


def in_play(room: int) -> dict[int, Decimal]:
    """What each member's tab has in games of this room that are not settled yet."""
    put_up = ChipPosting.objects.filter(
        entry__kind="put_up", entry__wager__settled_at=None, account__kind=Kind.TAB,
        account__room=room,
    )  # fmt: skip
    found = put_up.values_list("account__user").annotate(Sum("amount")).order_by("account__user")
    return {user_id: -amount for user_id, amount in found if user_id is not None}


@dataclass(frozen=True, slots=True)
class Debt:
    """Who would settle a tab by giving how much to whom; None is the house."""

    debtor: int | None
    creditor: int | None
    amount: Decimal


def debts(room: int) -> list[Debt]:
    """Who owes whom in this room, in as few payments as come of paying the largest first.

    What lies in a pot is still its player's: nobody owes it before the game is settled.
    """
    played = in_play(room)
    members = {who: has + played.get(who, ZERO) for who, has in tabs(room).items()}
    bank = -sum(members.values(), ZERO)  # its commissions and purses
    balances: list[tuple[int | None, Decimal]] = [*members.items(), (None, bank)]
    balances.sort(key=lambda one: abs(one[1]))
    owing = [(-each, who) for who, each in balances if each < 0]
    having = [(each, who) for who, each in balances if each > 0]
    found = []
    while owing and having:
        (owes, debtor), (has, creditor) = owing.pop(), having.pop()
        amount = min(owes, has)
        found.append(Debt(debtor, creditor, amount))
        if owes > amount:
            owing.append((owes - amount, debtor))
        if has > amount:
            having.append((has - amount, creditor))
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a game is or was played for. ``settlement`` is None until its bonuses are written."""

    stakes: Stakes
    put_up_at: datetime
    settled_at: datetime | None
    settlement: Settlement | None


def outcome(sheet_id: int) -> Outcome | None:
    """What this sheet's game is played for, and how this edition shares it; None: for nothing."""
    return outcomes([sheet_id]).get(sheet_id)


def outcomes(sheet_ids: Sequence[int]) -> dict[int, Outcome]:
    """The same for many sheets in four statements, those without stakes left out."""
    sheets = {sheet.pk: sheet for sheet in ScoreSheet.objects.filter(pk__in=list(sheet_ids))}
    firsts = {sheet.original_id or number for number, sheet in sheets.items()}
    wagers = {wager.sheet_id: wager for wager in Wager.objects.filter(sheet__in=firsts)}
    staked = {
        number: wagers[sheet.original_id or number]
        for number, sheet in sheets.items()
        if (sheet.original_id or number) in wagers
    }
    lines, seats = _lines_and_seats([*staked])
    found = {}
    for number, wager in staked.items():
        sheet, stakes, told = sheets[number], Stakes.from_dict(wager.stakes), None
        if wager.settled_at is not None:
            # Without an end: broken off at its start, or corrected to be unfinished.
            ended = Ended(sheet.how, sheet.ended_by) if sheet.bonuses_at is not None else None
            rules = ScoringRules.from_options(sheet.rules)
            told = settle(stakes, rules, lines[number], ended, seats[number])
        found[number] = Outcome(stakes, wager.put_up_at, wager.settled_at, told)
    return found


def _lines_and_seats(sheet_ids: list[int]) -> tuple[dict[int, list[Line]], dict[int, int]]:
    lines: dict[int, list[Line]] = {number: [] for number in sheet_ids}
    seats = dict.fromkeys(sheet_ids, 0)
    if not sheet_ids:
        return lines, seats
    told = ScoreLine.objects.filter(sheet__in=sheet_ids, hand__isnull=False).order_by("pk")
    columns = ("seat", "kind", "hand", "base", "bonus", "multiplier")
    for sheet_id, seat, kind, hand, base, bonus, times in told.values_list("sheet_id", *columns):
        lines[sheet_id].append(Line(seat, kind, hand, base, bonus, times))
    for sheet_id in SheetSeat.objects.filter(sheet__in=sheet_ids).values_list("sheet", flat=True):
        seats[sheet_id] += 1
    return lines, seats


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What somebody could not give back when a settled game was undone."""

    user_id: int
    name: str
    amount: Decimal


def shortfalls() -> list[Shortfall]:
    owing = ChipAccount.objects.filter(kind=Kind.RECEIVABLE, balance__lt=0).order_by("balance")
    return [
        Shortfall(user_id, name, -balance)
        for user_id, name, balance in owing.values_list("user_id", F("user__username"), "balance")
        if user_id is not None
    ]
