"""Score sheets in the administration, with what only this floor knows: their rules in words."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.presets import agreed
from scoring.admin import ScoreSheetAdmin
from scoring.models import ScoreSheet

admin.site.unregister(ScoreSheet)


@admin.register(ScoreSheet)
class SpokenSheetAdmin(ScoreSheetAdmin):
    """A sheet whose rules are read as sentences."""

    readonly_fields = ("agreed", "dealt_first", "ended_by_whom")
    fieldsets = (
        (None, {"fields": ("agreed", "source", "keeper", "dealt_first", "started_at", "how",
                           "ended_by_whom", "ended_at", "bonuses_at", "replaces", "original")}),
    )  # fmt: skip

    @admin.display(description=_("rules"))
    def agreed(self, sheet: ScoreSheet) -> str:
        return agreed(sheet.rules)
