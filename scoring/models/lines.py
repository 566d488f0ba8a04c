"""What is written on a sheet: a line for every point, and how every hand ended."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import rules
from scoring.models.sheets import ScoreSheet


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


class SheetHand(models.Model):
    """How one hand ended, as the paper was told: void hands too. Never touched again.

    Its line says what it was worth, this why: lines and hands are written together. ``entry`` is
    the writer's own mark of an entry that may be sent twice. ``idle``: void because nobody drew
    from the stock, not because it ran out.
    """

    class Kind(models.TextChoices):
        KNOCK = "knock", _("Knock")
        GIN = "gin", _("Gin")
        BIG_GIN = "big_gin", _("Big gin")
        UNDERCUT = "undercut", _("Undercut")
        FIRST_KNOCK = "first_knock", _("First to knock")
        VOID = "void", _("Void")

    sheet = models.ForeignKey(
        ScoreSheet, on_delete=models.PROTECT, related_name="hands", verbose_name=_("score sheet")
    )
    number = models.PositiveIntegerField(_("hand"))
    kind = models.CharField(_("kind"), max_length=11, choices=Kind)
    winner = models.PositiveSmallIntegerField(_("won by seat"), null=True, blank=True)
    knocker_deadwood = models.PositiveSmallIntegerField(_("knocker's deadwood"), default=0)
    defender_deadwood = models.PositiveSmallIntegerField(_("defender's deadwood"), default=0)
    spade = models.BooleanField(_("spade"), default=False)
    idle = models.BooleanField(_("nobody drew from the stock"), default=False)
    entry = models.UUIDField(_("entry"), null=True, blank=True)
    written_at = models.DateTimeField(_("written"), default=timezone.now)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_result_a_hand", fields=["sheet", "number"]),
            models.UniqueConstraint(name="one_entry_once", fields=["sheet", "entry"]),
            models.CheckConstraint(name="hands_count_from_one", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="a_void_hand_alone_has_no_winner",
                condition=Q(kind__in=rules.HAND_KINDS, winner__isnull=False, idle=False)
                | Q(kind="void", winner=None, knocker_deadwood=0, defender_deadwood=0),
            ),
            models.CheckConstraint(
                name="deadwood_is_what_ten_cards_can_hold",
                condition=Q(
                    knocker_deadwood__lte=rules.HIGHEST_KNOCK,
                    defender_deadwood__lte=rules.HIGHEST_DEADWOOD,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"
