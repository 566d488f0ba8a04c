"""What the coach makes of hands that are over: one player's decisions, each weighed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.play import Hand


class Analysis(models.Model):
    """A look at one player's decisions in one hand: under way, finished, or given up.

    It belongs to the seat: only who sits there reads it. ``asked_by`` says whose turn with the
    coach it takes up. ``moved_at`` is the last sign of life of whoever works on it.
    """

    class State(models.TextChoices):
        BUILDING = "building", _("Under way")
        READY = "ready", _("Finished")
        FAILED = "failed", _("Given up")

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="analyses")
    seat = models.PositiveSmallIntegerField(_("seat"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    playouts = models.PositiveIntegerField(_("playouts a decision"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.BUILDING)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"))
    tries = models.PositiveSmallIntegerField(_("failed tries"), default=0)
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)
    moved_at = models.DateTimeField(_("went on"), default=timezone.now)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        default_permissions = ()  # it is one player's alone
        constraints = [
            models.UniqueConstraint(name="one_analysis_a_seat", fields=["hand", "seat"]),
            models.UniqueConstraint(
                name="one_analysis_at_a_time",
                fields=["asked_by"],
                condition=Q(state="building"),
            ),
            models.CheckConstraint(
                name="an_analysis_is_building_ready_or_failed",
                condition=Q(state__in=("building", "ready", "failed")),
            ),
            models.CheckConstraint(
                name="no_more_is_weighed_than_there_is", condition=Q(done__lte=F("total"))
            ),
            models.CheckConstraint(
                name="a_ready_analysis_is_whole",
                condition=~Q(state="ready") | Q(done=F("total")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Weighing(models.Model):
    """One decision weighed: each move worth thinking of, its expected points and their margin.

    Kept as soon as it is worked out, so whoever comes after a worker that died goes on behind it.
    """

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="weighings")
    ply = models.PositiveIntegerField(_("ply"))
    moves = models.JSONField(_("moves"))

    class Meta:
        verbose_name = _("decision weighed")
        verbose_name_plural = _("decisions weighed")
        default_permissions = ()
        ordering = ["ply"]
        constraints = [
            models.UniqueConstraint(name="a_decision_is_weighed_once", fields=["analysis", "ply"])
        ]

    def __str__(self) -> str:
        return f"ply {self.ply} of analysis {self.analysis_id}"
