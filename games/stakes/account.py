"""How the chips of a game were shared out: the arithmetic, the sentence, and before its end what
it would come to. Everything is worked out by scoring; here it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.stakes.words import exact, figure, money, percent
from scoring import chips, ledger
from scoring.ledger import SheetReading
from scoring.rules import ScoringRules
from scoring.rules.settling import LEAST_LEFT_POINTS, Settlement, settle
from scoring.rules.stakes import BUY_IN_POINTS, Stakes, shown


@dataclass(frozen=True, slots=True)
class Sum:
    """One line of the arithmetic."""

    label: str
    amount: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """What a game came to in chips. ``pending``: its bonuses are being written, nothing moved yet.
    """

    verdict: str
    sums: tuple[Sum, ...]
    sentence: str
    pending: bool

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def account_of(
    sheet: SheetReading, told: chips.Outcome | None, reader: int | None = None
) -> Account | None:
    """The account of a game that is over; None where nothing was played for.

    ``reader``: the seat that reads, which is spoken to as "you".
    """
    if told is None or sheet.ended is None:
        return None
    settlement, pending = told.settlement, told.settlement is None
    if settlement is None:
        rules = ScoringRules.from_options(sheet.rules)
        settlement = settle(told.stakes, rules, sheet.lines, sheet.ended, len(sheet.seats))
    sums = _sums(told.stakes, settlement, sheet)
    if settlement.winner not in (None, reader) and told.stakes.mode == "money":
        name = sheet.names[settlement.winner or 0]
        sums[-1] = replace(sums[-1], label=f"{name}, {_uncapped(sums[-1].label)}")
    return Account(
        verdict(told.stakes, settlement, sheet.names, reader),
        tuple(sums),
        sentence(told.stakes, settlement, sheet),
        pending,
    )


def _uncapped(label: str) -> str:
    """A label behind a name."""
    return label[:1].lower() + label[1:]


def sentences(sheet_ids: Sequence[int]) -> dict[int, str]:
    """What a table says of these games, in a fixed number of statements; unsettled ones are out."""
    told = chips.outcomes(sheet_ids) if sheet_ids else {}
    sheets = ledger.read_sheets(list(told))
    found = {number: account_of(sheets[number], told[number]) for number in told}
    return {number: one.sentence for number, one in found.items() if one and not one.pending}


def verdict(
    stakes: Stakes, settled: Settlement, names: Sequence[str], reader: int | None = None
) -> str:
    """Who has won how much, in one sentence."""
    if settled.winner is None:
        return _("Every chip goes back to whoever put it up.")
    won = money(settled.net, stakes.unit)
    if reader == settled.winner:
        return _("You win %(amount)s.") % {"amount": won}
    if reader is not None and settled.lost[reader]:
        lost = money(settled.lost[reader], stakes.unit)
        return _("You lose %(amount)s.") % {"amount": lost}
    return _("%(name)s wins %(amount)s.") % {"name": names[settled.winner], "amount": won}


def sentence(stakes: Stakes, settled: Settlement, sheet: SheetReading) -> str:
    """The exact amounts in one line, as the table's chat says them."""
    told = verdict(stakes, settled, sheet.names)
    parts = [
        _("%(label)s: %(amount)s") % {"label": line.label, "amount": line.amount}
        for line in _sums(stakes, settled, sheet)
    ]
    return f"{told} {' · '.join(parts)}"


def _sums(stakes: Stakes, settled: Settlement, sheet: SheetReading) -> list[Sum]:
    if settled.winner is None:
        return _given_back(stakes, settled)
    if stakes.mode == "money":
        won = _points(stakes, settled, sheet)
        label, paid = _("Net gain"), settled.net
    else:
        won = _pot(stakes, settled)
        label, paid = _("Paid to the winner"), settled.paid[settled.winner]
    end = Sum(label + _exactly(paid), money(paid, stakes.unit), total=True)
    return [*won, *_commission(settled), end]


def _exactly(amount: Decimal) -> str:
    """The amount to its last place, where two do not show all of it."""
    return "" if shown(amount) == amount else f" = {exact(amount)}"


def _given_back(stakes: Stakes, settled: Settlement) -> list[Sum]:
    if stakes.mode == "purse":
        return [Sum(_("Purse, given back"), money(settled.purse_back, stakes.unit), total=True)]
    return [Sum(_("Given back to each"), money(settled.buy_in, stakes.unit), total=True)]


def _pot(stakes: Stakes, settled: Settlement) -> list[Sum]:
    if stakes.mode == "purse":
        return [Sum(_("Purse"), figure(settled.pot))]
    stake = figure(settled.buy_in)
    return [Sum(_("Pot, 2 × %(stake)s") % {"stake": stake}, figure(settled.pot))]


def _points(stakes: Stakes, settled: Settlement, sheet: SheetReading) -> list[Sum]:
    """Buy-in, difference and its price: what is paid is at most the buy-in."""
    points, amount = max(settled.points), figure(stakes.amount)
    buy_in = {"points": BUY_IN_POINTS, "amount": amount}
    found = [Sum(_("Buy-in, %(points)s × %(amount)s") % buy_in, figure(settled.buy_in))]
    owed = points * stakes.amount
    told = {"points": points, "amount": amount, "how": _how(settled, sheet)}
    label = ngettext(
        "%(points)s point (%(how)s) × %(amount)s",
        "%(points)s points (%(how)s) × %(amount)s",
        points,
    )
    found.append(Sum(label % told, figure(owed)))
    if owed > settled.at_stake:
        found.append(Sum(_("Never more than the buy-in"), figure(settled.at_stake)))
    return found


def _how(settled: Settlement, sheet: SheetReading) -> str:
    """Where the points that are paid for come from."""
    if not settled.left:
        totals, points = _totals(sheet), max(settled.points)
        high, low = max(totals), min(totals)
        return f"{high} − {low}" if high - low == points else _("difference of the totals")
    if max(settled.points) == LEAST_LEFT_POINTS:
        return _("the least for leaving")
    return _("as if the target had been reached")


def _totals(sheet: SheetReading) -> list[int]:
    """Final totals without an administrator's corrections, which move no chips."""
    totals = list(sheet.standing.totals)
    for line in sheet.lines:
        if line.kind == "correction":
            totals[line.seat] -= line.points
    return totals


def _commission(settled: Settlement) -> list[Sum]:
    if not settled.commission:
        return []
    label = _("Commission, %(rate)s of %(amount)s") % {
        "rate": percent(settled.rate),
        "amount": figure(settled.at_stake),
    }
    label += _exactly(settled.commission)
    return [Sum(label, "−" + figure(settled.commission))]
