"""Add all play chips up again: ``manage.py audit_chips``.

Every entry, every account, every pot and every settlement, as of one moment. One line for each
difference, and exit 1. The site may run meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from games.audit import one_moment
from games.models import Game
from scoring.chips.auditing import audit
from scoring.models import Wager
from scoring.rules.stakes import Stakes


class Command(BaseCommand):
    help = "Add all play chips up again; exit 1 if anything differs."

    def handle(self, *args: Any, **options: Any) -> None:
        with one_moment():
            books = audit()
            books.differences.extend(games_without_their_chips())
        for line in books.differences:
            self.stdout.write(line)
        self.stdout.write(
            f"{books.accounts} accounts, {books.entries} entries with {books.postings} postings, "
            f"{books.wagers} games played for chips: "
            f"{len(books.differences) or 'no'} differences."
        )
        if books.differences:
            sys.exit(1)


def games_without_their_chips() -> Iterator[str]:
    """Games that say they are played for chips, and chips of no such game."""
    wagers = dict(Wager.objects.values_list("sheet_id", "stakes"))
    games = Game.objects.filter(sheet__isnull=False).exclude(stakes={})
    for number, sheet_id, told in games.values_list("pk", "sheet_id", "stakes").iterator():
        stakes = Stakes.from_dict(told)
        held = wagers.pop(sheet_id, None)
        if stakes.played_for and (held is None or Stakes.from_dict(held) != stakes):
            yield f"game {number}: its chips are not put up as it says"
        elif held is not None and not stakes.played_for:
            yield f"game {number}: it is played for nothing, and chips were put up"
    for sheet_id in sorted(wagers):
        yield f"sheet {sheet_id}: chips were put up for no game that says so"
