"""Clocks: stored deadlines, so that the time needs no single living process."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.places import Pace
from games.models.play import Game, Hand


class Clock(models.Model):
    """The time of a game: whose it is, since when, and when the server will move for them.

    A table of its own, so that a move in a game without a clock writes nothing here. ``deadline``
    None: stopped. ``adjourned_at``: put aside, to be taken up any day; ``resumed_at``: it was, and
    whoever has not been seen since loses nothing by their absence.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="clock")
    pace = models.CharField(_("pace"), max_length=8, choices=Pace)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    turn_from = models.DateTimeField(_("turn since"), null=True)
    deadline = models.DateTimeField(_("deadline"), null=True, db_index=True)
    adjourned_at = models.DateTimeField(_("adjourned"), null=True)
    resumed_at = models.DateTimeField(_("resumed"), null=True)

    class Meta:
        verbose_name = _("clock")
        verbose_name_plural = _("clocks")
        constraints = [
            models.CheckConstraint(
                condition=Q(deadline=None) | Q(seat__isnull=False, turn_from__isnull=False),
                name="a_running_clock_has_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(adjourned_at=None) | Q(deadline=None),
                name="an_adjourned_clock_stands_still",
            ),
        ]

    def __str__(self) -> str:
        return f"clock of game {self.game_id}"


class SeatTime(models.Model):
    """What one seat has left of its reserve, and its turns in a row played by the clock."""

    clock = models.ForeignKey(Clock, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    reserve_ms = models.PositiveIntegerField(_("reserve, ms"))
    timeouts = models.PositiveSmallIntegerField(_("time-outs in a row"), default=0)

    class Meta:
        verbose_name = _("seat time")
        verbose_name_plural = _("seat times")
        constraints = [
            models.UniqueConstraint(fields=["clock", "seat"], name="one_reserve_a_seat")
        ]

    def __str__(self) -> str:
        return f"time of seat {self.seat} of clock {self.clock_id}"


class TurnNotice(models.Model):
    """That a turn was dealt with: its player was written to, or was there and need not be.

    ``ply``: after how many plies of the hand the turn began.
    """

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="notices")
    ply = models.PositiveIntegerField(_("began after ply"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="turn_notices"
    )
    written = models.BooleanField(_("written to"))
    decided_at = models.DateTimeField(_("decided"), auto_now_add=True)

    class Meta:
        verbose_name = _("notice of a turn")
        verbose_name_plural = _("notices of turns")
        constraints = [models.UniqueConstraint(fields=["hand", "ply"], name="one_notice_a_turn")]

    def __str__(self) -> str:
        return f"notice of a turn of hand {self.hand_id}"


class Heartbeat(models.Model):
    """One row that says when the site last lived: after a gap every deadline moves by it."""

    beat_at = models.DateTimeField(_("last beat"))
    started_at = models.DateTimeField(_("alive since"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_heartbeat")]

    def __str__(self) -> str:
        return "heartbeat"
