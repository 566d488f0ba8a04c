"""Check the deal of a hand that is over, without a browser: ``manage.py verify_deal GAME HAND``.

With ``--proof`` it prints what a stranger needs to check it with the script on the page of help.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.fair.finding import NotProven, proof_of
from games.fair.proof import FAULTS, faults


class Command(BaseCommand):
    help = "Derive the deck of a hand from what was published and given; exit 1 if it differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=int, help="the number of the game, as its proofs name it")
        parser.add_argument("hand", type=int, help="the number of the hand in it")
        parser.add_argument("--proof", action="store_true", help="print the proof as JSON instead")

    def handle(self, *args: Any, game: int, hand: int, proof: bool, **options: Any) -> None:
        try:
            found = proof_of(game, hand)
        except NotProven as refusal:
            raise CommandError(str(refusal)) from None
        if found is None:
            raise CommandError(f"Game {game} has no hand {hand}.")
        wrong = [FAULTS[code] for code in faults(found)]
        if wrong:
            raise CommandError(f"Game {game}, hand {hand}: {' '.join(wrong)}")
        if proof:
            self.stdout.write(json.dumps(found.as_dict(), indent=1))
            return
        replaced = [str(seat) for seat, one in enumerate(found.seats) if one.replaced]
        self.stdout.write(
            f"Game {game}, hand {hand}: the deck is the one its published chain and what "
            "the players gave make."
            + (f" Replaced, as nobody gave: seat {', '.join(replaced)}." if replaced else "")
        )
