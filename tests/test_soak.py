"""What the verdict of script/soak rests on would notice what must never be."""

from __future__ import annotations

import pytest
from django.db import connection

from games.models import Game
from scoring.models import ChipPosting
from script import soak, soak_checks, soak_tables


def trace(error):
    return f'Traceback (most recent call last):\n  File "x.py", line 1\n{error}\n'


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("12:00 WARNING games.sockets: TableConsumer 3: OperationalError\n", 0),
        ("Task games.tasks.sweep raised unexpected: OperationalError('gone')\n", 0),
        ("Task games.tasks.sweep raised unexpected: KeyError('seat')\n", 1),
        (f"12:00 INFO all is well\n{trace('KeyError: 7')}", 1),
        (f"Exception inside application: 7\n{trace('KeyError: 7')}{trace('ValueError')}", 3),
    ],
)
def test_errors_that_nobody_foresaw_are_found_in_logs(tmp_path, capsys, written, found):
    (tmp_path / "web0.log").write_text("12:00 INFO begun\n")
    (tmp_path / "web1.log").write_text(written)
    assert soak.unexpected(tmp_path) == found
    assert ("KeyError" in capsys.readouterr().out) is bool(found)


@pytest.mark.django_db
def test_chips_that_come_out_of_nothing_or_go_are_found():
    soak_tables._lay(0, {**soak_tables.kind_of(0), "bot": False})
    assert Game.objects.get().started_at
    assert soak_checks._chips() == {"chips_moved": ChipPosting.objects.count(),
                                    "chips_out_of_nothing": 0}  # fmt: skip
    assert ChipPosting.objects.count() > 2
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER postings_are_never_changed")
        for by in (1, -1):
            cursor.execute("UPDATE scoring_chipposting SET amount = amount + %s WHERE id ="
                           " (SELECT MIN(id) FROM scoring_chipposting)", [by])  # fmt: skip
            assert soak_checks._chips()["chips_out_of_nothing"] == (1 if by == 1 else 0)
