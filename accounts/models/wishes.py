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
    """That somebody wants to be written to when a game of one move a day waits for them.

    No row: they do not.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(fields=["user"], name="letters_are_wished_for_once_a_person"),
        )

    def __str__(self) -> str:
        return f"letters to person {self.user_id}"
