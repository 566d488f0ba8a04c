"""Sheets, and who sat at them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import rules


class ScoreSheet(models.Model):
    """One game's paper. Its rules are a frozen copy: no later change of a preset reaches them.

    A corrected game is a new edition that ``replaces`` the old one; every edition knows the
    ``original``, which is None on the first itself. Only a sheet without ``replaced_by`` counts.
    """

    class How(models.TextChoices):
        TARGET = "target", _("Target reached")
        RESIGNED = "resigned", _("Resigned")
        TIME = "time", _("Lost on time")
        CLAIMED = "claimed", _("Claimed after absence")
        CALLED_OFF = "called_off", _("Called off by both players")
        VOIDED = "voided", _("Voided")

    class Source(models.TextChoices):
        TABLE = "table", _("Played here")
        PAPER = "paper", _("Real cards")
        IMPORTED = "imported", _("Imported")

    rules = models.JSONField(_("rules"))
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    how = models.CharField(_("how it ended"), max_length=10, choices=How, default="", blank=True)
    ended_by = models.PositiveSmallIntegerField(_("ended by seat"), null=True, blank=True)
    bonuses_at = models.DateTimeField(_("bonuses written"), null=True, blank=True)
    replaces = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        verbose_name=_("replaces"),
    )
    original = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="editions",
        verbose_name=_("first edition"),
    )
    source = models.CharField(_("source"), max_length=8, choices=Source, default=Source.TABLE)
    keeper = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("kept by"),
    )
    first_dealer = models.PositiveSmallIntegerField(_("first dealer"), null=True, blank=True)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints = [
            models.CheckConstraint(
                name="ended_needs_how_and_time",
                condition=Q(how="", ended_at=None, ended_by=None, bonuses_at=None)
                | Q(how__in=rules.ENDS, ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="leaving_or_reaching_names_a_seat",
                condition=~Q(how__in=("target", *rules.LEFT)) | Q(ended_by__isnull=False),
            ),
            models.CheckConstraint(
                name="an_edition_replaces_another_sheet",
                condition=Q(replaces=None) | ~Q(replaces=F("pk")),
            ),
            models.CheckConstraint(
                name="an_edition_knows_the_first",
                condition=Q(replaces=None, original=None)
                | (Q(replaces__isnull=False, original__isnull=False) & ~Q(original=F("pk"))),
            ),
            models.CheckConstraint(
                name="a_sheet_is_of_the_table_paper_or_imported",
                condition=Q(source__in=("table", "paper", "imported")),
            ),
            models.CheckConstraint(
                name="a_sheet_of_the_table_has_no_keeper",
                condition=~Q(source="table") | Q(keeper=None, first_dealer=None),
            ),
            models.CheckConstraint(
                name="the_first_dealer_has_a_seat",
                condition=Q(first_dealer=None) | Q(first_dealer__lte=3),
            ),
        ]
        indexes = [
            models.Index(
                name="sheets_awaiting_bonuses",
                fields=["id"],
                condition=Q(ended_at__isnull=False, bonuses_at=None),
            ),
            models.Index(
                name="sheets_not_finished", fields=["id"], condition=Q(bonuses_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class SheetSeat(models.Model):
    """Who sat where, under the name of that day. Losing the account leaves the name."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        GUEST = "guest", _("Guest")
        BOT = "bot", _("Bot")
        NAME = "name", _("Name only")

    sheet = models.ForeignKey(
        ScoreSheet, on_delete=models.PROTECT, related_name="seats", verbose_name=_("score sheet")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("user"),
    )
    name = models.CharField(_("name"), max_length=150)
    kind = models.CharField(_("kind"), max_length=6, choices=Kind, default=Kind.PERSON)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(name="one_row_per_seat", fields=["sheet", "seat"]),
            models.UniqueConstraint(
                name="one_person_takes_one_seat_of_a_sheet",
                fields=["sheet", "user"],
                condition=Q(user__isnull=False),
            ),
            models.CheckConstraint(name="seats_are_numbered_from_0", condition=Q(seat__lte=3)),
            models.CheckConstraint(name="every_seat_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="a_seat_is_a_person_guest_bot_or_name",
                condition=Q(kind__in=("person", "guest", "bot", "name")),
            ),
        ]

    def __str__(self) -> str:
        return self.name
