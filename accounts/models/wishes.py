"""What somebody wishes for: how a table looks, and which letters."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class TableSettings(models.Model):
    """How somebody wants to see and hear a table, on every device. No row: as their browser says.

    The columns are named as the modules of the table name them.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    deck4 = models.BooleanField(_("Four colours"), default=False)
    large = models.BooleanField(_("Large cards"), default=False)
    french = models.BooleanField(_("French court letters"), default=False)
    sounds = models.BooleanField(_("Sounds"), default=False)
    animation = models.BooleanField(_("Moving cards"), default=True)

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(fields=["user"], name="settings_of_the_table_once_a_person"),
        )

    def __str__(self) -> str:
        return f"table settings of person {self.user_id}"


class LetterWish(models.Model):
    """That somebody wants letters of one kind. No row: they do not."""

    class Kind(models.TextChoices):
        TURNS = "turns", _("when it is my turn in games of one move a day")
        ROOMS = "rooms", _("when a friend invites me into a room")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="letter_wishes")
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.TURNS)

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=["user", "kind"], name="letters_are_wished_for_once_a_person"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=("turns", "rooms")), name="a_known_kind_of_letter"
            ),
        )

    def __str__(self) -> str:
        return f"letters to person {self.user_id}"
