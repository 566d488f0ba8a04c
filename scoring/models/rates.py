"""What a chip would be worth in another unit, for the eye alone: no amount is ever kept in it."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class UnitRate(models.Model):
    """One line of the administration's table: so much of a unit for a chip."""

    class Unit(models.TextChoices):
        EUR = "EUR", "€"
        GBP = "GBP", "£"
        USD = "USD", "$"
        CHF = "CHF", "CHF"

    unit = models.CharField(_("unit"), max_length=3, choices=Unit)
    per_chip = models.DecimalField(_("for one chip"), max_digits=12, decimal_places=6)

    class Meta:
        verbose_name = _("rate of a unit")
        verbose_name_plural = _("rates of units")
        ordering = ("unit",)
        constraints = (
            models.UniqueConstraint(fields=["unit"], name="one_rate_a_unit"),
            models.CheckConstraint(
                condition=Q(per_chip__gt=Decimal(0)), name="a_chip_is_worth_something"
            ),
            models.CheckConstraint(
                condition=Q(unit__in=("EUR", "GBP", "USD", "CHF")), name="a_known_unit"
            ),
        )

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.unit}"


class UnitWish(models.Model):
    """In which unit somebody wants to see chips, beside chips. No row: in none."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    rate = models.ForeignKey(UnitRate, on_delete=models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(fields=["user"], name="one_unit_is_wished_for_a_person"),
        )

    def __str__(self) -> str:
        return f"unit wished for by person {self.user_id}"
