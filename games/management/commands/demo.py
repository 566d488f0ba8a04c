"""Fill a site with friends who do not exist and their year at cards: ``manage.py demo``.

Made to be looked at: every page is full. The games are played by the real rules, hand by hand.
"""

from __future__ import annotations

import secrets
import time
from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from accounts.models import User
from games.demo.cast import NAMES
from games.demo.writing import fill

GAMES = 240
FRIENDS = 8


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
        with tqdm(total=games, unit="game", disable=None) as bar:
            site = fill(random, timezone.now(), zone, password, players, games, bar.update)
        names = ", ".join(friend.username for friend in site.friends)
        self.stdout.write(
            f"{games} games of {players} friends in {len(site.rooms)} rooms, "
            f"{time.monotonic() - began:.0f} s.\n"
            f"Sign in as {names}.\nThe password of all of them, shown this once: {password}"
        )
