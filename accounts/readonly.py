"""Pages of the administration on which nothing is added, changed or deleted."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """The verbs are the only writers, so nobody adds, changes or deletes here.

    What is not shown cannot be fished for either: a filter in the address asks shown fields only.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        shown = {"id", "pk", *self.list_display, *(self.fields or ())}  # type: ignore[attr-defined]
        filters = self.list_filter  # type: ignore[attr-defined]
        shown |= {each.parameter_name for each in filters if hasattr(each, "parameter_name")}
        asked = lookup.split("__")[0]
        allowed: bool = super().lookup_allowed(lookup, value, request)  # type: ignore[misc]
        return asked in shown and allowed

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
