"""The administration's rates of units, and in which of them somebody wants to see their chips."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from accounts.refusal import N_
from scoring.chips.accounts import Refused
from scoring.models import UnitRate, UnitWish

MOST = Decimal(100_000)
PLACES = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Rate:
    """So much of a unit for a chip."""

    unit: str
    per_chip: Decimal

    def of(self, amount: Decimal) -> Decimal:
        """What an amount of chips comes to, for the eye alone."""
        return amount * self.per_chip


def rates() -> list[Rate]:
    """The whole table."""
    return [Rate(*row) for row in UnitRate.objects.values_list("unit", "per_chip")]


def set_rate(unit: str, per_chip: Decimal) -> None:
    """Put a unit into the table, or change what stands there; nothing for a chip takes it out."""
    if unit not in UnitRate.Unit.values:
        raise Refused("unknown_unit", N_("The site does not know this unit."))
    if not 0 <= per_chip <= MOST or per_chip != per_chip.quantize(PLACES):
        raise Refused("bad_rate", N_("A rate is a number with at most six decimals."))
    with transaction.atomic():
        if per_chip:
            UnitRate.objects.update_or_create(unit=unit, defaults={"per_chip": per_chip})
        else:
            UnitRate.objects.filter(unit=unit).delete()


def wish(user_id: int, unit: str) -> None:
    """Show somebody their chips in this unit too; in none where the table has no such unit."""
    with transaction.atomic():
        rate = UnitRate.objects.filter(unit=unit).first()
        if rate is None:
            UnitWish.objects.filter(user_id=user_id).delete()
        else:
            UnitWish.objects.update_or_create(user_id=user_id, defaults={"rate": rate})


def wished(user_id: int) -> Rate | None:
    """The unit in which somebody wants to see chips beside chips, and its rate."""
    own = UnitWish.objects.filter(user_id=user_id).values_list("rate__unit", "rate__per_chip")
    row = own.first()
    return None if row is None else Rate(*row)
