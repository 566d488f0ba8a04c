"""The Celery application: configuration from the settings, tasks found in each app."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import Any

from celery import Celery
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections
from kombu.transport import redis

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginrami.settings")


class PatientChannel(redis.Channel):
    """A worker whose Redis went away while it had tasks in hand waits for it, as any other.

    Giving them back, kombu asks a connection that is closed already for its address: the worker
    would end by an AttributeError, where every other lost connection is one to be made again.
    """

    def _connparams(self, *arguments: Any, **named: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionResetError("The broker is gone.")
        return super()._connparams(*arguments, **named)


class KeepsItsPool(DjangoWorkerFixup):
    """Between tasks connections go back to the pool, where Celery would make a pool for each."""

    def close_database(self, **_of_the_signal: Any) -> None:
        close_old_connections()


class Fixup(DjangoFixup):
    """What Celery does for Django, with a pool that lives as long as its process."""

    @cached_property
    def worker_fixup(self) -> DjangoWorkerFixup:
        return KeepsItsPool(self.app)


def _fixup(app: Celery) -> DjangoFixup:
    return Fixup(app).install()


redis.Transport.Channel = PatientChannel
app = Celery("ginrami", fixups=[_fixup])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_configure.connect
def _require_settings(**_of_the_signal: Any) -> None:
    """A wrong setting ends a worker with its sentence, as it does any other start."""
    try:
        settings.SECRET_KEY  # noqa: B018 - the settings are read now
    except ImproperlyConfigured as error:
        sys.exit(f"Nothing was done: {error}")
