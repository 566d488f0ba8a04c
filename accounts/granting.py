"""The rights a superuser gives: those that something here asks for, in the reader's words.

Django's own list names every table in English, most of which nobody looks after.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# Nothing is deleted in the administration, and people alone are added there.
VERBS = {"view": _("look at them"), "change": _("act on them"), "add": _("add some")}
ADDED = ("accounts", "user")


class GivesRights:
    """An administration's page on which rights are chosen."""

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest | None = None, **kwargs: Any
    ) -> Any:
        field = super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[misc]
        if db_field.related_model is Permission:
            field.queryset = worth_giving()
            field.label_from_instance = in_words
        return field


def worth_giving() -> QuerySet[Permission]:
    """Rights over what the administration shows."""
    wanted = Q(pk__in=())
    for model in admin.site._registry:
        app, name = model._meta.app_label, model._meta.model_name
        if app == "auth":  # groups are for superusers, who need no right
            continue
        verbs = [verb for verb in VERBS if verb != "add" or (app, name) == ADDED]
        codes = [f"{verb}_{name}" for verb in verbs]
        wanted |= Q(content_type__app_label=app, content_type__model=name, codename__in=codes)
    found = Permission.objects.filter(wanted).select_related("content_type")
    return found.order_by("content_type__app_label", "content_type__model", "-codename")


def in_words(right: Permission) -> str:
    """What the right is over, and what it lets somebody do."""
    model = right.content_type.model_class()
    over = str(model._meta.verbose_name_plural) if model else right.content_type.model
    done = VERBS.get(right.codename.partition("_")[0], right.name)
    return gettext("%(over)s: %(done)s") % {"over": capfirst(over), "done": done}
