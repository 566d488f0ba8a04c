"""The Celery application: configuration from the settings, tasks found in each app."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")

app = Celery("ginrami")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
