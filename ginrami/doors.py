"""What holds at every door of the site, pages and sockets alike."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect
from django.urls import reverse
from django.views.defaults import bad_request

from accounts import second_factor

_OURS = re.compile(rb'[^;]*; *charset="?utf-8"? *', re.IGNORECASE)

Page = Callable[[HttpRequest], HttpResponse]


def in_our_spelling(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A request's headers, saying of no form that it is in another spelling than UTF-8.

    Our pages send no other. Django would read the address by whatever is claimed, and refuse such a
    form only once it is read, which its page of refusal does too: one request was hundreds of
    errors in the log.
    """
    return [
        (name, said.split(b";")[0] if _claims_another(name, said) else said)
        for name, said in headers
    ]


def _claims_another(name: bytes, said: bytes) -> bool:
    return (
        name.lower() == b"content-type"
        and b"charset" in said.lower()
        and not _OURS.fullmatch(said)
    )


class OwnPages:
    """A page that asked who is reading is theirs: kept nowhere.

    No proxy hands it to somebody else, and the back button shows nothing after signing out.
    """

    def __init__(self, get_response: Page) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed:
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response


class NoNulls:
    """An address with a NUL in it leads nowhere: PostgreSQL's texts cannot hold one."""

    def __init__(self, get_response: Page) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return bad_request(request, exception=None)  # type: ignore[arg-type]
        return self.get_response(request)


class WholeForms:
    """A form that cannot be read is refused here, whatever its address.

    Where an address leads nowhere, only Django's page that says so would read it, and break by it.
    """

    def __init__(self, get_response: Page) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST":
            with contextlib.suppress(UnreadablePostError):  # whoever sent it is gone
                request.POST  # noqa: B018 - it is read now
        return self.get_response(request)


class FewAtOnce:
    """Has a process make so many pages at a time; whoever asks for more waits their turn.

    Each takes a thread and a connection. A flood of pages would leave none of either to the tables,
    nor the processor, which all threads share. Whether the site is well is answered without a wait.
    """

    def __init__(self, inner: Any, at_once: int) -> None:
        self.inner, self.at_once = inner, at_once
        self.turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["path"].startswith("/healthz/"):
            await self.inner(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        async with self.turns.setdefault(loop, asyncio.Semaphore(self.at_once)):
            await self.inner(scope, receive, send)


class OwnOrigin:
    """Opens a socket only to pages of this very site, port included, as forms do.

    Another program on the same machine shares its name, and so its cookies.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        host = headers.get(b"host", b"").decode("latin-1").lower()
        ours = urlsplit(settings.SITE_URL.lower())
        known = origin in (f"http://{host}", f"https://{host}", f"{ours.scheme}://{ours.netloc}")
        return await (self.inner if known else WebsocketDenier())(scope, receive, send)


class TwoStepsForStaff:
    """Who looks after the site signs in with two steps, or is led to set the second up first."""

    def __init__(self, get_response: Page) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        index = reverse("admin:index")
        outside = (reverse("admin:login"), reverse("admin:logout"))
        inside = request.path.startswith(index) and request.path not in outside
        if inside and second_factor.is_missing(request.user):
            return redirect("mfa_index")
        return self.get_response(request)
