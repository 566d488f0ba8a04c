"""Work out again everything that was ever won here: ``manage.py audit_sheets``.

Every hand played at a table is replayed from its deck and moves, every sheet added up anew. One
line for each difference, and exit 1; no card is ever printed. The site may run meanwhile.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

import django
from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.audit import Findings, audit, parts

WORTH_IT = 20  # parts from which on starting more processes saves time


class Command(BaseCommand):
    help = "Replay every hand and work out every sheet again; exit 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--processes", type=int, default=0,
            help="how many work at once (else one for each processor where there is much to do)",
        )

    def handle(self, *args: Any, processes: int, **options: Any) -> None:
        began, total = time.monotonic(), Findings()
        todo = parts()
        if processes < 1:
            processes = (os.cpu_count() or 1) if len(todo) >= WORTH_IT else 1
        with tqdm(total=len(todo), unit="part", disable=None) as bar:  # on a terminal only
            for found in audited(todo, processes):
                total.sheets += found.sheets
                total.hands += found.hands
                for line in found.differences:
                    self.stdout.write(line)
                total.differences += found.differences[:1]  # whether, not which: they may be many
                bar.update()
        spent = max(time.monotonic() - began, 0.001)
        self.stdout.write(
            f"{total.sheets} sheets, {total.hands} hands replayed, "
            f"{total.hands / spent:.0f} hands and {total.sheets / spent:.0f} sheets a second."
        )
        if total.differences:
            sys.exit(1)


def audited(todo: Sequence[tuple[int, int]], processes: int) -> Iterator[Findings]:
    """Each part's findings, in the order of the parts."""
    if processes == 1:
        for first, last in todo:
            yield audit(first, last)
        return
    fresh = multiprocessing.get_context("spawn")  # none may share a connection to the database
    with fresh.Pool(processes, initializer=django.setup) as pool:
        yield from pool.imap(_audit, todo)


def _audit(part: tuple[int, int]) -> Findings:
    return audit(*part)
