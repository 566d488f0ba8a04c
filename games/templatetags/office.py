"""What the first page of the administration shows of the site as it is now."""

from __future__ import annotations

from django import template

from games.dashboard import Dashboard, dashboard

register = template.Library()


@register.simple_tag
def site_now() -> Dashboard:
    """The figures of this moment."""
    return dashboard()
