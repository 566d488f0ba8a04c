"""The language of pages and sockets: the one the reader chose, else French.

The browser's own wish is not asked: friends who share a room should see the same words by default,
and a phone set up in English is no reason to speak English to its French owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers


class ChosenLanguage:
    """Speaks the chosen language for the length of a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = chosen(request.COOKIES)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Content-Language", language)
        return response


class SocketLanguage:
    """Adds ``language`` to a socket's scope."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        language = chosen(scope.get("cookies", {}))
        await self.inner({**scope, "language": language}, receive, send)


def chosen(cookies: Mapping[str, str]) -> str:
    """The language in the reader's cookie if the site speaks it, else the default."""
    wished = cookies.get(settings.LANGUAGE_COOKIE_NAME, "")
    return wished if wished in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
