"""The one application Daphne serves: pages and sockets."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.asgi import get_asgi_application
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")
try:
    pages = get_asgi_application()
except ImproperlyConfigured as error:
    sys.exit(f"Nothing was done: {error}")

# The apps are ready only now, and what follows imports models.
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware
from django.conf import settings

from accounts.live import remember_loop
from games.routing import websocket_urlpatterns
from ginrami import bounds, signs, stopping, ticker, traffic  # noqa: F401 - signs are heard
from ginrami.doors import FewAtOnce, OwnOrigin, in_our_spelling
from ginrami.languages import SocketLanguage

# Python runs one thread at a time: more would only take longer each, and the tables with them.
PAGES_AT_ONCE = 3
# Of what a socket came with, all that is asked for once it is let in.
BEHIND_THE_DOORS = ("type", "path", "root_path", "cookies", "language")


async def _let_in(scope: Any, receive: Any, send: Any) -> None:
    """The end of the way through the doors: note what they made of a socket, for who runs it."""
    scope["let_in"].append((scope, receive, send))


_router = ProtocolTypeRouter(
    {
        "http": FewAtOnce(pages, PAGES_AT_ONCE),
        "websocket": AllowedHostsOriginValidator(
            # Whose session it is a socket asks itself, once it is open (games/sockets.py).
            OwnOrigin(CookieMiddleware(SocketLanguage(_let_in)))
        ),
    }
)
_sockets = URLRouter(websocket_urlpatterns)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Route a connection, having noted the loop on which this process rings its bells.

    The site lives at the root of its address. Daphne believes a header of the visitor's that says
    otherwise, and every link made meanwhile, that of a reset mail included, would lead elsewhere.
    """
    remember_loop()
    traffic.begin(scope)
    headers = in_our_spelling(scope["headers"])
    let_in: list[Any] = []
    await _router(
        {**scope, "root_path": "", "headers": headers, "let_in": let_in}, receive, send
    )
    # Run from within, each door would keep its copy of the scope for as long as a socket is open.
    del scope, headers
    while let_in:
        known, *line = let_in.pop()
        known = {name: known[name] for name in BEHIND_THE_DOORS}
        await _sockets(known, *line)


bounds.bound_requests()
bounds.say_nothing_nobody_reads()
bounds.hold_what_the_system_allows()
stopping.stop_gently()

if settings.TICKER:
    ticker.start()

# How long the loop may wait for a database thread that draws up views. At 200 moves a second five
# milliseconds, as Python has it, were half of what a click took, and a half of one costs nothing.
sys.setswitchinterval(0.0005)
