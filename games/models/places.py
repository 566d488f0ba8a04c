"""Rooms and tables: where people come together."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Pace(models.TextChoices):
    """How long a turn may take (clocks.py knows the figures)."""

    NONE = "none", _("No clock")
    DAY = "day", _("One move a day")
    RELAXED = "relaxed", _("3 minutes a turn, 10 in reserve")
    MINUTE = "60", _("60 seconds a turn, 4 minutes in reserve")
    HALF = "30", _("30 seconds a turn, 2 minutes in reserve")


class Rotation(models.TextChoices):
    """Who makes room for the next in line after a game, where three or four share a table."""

    NONE = "none", _("Nobody: the same two play on")
    LOSER = "loser", _("The loser")
    WINNER = "winner", _("The winner")
    EACH = "each", _("Each in turn")


class Room(models.Model):
    """A place friends come back to: its rules, its members, its tables."""

    name = models.CharField(_("name"), max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="rooms_owned",
    )
    rules = models.JSONField(_("rules"))
    stakes = models.JSONField(_("stakes"), default=dict, blank=True)  # nothing: no stakes
    code = models.CharField(_("code"), max_length=8)
    invitation = models.CharField(_("invitation"), max_length=43)
    is_public = models.BooleanField(_("public"), default=False)
    pace = models.CharField(_("pace"), max_length=8, choices=Pace, default=Pace.NONE)
    spectators = models.BooleanField(_("spectators admitted"), default=True)
    guests = models.BooleanField(_("guests admitted"), default=True)
    # Where one person plays against the computer: nobody else comes in.
    practice = models.BooleanField(_("practice room"), default=False, editable=False)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        constraints = [
            models.UniqueConstraint(fields=["code"], name="one_room_a_code"),
            models.UniqueConstraint(fields=["invitation"], name="one_room_an_invitation"),
            models.CheckConstraint(condition=~Q(name=""), name="a_room_has_a_name"),
            models.CheckConstraint(condition=Q(pace__in=Pace.values), name="a_room_has_a_pace"),
            models.CheckConstraint(
                condition=Q(practice=False) | Q(is_public=False), name="a_practice_room_is_private"
            ),
            models.UniqueConstraint(
                fields=["owner"], condition=Q(practice=True), name="one_practice_room_a_person"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """Someone who may enter a room."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["room", "user"], name="a_member_joins_once")
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.user_id}"


class Table(models.Model):
    """A table of a room. Its address outlives rematches."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField(_("number"))
    # Counts what happens here beside moves; with the ply it puts views in order (reading.py).
    changes = models.PositiveBigIntegerField(default=0, editable=False)
    rotation = models.CharField(
        _("rotation"), max_length=6, choices=Rotation, default=Rotation.NONE
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_table_a_number"),
            models.CheckConstraint(
                condition=Q(rotation__in=Rotation.values), name="a_table_has_a_rotation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.number}"


class Waiting(models.Model):
    """The next in line at a table where three or four take turns.

    ``ready_after`` is the number of the game after which the first in line said to be ready.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="line")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="waiting"
    )
    since = models.DateTimeField(_("since"), auto_now_add=True)
    ready_after = models.PositiveIntegerField(_("ready after game"), default=0)

    class Meta:
        verbose_name = _("next in line")
        verbose_name_plural = _("next in line")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="in_line_once_a_table")
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} in line at table {self.table_id}"
