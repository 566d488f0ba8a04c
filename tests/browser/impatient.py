"""The site with less patience, for tests that wait for it: its minutes are the seconds it is told.

Passwords are made in no time: a good one costs a quarter of a second, and dozens sign up here.
And it lets people in who are only to be there (laying.py).
All else is as it runs. Served by a Daphne of its own (conftest.py), never imported by a test.
"""

# isort: skip_file

from __future__ import annotations

import os
from datetime import timedelta

from django.conf import settings
from django.urls import path

from ginrami.asgi import application  # the apps are ready from here on
from games import clocks
from games.table import heartbeat
from ginrami import urls
from tests.browser import laying

__all__ = ["application"]

QUICK = "django.contrib.auth.hashers.MD5PasswordHasher"
settings.PASSWORD_HASHERS = [QUICK, *settings.PASSWORD_HASHERS]
heartbeat.GRACE = timedelta(seconds=float(os.environ.get("GRACE_SECONDS", "60")))
clocks.GONE_AFTER = timedelta(seconds=float(os.environ.get("GONE_AFTER_SECONDS", "300")))
urls.urlpatterns.append(path("lay/", laying.enter))
