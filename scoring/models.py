"""What is kept of a game's score: sheets, their seats, and lines that are only ever added.

Each "never" and "once" is a named constraint here first and an ``if`` in the ledger second.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import rules


class ScoreSheet(models.Model):
    """One game's paper. Its rules are a frozen copy: no later change of a preset reaches them."""

    class How(models.TextChoices):
        TARGET = "target", _("Target reached")
        RESIGNED = "resigned", _("Resigned")
        TIME = "time", _("Lost on time")
        CLAIMED = "claimed", _("Claimed after absence")
        CALLED_OFF = "called_off", _("Called off by both players")
        VOIDED = "voided", _("Voided")

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
        ]
        indexes = [
            models.Index(
                name="sheets_awaiting_bonuses",
                fields=["id"],
                condition=Q(ended_at__isnull=False, bonuses_at=None),
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


class ScoreLine(models.Model):
    """A line, written once and never touched again (triggers refuse it). It holds a seat, no user.

    Only a seat with a row at the sheet can have a line: a trigger again, as no constraint can.
    """

    class Kind(models.TextChoices):
        KNOCK = "knock", _("Knock")
        GIN = "gin", _("Gin")
        BIG_GIN = "big_gin", _("Big gin")
        UNDERCUT = "undercut", _("Undercut")
        FIRST_KNOCK = "first_knock", _("First to knock")
        LINE = "line", _("Line bonus")
        GAME = "game", _("Game bonus")
        SHUTOUT = "shutout", _("Shutout")
        CORRECTION = "correction", _("Correction")

    sheet = models.ForeignKey(
        ScoreSheet, on_delete=models.PROTECT, related_name="lines", verbose_name=_("score sheet")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=11, choices=Kind)
    hand = models.PositiveIntegerField(_("hand"), null=True, blank=True)
    base = models.IntegerField(_("base"))
    bonus = models.IntegerField(_("bonus"), default=0)
    multiplier = models.PositiveSmallIntegerField(_("multiplier"), default=1)
    points = models.GeneratedField(
        expression=(F("base") + F("bonus")) * F("multiplier"),
        output_field=models.IntegerField(),
        db_persist=True,
        verbose_name=_("points"),
    )
    reason = models.CharField(_("reason"), max_length=300, default="", blank=True)
    author = models.CharField(_("author"), max_length=150, default="", blank=True)
    written_at = models.DateTimeField(_("written"), default=timezone.now)

    class Meta:
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                name="one_line_per_hand", fields=["sheet", "hand"], condition=Q(hand__isnull=False)
            ),
            models.UniqueConstraint(
                name="each_bonus_once",
                fields=["sheet", "kind", "seat"],
                condition=Q(kind__in=rules.BONUS_KINDS),
            ),
            models.UniqueConstraint(
                name="game_and_shutout_go_to_one_seat",
                fields=["sheet", "kind"],
                condition=Q(kind__in=("game", "shutout")),
            ),
            models.CheckConstraint(
                name="hand_lines_alone_have_a_hand_number",
                condition=Q(kind__in=rules.HAND_KINDS, hand__isnull=False, hand__gte=1)
                | Q(kind__in=(*rules.BONUS_KINDS, rules.CORRECTION), hand=None),
            ),
            models.CheckConstraint(
                name="only_a_correction_may_be_negative",
                condition=Q(kind=rules.CORRECTION) | Q(base__gte=0, bonus__gte=0),
            ),
            models.CheckConstraint(
                name="only_a_hand_is_doubled",
                condition=Q(multiplier=1) | Q(multiplier=2, kind__in=rules.HAND_KINDS),
            ),
            models.CheckConstraint(
                name="a_correction_alone_has_reason_and_author",
                condition=(Q(kind=rules.CORRECTION) & ~Q(reason="") & ~Q(author=""))
                | (~Q(kind=rules.CORRECTION) & Q(reason="", author="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.points}"
