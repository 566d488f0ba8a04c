"""Fill a site with friends who do not exist and their year at cards: ``manage.py demo``.

Made to be looked at: every page is full. The games are played by the real rules, hand by hand.
"""

from __future__ import annotations

import contextlib
import fcntl
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.utils import timezone
from tqdm import tqdm

from accounts.models import User
from games.demo.cast import NAMES
from games.demo.practice import ask_the_coach
from games.demo.writing import fill

GAMES = 240
FRIENDS = 8
WAIT_MS = 60_000
BREATH = 0.05  # seconds after each evening, in which a running site writes


@contextlib.contextmanager
def beside_a_running_site() -> Iterator[Callable[[], None]]:
    """SQLite has one writer at a time: wait for a site that runs, and let it write in between.

    Raises CommandError where it keeps the database for longer than anybody waits.
    """
    if connection.vendor != "sqlite":
        yield lambda: None
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
    try:
        yield (lambda: time.sleep(BREATH)) if is_served() else lambda: None
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise CommandError(
            "The site that runs here keeps its database to itself. Stop it, and run this again "
            "with --yes-add: what is written already stays."
        ) from error


def is_served() -> bool:
    """Whether script/server runs on this data: it holds a lock as long as it lives."""
    try:
        with (settings.VAR_DIR / "server.lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


class Command(BaseCommand):
    help = (
        "Fill the site with a year of games of a few friends, to look at. Prints their password "
        "once. Not for a site that people use."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--players", type=int, default=FRIENDS, help="how many friends (now %(default)s)")
        add("--games", type=int, default=GAMES, help="how many games (now %(default)s)")
        add("--seed", type=int, help="the same number makes the same year again")
        add("--yes-add", action="store_true", help="although there are people here already")

    def handle(self, *args: Any, **options: Any) -> None:
        players, games = options["players"], options["games"]
        if not 2 <= players <= len(NAMES):
            raise CommandError(f"--players is a number from 2 to {len(NAMES)}.")
        if games < 1:
            raise CommandError("--games is at least 1.")
        if User.objects.exists() and not options["yes_add"]:
            raise CommandError("There are people on this site already: --yes-add adds the others.")
        seed = options["seed"]
        # A seed nobody chose stays unknown: it holds the cards of the games still going on.
        random = Random(secrets.randbits(128) if seed is None else seed)  # noqa: S311 - said above
        password = secrets.token_urlsafe(9)
        began, zone = time.monotonic(), timezone.get_default_timezone()
        # Shown on a terminal only.
        with tqdm(total=games, unit="game", disable=None) as bar, beside_a_running_site() as pause:

            def written(more: int) -> None:
                bar.update(more)
                pause()

            site = fill(random, timezone.now(), zone, password, players, games, written)
        ask_the_coach(site.friends[0], site.practised)
        names = ", ".join(friend.username for friend in site.friends)
        self.stdout.write(
            f"{games} games of {players} friends in {len(site.rooms)} rooms, and two of "
            f"{site.friends[0].username} against the computer, {time.monotonic() - began:.0f} s.\n"
            f"Sign in as {names}.\nThe password of all of them, shown this once: {password}"
        )
