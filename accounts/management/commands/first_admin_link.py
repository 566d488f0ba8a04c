"""Prints the one-time link that makes the host's superuser, while the site has none."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from accounts import people


class Command(BaseCommand):
    help = (
        "Print a link, good for 30 minutes and one use, where the host chooses a name and a "
        "password and becomes the superuser. Prints nothing once there is a superuser."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--base", default=settings.SITE_URL or "http://localhost:8000",
            help="where the site answers (now %(default)s)",
        )

    def handle(self, *args: Any, base: str, **options: Any) -> None:
        where = urlsplit(base)
        if where.scheme not in ("http", "https") or not where.netloc:
            raise CommandError("--base must be an address like http://localhost:8000.")
        token = people.make_first_admin_link()
        if token:
            path = reverse("accounts:first_admin", kwargs={"token": token})
            self.stdout.write(f"{where.scheme}://{where.netloc}{path}")
