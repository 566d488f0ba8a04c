"""How a reader wants to see cards, put on the page: `<html{% table_settings %}>`."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from accounts import people

register = template.Library()

# The setting, and what style sheets and modules look for when it is (or is not) wanted.
MARKS = (
    ("deck4", True, ' data-deck="4"'),
    ("large", True, ' data-cards="large"'),
    ("french", True, ' data-courts="french"'),
    ("sounds", True, ' data-sounds="on"'),
    ("animation", False, ' data-animation="off"'),
)


@register.simple_tag(takes_context=True)
def table_settings(context: template.Context) -> SafeString:
    """Attributes of what the signed-in reader chose; none where nobody did: the browser says."""
    kept = people.table_settings_of(context["request"].user.pk)
    if kept is None:
        return mark_safe("")
    wanted = [mark for name, value, mark in MARKS if getattr(kept, name) is value]
    return mark_safe("".join([" data-kept", *wanted]))  # noqa: S308 words of this file alone
