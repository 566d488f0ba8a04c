"""What looking after people writes down: the first link, suspensions, sign-ins, lost passwords."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class FirstAdminLink(models.Model):
    """A link given to the host while the site has no superuser; only its hash is kept.

    Rows stay: whoever uses a link locks them all, which is what makes one superuser out of two
    hosts clicking at once.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()  # nobody's to see or change: not even the administrator's
        constraints = (
            models.CheckConstraint(
                condition=models.Q(used_at__isnull=True)
                | models.Q(used_at__gte=models.F("made_at")),
                name="a_link_is_used_after_it_is_made",
            ),
        )

    def __str__(self) -> str:
        return f"first admin link {self.pk}"

    @staticmethod
    def locked() -> list[FirstAdminLink]:
        """Every link, locked until the end of the transaction."""
        return list(FirstAdminLink.objects.select_for_update().order_by("pk"))


class Suspension(models.Model):
    """That somebody is shut out: why, since when, by whom, until when (None: until reinstated).

    The row stays when it is over; ``User.is_active`` is what every door asks.
    """

    user = models.ForeignKey(
        User, verbose_name=_("person"), on_delete=models.CASCADE, related_name="suspensions"
    )
    reason = models.CharField(_("reason"), max_length=300)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    by = models.ForeignKey(
        User, verbose_name=_("by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(_("ended"), null=True)
    ended_by = models.ForeignKey(
        User, verbose_name=_("ended by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        verbose_name = _("suspension")
        verbose_name_plural = _("suspensions")
        default_permissions = ("view",)
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(ended_at=None),
                name="suspended_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=~models.Q(reason=""), name="a_suspension_has_a_reason"
            ),
            models.CheckConstraint(
                condition=models.Q(until=None) | models.Q(until__gt=models.F("since")),
                name="a_suspension_lasts",
            ),
        )

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class SignIn(models.Model):
    """That somebody signed in: when, roughly from where, with what. The last few are kept."""

    user = models.ForeignKey(
        User, verbose_name=_("person"), on_delete=models.CASCADE, related_name="sign_ins"
    )
    at = models.DateTimeField(_("when"))
    address = models.CharField(_("network"), max_length=50, blank=True)
    agent = models.CharField(_("browser"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("sign-in")
        verbose_name_plural = _("sign-ins")
        default_permissions = ("view",)
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class ResetRequest(models.Model):
    """That somebody forgot their password and waits for a link, where the site sends no mail."""

    user = models.ForeignKey(
        User, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    asked_at = models.DateTimeField(_("asked"))

    class Meta:
        verbose_name = _("forgotten password")
        verbose_name_plural = _("forgotten passwords")
        default_permissions = ()  # for whoever may change people
        ordering = ("asked_at",)
        constraints = (
            models.UniqueConstraint(fields=["user"], name="one_forgotten_password_a_person"),
        )

    def __str__(self) -> str:
        return f"forgotten password of person {self.user_id}"
