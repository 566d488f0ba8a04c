"""What a finished game came to for each of its players: derived, kept for long lists of games."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models.sheets import ScoreSheet


class Tally(models.Model):
    """One player's side of a current, finished sheet whose bonuses are written.

    Every figure is derived from the sheet by ``scoring/rules/tallies.py`` and written again by the
    ledger whenever the sheet changes; the sheet itself decides.
    """

    class Result(models.TextChoices):
        WON = "won", _("Won")
        LOST = "lost", _("Lost")
        NONE = "none", _("No winner")

    sheet = models.ForeignKey(
        ScoreSheet, on_delete=models.PROTECT, related_name="tallies", verbose_name=_("score sheet")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,  # the indexes below begin with it
        related_name="+",
        verbose_name=_("user"),
    )
    opponent_user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("opponent"),
    )
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"))
    preset = models.CharField(_("rules"), max_length=30)
    source = models.CharField(_("source"), max_length=8)
    result = models.CharField(_("result"), max_length=4, choices=Result)
    points = models.IntegerField(_("points"))
    opponent_points = models.IntegerField(_("opponent's points"))
    hand_points = models.PositiveIntegerField(_("points of hands"))
    hands = models.PositiveIntegerField(_("hands"))
    hands_won = models.PositiveIntegerField(_("hands won"))
    gins = models.PositiveIntegerField(_("gins"))
    big_gins = models.PositiveIntegerField(_("big gins"))
    undercuts = models.PositiveIntegerField(_("undercuts"))
    undercut_by = models.PositiveIntegerField(_("undercut by the opponent"))
    knocks = models.PositiveIntegerField(_("knocks"))
    knock_deadwood = models.PositiveIntegerField(_("deadwood when knocking"))
    caught = models.PositiveIntegerField(_("caught"))
    caught_deadwood = models.PositiveIntegerField(_("deadwood when caught"))
    best_hand = models.PositiveIntegerField(_("best hand"))
    shutout = models.BooleanField(_("won by a shutout"))

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            models.UniqueConstraint(name="one_tally_a_seat", fields=["sheet", "seat"]),
            models.CheckConstraint(
                name="a_game_is_won_lost_or_neither",
                condition=Q(result__in=("won", "lost", "none")),
            ),
        ]
        indexes = [
            models.Index(name="tallies_of_a_player", fields=["user", "-ended_at", "-sheet"]),
            models.Index(
                name="tallies_of_two_players",
                fields=["user", "opponent_user", "-ended_at", "-sheet"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.sheet_id}.{self.seat}"
