"""What people say to each other, and what they do not want to read."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.places import Room, Table


class Message(models.Model):
    """A line of talk, in a room or at one of its tables.

    One with a ``sheet`` is nobody's: the table says what that game came to in chips. Its text is
    worked out when it is read.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="messages")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="messages")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="messages"
    )
    name = models.CharField(_("name"), max_length=150)
    text = models.CharField(_("text"), max_length=500)
    sheet = models.ForeignKey(
        "scoring.ScoreSheet", on_delete=models.CASCADE, null=True, related_name="+", db_index=False
    )
    said_at = models.DateTimeField(_("said"), auto_now_add=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        indexes = [
            models.Index(fields=["room", "-id"], name="talk_of_a_room"),
            models.Index(fields=["table", "-id"], name="talk_at_a_table"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(text="") | Q(sheet__isnull=False), name="a_message_says_something"
            ),
            models.CheckConstraint(
                condition=Q(sheet=None) | Q(user=None, name="", text=""),
                name="what_a_table_says_is_nobodys",
            ),
            models.UniqueConstraint(fields=["sheet"], name="a_game_is_told_of_once"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"


class Mute(models.Model):
    """Somebody whose talk somebody else does not want to read, in any room."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes"
    )
    muted = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by"
    )

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = [
            models.UniqueConstraint(fields=["user", "muted"], name="muted_once"),
            models.CheckConstraint(condition=~Q(user=F("muted")), name="nobody_mutes_themself"),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} mutes {self.muted_id}"


class Report(models.Model):
    """A message somebody reported, with the last lines before it as they were."""

    message = models.ForeignKey(
        Message, on_delete=models.SET_NULL, null=True, related_name="reports"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reported"
    )
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(_("reason"), max_length=300, default="", blank=True)
    lines = models.JSONField(_("last lines"))
    reported_at = models.DateTimeField(_("reported"), auto_now_add=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "reporter"],
                condition=Q(message__isnull=False, reporter__isnull=False),
                name="a_message_is_reported_once_by_each",
            )
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Silence(models.Model):
    """That the administration lets somebody say nothing for a while, anywhere on the site."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"))
    reason = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["user"], name="silenced_once_a_person"),
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="a_silence_lasts"),
            models.CheckConstraint(condition=~Q(reason=""), name="a_silence_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
