"""What games are played for."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.sheets import ScoreSheet


class Wager(models.Model):
    """What one game is played for: put up when it began. Its editions share it.

    ``stakes`` is the game's frozen copy; ``room`` the number of the room whose tabs pay, if tabs
    do, which means nothing to scoring.
    """

    sheet = models.OneToOneField(
        ScoreSheet, on_delete=models.PROTECT, related_name="wager", verbose_name=_("score sheet")
    )
    stakes = models.JSONField(_("stakes"))
    room = models.PositiveBigIntegerField(_("room"), null=True, blank=True)
    put_up_at = models.DateTimeField(_("put up"), default=timezone.now)
    settled_at = models.DateTimeField(_("paid out"), null=True, blank=True)

    class Meta:
        verbose_name = _("wager")
        verbose_name_plural = _("wagers")
        indexes = [
            models.Index(
                name="wagers_still_open", fields=["id"], condition=Q(settled_at=None)
            ),
            models.Index(name="wagers_of_a_room", fields=["room"]),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class WagerSeat(models.Model):
    """Which account a seat put up from, and is paid into; one without a seat put up the purse."""

    wager = models.ForeignKey(Wager, on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)  # none: who put up the purse
    account = models.ForeignKey("scoring.ChipAccount", on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("seat of a wager")
        verbose_name_plural = _("seats of wagers")
        constraints = [
            models.UniqueConstraint(name="one_account_a_seat", fields=["wager", "seat"]),
            models.UniqueConstraint(
                name="one_purse_a_wager", fields=["wager"], condition=Q(seat=None)
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of wager {self.wager_id}"
