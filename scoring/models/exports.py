"""What somebody asked to take along: all their sheets in one archive, kept for a day."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Export(models.Model):
    """An archive that is being built, is ready, or could not be made.

    The bytes are in the database because the process that builds it is not the one that serves it.
    ``moved_at`` is the last sign of life of whoever builds it.
    """

    class State(models.TextChoices):
        BUILDING = "building", _("Being built")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("user")
    )
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.BUILDING)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=0)
    tries = models.PositiveSmallIntegerField(_("failed tries"), default=0)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    moved_at = models.DateTimeField(_("went on"), default=timezone.now)
    archive = models.BinaryField(_("archive"), null=True)

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        default_permissions = ()  # what it holds is its owner's alone
        constraints = [
            models.UniqueConstraint(
                name="one_export_at_a_time", fields=["user"], condition=Q(state="building")
            ),
            models.CheckConstraint(
                name="an_export_is_building_ready_or_failed",
                condition=Q(state__in=("building", "ready", "failed")),
            ),
            models.CheckConstraint(
                name="a_ready_export_alone_has_an_archive",
                condition=Q(state="ready", archive__isnull=False)
                | (~Q(state="ready") & Q(archive=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class ExportPart(models.Model):
    """Some of the sheets, packed: a builder that comes after a dead one goes on behind the last.

    ``last`` is the first edition of the last sheet in it.
    """

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    last = models.BigIntegerField()
    archive = models.BinaryField()

    class Meta:
        default_permissions = ()
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_part_a_number", fields=["export", "number"])
        ]

    def __str__(self) -> str:
        return f"part {self.number} of export {self.export_id}"
