"""Ways back: the page a form says one came from, if it is one of ours."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest, otherwise: str) -> str:
    """The address in ``next``, if it leads to a page of this site; else this one."""
    asked = request.POST.get("next") or request.GET.get("next", "")
    known = url_has_allowed_host_and_scheme(asked, {request.get_host()}, request.is_secure())
    return asked if known and asked.startswith("/") else otherwise
