"""Lists of the administration asked for one person's rows alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User

ID_DIGITS = 18  # a longer number names nobody and must not reach the database


class OfAPerson(admin.SimpleListFilter):
    """``?player=`` and a number: rows of that person. Shown only where somebody was asked for.

    A kind of it says in ``path`` how a row leads to people.
    """

    title = _("player")
    parameter_name = "player"
    path = "user_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        person = User.objects.filter(pk=self._number()).first()
        return [] if person is None else [(str(person.pk), person.username)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.path: self._number()}) if self.value() else queryset

    def _number(self) -> int:
        asked = self.value() or ""
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= ID_DIGITS else 0
