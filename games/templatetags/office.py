"""What the first page of the administration shows of the site as it is now."""

from __future__ import annotations

from typing import Any

from django import template

from accounts import forgotten
from accounts.models import ResetRequest
from games.dashboard import Dashboard, dashboard

register = template.Library()


@register.simple_tag
def site_now() -> Dashboard:
    """The figures of this moment."""
    return dashboard()


@register.simple_tag(takes_context=True)
def who_waits_for_a_link(context: dict[str, Any]) -> list[ResetRequest]:
    """Who forgot their password, as far as the reader may help them."""
    return list(forgotten.waiting_for(context["request"].user))
