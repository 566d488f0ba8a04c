"""Who else has to do with a sheet: links that let others read it, invitations to a pad."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.sheets import ScoreSheet

TOKEN_LENGTH = 22  # 128 bits, URL-safe


class ShareLink(models.Model):
    """Whoever holds the token reads every edition of the sheet, until the link is revoked.

    ``sheet`` is the first edition.
    """

    sheet = models.ForeignKey(
        ScoreSheet, on_delete=models.CASCADE, related_name="links", verbose_name=_("score sheet")
    )
    token = models.CharField(max_length=TOKEN_LENGTH, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    revoked_at = models.DateTimeField(_("revoked"), null=True)

    class Meta:
        verbose_name = _("share link")
        verbose_name_plural = _("share links")
        default_permissions = ()  # the token opens a sheet: no page of the admin shows it
        constraints = [
            models.CheckConstraint(
                name="a_link_is_revoked_after_it_is_made",
                condition=Q(revoked_at=None) | Q(revoked_at__gte=F("made_at")),
            ),
            models.UniqueConstraint(
                name="one_working_link_a_sheet", fields=["sheet"], condition=Q(revoked_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"share link {self.pk} of sheet {self.sheet_id}"


class PadInvitation(models.Model):
    """An account asked whether it is the name on a pad. Until it says yes, it is a name only.

    ``sheet`` is the first edition.
    """

    class State(models.TextChoices):
        ASKED = "asked", _("Asked")
        ACCEPTED = "accepted", _("Accepted")
        DECLINED = "declined", _("Declined")

    sheet = models.ForeignKey(
        ScoreSheet,
        on_delete=models.CASCADE,
        related_name="invitations",
        verbose_name=_("score sheet"),
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pad_invitations"
    )
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.ASKED)
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)

    class Meta:
        verbose_name = _("invitation to a pad")
        verbose_name_plural = _("invitations to a pad")
        constraints = [
            models.UniqueConstraint(name="one_invitation_a_seat", fields=["sheet", "seat"]),
            models.UniqueConstraint(name="invited_once_a_sheet", fields=["sheet", "user"]),
            models.CheckConstraint(
                name="an_invitation_is_asked_accepted_or_declined",
                condition=Q(state__in=("asked", "accepted", "declined")),
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to seat {self.seat} of sheet {self.sheet_id}"
