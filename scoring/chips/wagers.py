"""What a game is played for: put up when it begins, shared out once when it is over.

Called inside the transaction of whoever begins or ends a game. Lock order: Game, ScoreSheet, Wager,
then chip accounts by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
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
    spare,
    tab_of,
    wallet_of,
)
from scoring.chips.grants import begin_with, close, make_good
from scoring.chips.readings import wallet
from scoring.models import ChipAccount, ChipPosting, ScoreSheet, Wager, WagerSeat
from scoring.rules import Ended, Line, ScoringRules
from scoring.rules.settling import Settlement
from scoring.rules.settling import settle as shared_out
from scoring.rules.stakes import ZERO, Stakes, at_least, buy_in, purse, shown

SETTLING = ("settled", "again")


def require_affordable(user_id: int, stakes: Stakes, room: int | None = None) -> None:
    """Refuse somebody a seat they could not pay for.

    Raises Refused: no_chips, being_settled, too_few_chips.

    Nothing is taken or opened; when the game begins it is asked again.
    """
    if not stakes.played_for:
        return
    people = require_people([user_id])
    if stakes.source == "wallet":
        has = wallet(user_id)
    else:
        tab = ChipAccount.objects.filter(kind=Kind.TAB, user_id=user_id, room=room).first()
        has = stakes.tab_limit + (tab.balance if tab else ZERO)
    if has < buy_in(stakes):
        _require_settled(user_id)
        raise Refused(
            "too_few_chips",
            N_("You have %(has)s, and a game at this table costs %(needs)s."),
            name=people[user_id].username,
            has=at_least(max(has, ZERO)),
            needs=shown(buy_in(stakes)),
        )


def _require_settled(user_id: int) -> None:
    """Refuse to call anybody poor whose winnings may still lie in a pot. Raises: being_settled."""
    over = Wager.objects.filter(settled_at=None, sheet__ended_at__isnull=False)
    if over.filter(seats__account__user=user_id).exists():
        raise Refused(
            "being_settled",
            N_("The chips of a game just over are still being counted. Ask again in a moment."),
        )


def put_up(
    sheet_id: int,
    stakes: Stakes,
    players: Sequence[int],
    room: int | None = None,
    purse_from: int | None = None,
    at: datetime | None = None,
) -> None:
    """Take what each player puts up, and the purse, into the pot of this game: all or nothing.

    ``players`` are people in the order of their seats, ``room`` the number whose tabs pay if tabs
    do, ``purse_from`` who pays the purse where the house does not. To be called in the transaction
    that starts the game. Raises Refused: no_chips, being_settled, too_few_chips (naming whose),
    no_purse.
    """
    if not stakes.played_for:
        return
    with transaction.atomic():
        payers = [*players, *_purse_payers(stakes, purse_from)]
        people = require_people(payers)
        own, new = _accounts_of(sorted(people), stakes, room)
        wager = Wager.objects.create(
            sheet_id=sheet_id, stakes=stakes.to_dict(), room=room, put_up_at=at or timezone.now()
        )
        pot = ChipAccount.objects.create(kind=Kind.POT, wager=wager)
        bank = [house()] if new or _from_house(stakes) else []
        held = locked([*own.values(), pot, *bank])
        if new:
            begin_with(held, new, at)
        seats = _seats_of(wager, stakes, [own[payer] for payer in payers], len(players), bank)
        taken = _taken(seats, stakes)
        _require_enough(taken, {own[user_id].pk: people[user_id] for user_id in own}, held, stakes)
        _set_floors(own.values(), stakes)
        moved = {number: -amount for number, amount in taken.items()}
        post(
            held, {**moved, pot.pk: sum(taken.values(), ZERO)}, "put_up", wager_id=wager.pk, at=at
        )
        WagerSeat.objects.bulk_create(seats)


def _from_house(stakes: Stakes) -> bool:
    return stakes.mode == "purse" and stakes.purse_from == "house"


def _purse_payers(stakes: Stakes, purse_from: int | None) -> list[int]:
    if stakes.mode != "purse" or stakes.purse_from == "house":
        return []
    if purse_from is None:
        raise Refused("no_purse", N_("Nobody is there any more to put up the purse."))
    return [purse_from]


def _seats_of(
    wager: Wager,
    stakes: Stakes,
    payers: Sequence[ChipAccount],
    players: int,
    bank: Sequence[ChipAccount],
) -> list[WagerSeat]:
    """A row for each seat, and one without for the purse: the last payer's, or the house's."""
    seats = [
        WagerSeat(wager=wager, seat=seat, account=account)
        for seat, account in enumerate(payers[:players])
    ]
    if stakes.mode == "purse":
        source = bank[0] if _from_house(stakes) else payers[players]
        seats.append(WagerSeat(wager=wager, seat=None, account=source))
    return seats


def _taken(seats: Sequence[WagerSeat], stakes: Stakes) -> dict[int, Decimal]:
    taken: dict[int, Decimal] = {}
    for row in seats:
        amount = purse(stakes) if row.seat is None else buy_in(stakes)
        taken[row.account_id] = taken.get(row.account_id, ZERO) + amount
    return taken


def _accounts_of(
    user_ids: Iterable[int], stakes: Stakes, room: int | None
) -> tuple[dict[int, ChipAccount], list[ChipAccount]]:
    """The account each of them pays from, and the wallets among those that are new."""
    own, new = {}, []
    for user_id in user_ids:
        if stakes.source == "tab":
            own[user_id] = tab_of(user_id, room or 0)
            continue
        own[user_id], opened = wallet_of(user_id)
        if opened:
            new.append(own[user_id])
    return own, new


def _require_enough(
    taken: dict[int, Decimal],
    whose: dict[int, User],
    held: dict[int, ChipAccount],
    stakes: Stakes,
) -> None:
    for number, amount in taken.items():
        if number in whose and held[number].balance + stakes.tab_limit < amount:
            _require_settled(whose[number].pk)
            # How many they have is nobody else's: the sentence may be read by the other.
            raise Refused(
                "too_few_chips",
                N_("%(name)s has too few chips for this table: a game costs %(needs)s."),
                name=whose[number].username,
                needs=shown(amount),
            )


def _set_floors(accounts: Iterable[ChipAccount], stakes: Stakes) -> None:
    """The limit of today's game is the tab's; nobody is below it, or they were refused."""
    numbers = [account.pk for account in accounts if account.kind == Kind.TAB]
    if numbers:
        ChipAccount.objects.filter(pk__in=numbers).update(floor=-stakes.tab_limit)


def settle(
    sheet: ScoreSheet,
    rules: ScoringRules,
    lines: Iterable[Line],
    ended: Ended | None,
    seats: int,
    at: datetime | None = None,
) -> bool:
    """Share the pot out as this sheet says; False if there is nothing (left) to share.

    Once an edition, whoever asks again: the wager's lock lets one in at a time. A later edition
    moves the difference alone, out of what those who have to give back still have; the rest is
    their shortfall, so it never fails. To be called by the ledger, in the transaction in which it
    has locked the sheet.
    """
    wagers = Wager.objects.select_for_update(no_key=True)
    wager = wagers.filter(sheet_id=sheet.original_id or sheet.pk).first()
    if wager is None or _is_told(wager, sheet.pk):
        return False
    stakes = Stakes.from_dict(wager.stakes)
    _share(wager, sheet.pk, shared_out(stakes, rules, lines, ended, seats), at)
    return True


def _is_told(wager: Wager, sheet_id: int) -> bool:
    """Whether this edition was settled, or counts no more."""
    settled = wager.entries.filter(sheet_id=sheet_id, kind__in=SETTLING).exists()
    return settled or ScoreSheet.objects.filter(replaces_id=sheet_id).exists()


def _share(wager: Wager, sheet_id: int, told: Settlement, at: datetime | None) -> None:
    """Move what is still to be moved for everybody to have what this settlement says."""
    again = wager.settled_at is not None
    seats = list(wager.seats.select_related("account__user").order_by("pk"))
    payees = {row.account_id: row.account for row in seats}
    due = dict.fromkeys(payees, ZERO)
    for row in seats:
        due[row.account_id] += told.purse_back if row.seat is None else told.paid[row.seat]
    gone = [one for one in payees.values() if one.kind == Kind.WALLET and _is_gone(one)]
    short = {}
    if again:
        people = sorted({one.user_id for one in payees.values() if one.user_id is not None})
        short = {user_id: shortfall_of(user_id) for user_id in people}
    wallets = {one.user_id: one for one in payees.values() if one.kind == Kind.WALLET}
    owing = owing_of([user_id for user_id in wallets if user_id is not None])
    bank = [house()] if told.commission or gone or again else []
    for one in bank:
        due[one.pk] = due.get(one.pk, ZERO) + told.commission
    pot = ChipAccount.objects.get(kind=Kind.POT, wager=wager)
    held = locked([*payees.values(), *short.values(), *owing.values(), *bank, pot])
    had = _so_far(wager, short, payees) if again else {}
    moved: dict[int, Decimal] = {}
    for number, amount in due.items():
        account = held[number]
        owed = held[short[account.user_id].pk] if account.user_id in short else None
        _move(moved, account, amount - had.get(number, ZERO), owed)
    moved[pot.pk] = -sum(moved.values(), ZERO)
    kind = "again" if again else "settled"
    post(held, moved, kind, wager_id=wager.pk, sheet_id=sheet_id, at=at)
    for user_id, owed in owing.items():  # who comes into chips gives back what they fell short of
        make_good(held, wallets[user_id], owed)
    for account in gone:
        close(held, account)
    if not again:
        Wager.objects.filter(pk=wager.pk).update(settled_at=at or timezone.now())


def _is_gone(account: ChipAccount) -> bool:
    return account.user is not None and account.user.deleted_at is not None


def _so_far(
    wager: Wager, short: dict[int, ChipAccount], payees: dict[int, ChipAccount]
) -> dict[int, Decimal]:
    """What each account has had of this game's pot, a shortfall counted with whose it is."""
    of_person = {one.user_id: number for number, one in payees.items() if one.user_id is not None}
    counted = {short[user_id].pk: number for user_id, number in of_person.items()}
    postings = ChipPosting.objects.filter(entry__wager=wager, entry__kind__in=SETTLING)
    had: dict[int, Decimal] = {}
    for number, amount in postings.values_list("account").annotate(Sum("amount")):
        number = counted.get(number, number)
        had[number] = had.get(number, ZERO) + amount
    return had


def _move(
    moved: dict[int, Decimal], account: ChipAccount, amount: Decimal, owed: ChipAccount | None
) -> None:
    """Pay an account, what its owner fell short of first; or take from it as far as it goes."""
    if owed is None:
        moved[account.pk] = amount
        return
    if amount >= 0:
        beside = min(amount, -owed.balance)
    else:
        beside = min(ZERO, amount + max(ZERO, spare(account)))
    moved[owed.pk] = beside
    moved[account.pk] = amount - beside
