"""Every request and socket gets an id, which the log and the answer carry; pages are timed."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts import about, meters

logger = logging.getLogger(__name__)

# What a proxy of ours may call a request; anything longer or stranger is given a name here.
_PROPER = re.compile(r"[0-9A-Za-z-]{8,64}")
_HEADER = b"x-request-id"


def begin(scope: dict[str, Any]) -> None:
    """Name the request or socket that begins: as the proxy did, where proxies are believed."""
    given = dict(scope["headers"]).get(_HEADER, b"").decode("latin-1")
    known = settings.TRUSTED_PROXIES and _PROPER.fullmatch(given)
    about.begin(request=given if known else uuid.uuid4().hex)


class Traffic:
    """Times each page, and says in one line by its route, never its address, what was answered.

    Addresses hold invitations and links that open sheets; routes do not.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        spent = time.perf_counter() - began
        meters.PAGES.labels(f"{response.status_code // 100}xx").observe(spent)
        name = about.ids().get("request")
        if name is not None:
            response.headers["X-Request-ID"] = str(name)
        route = request.resolver_match.route if request.resolver_match else ""
        figures = {
            "method": request.method, "route": route, "status": response.status_code,
            "ms": round(spent * 1000, 1),
        }  # fmt: skip
        logger.info("answered", extra={"figures": figures})
        return response

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, kwargs: dict[str, Any]
    ) -> None:
        """Room, table, sheet: what the address names by number."""
        names = {key: key if key == "message_id" else key.removesuffix("_id") for key in kwargs}
        about.note(**{names[key]: one for key, one in kwargs.items() if isinstance(one, int)})
