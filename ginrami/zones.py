"""The time zone of pages: the one the reader chose, else the site's own."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import zones


class ReadersZone:
    """Shows and reads times in the reader's zone for the length of a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = None
        if settings.SESSION_COOKIE_NAME in request.COOKIES:  # others are nobody: do not ask
            chosen = zones.zone(getattr(request.user, "time_zone", ""))
        # What another request of this thread left must not shine through: None sets the default.
        with timezone.override(chosen):
            return self.get_response(request)
