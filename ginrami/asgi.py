"""The one application Daphne serves: pages and sockets."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")

application = get_asgi_application()
