"""The embedded site, running for real: what its own thread picks up again."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from tests.processes import Web, embedded_site
from tests.sockets import Line, two_at_a_table

SWEPT_WITHIN = 10  # seconds


def change(folder: Path, statement: str) -> None:
    """Work on the site's database behind its back."""
    with closing(sqlite3.connect(folder / "data" / "ginrami.sqlite3", timeout=5)) as database:
        database.execute(statement)
        database.commit()


def test_bonuses_that_fail_are_logged_with_their_sheet_and_swept_within_ten_seconds(tmp_path):
    with embedded_site(tmp_path) as web:
        table_id, cookies = two_at_a_table(web.env)
        hers, his = (Line(web, table_id, cookie) for cookie in cookies)
        change(
            tmp_path,
            "CREATE TRIGGER broken BEFORE INSERT ON scoring_scoreline"
            " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
        )
        hers.say(verb="resign")
        for line in (hers, his):
            while line.view["state"] != "finished":
                line.hear("table")
            assert line.view["end"]["bonuses_written"] is False
        sheet = his.view["sheet_id"]
        web.wait_for(f"The bonuses of sheet {sheet} were not written")
        assert "the disk is full" in web.log()
        change(tmp_path, "DROP TRIGGER broken")
        until = time.monotonic() + SWEPT_WITHIN
        for line in (hers, his):
            while not line.view["end"]["bonuses_written"]:
                line.hear("table", until - time.monotonic())
            assert [entry["kind"] for entry in line.view["end"]["lines"]] == ["game"]
        assert_no_sheet_waits(web, tmp_path)


def assert_no_sheet_waits(web: Web, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "data" / "ginrami.sqlite3")) as database:
        late = "SELECT COUNT(*) FROM scoring_scoresheet WHERE ended_at IS NOT NULL"
        assert database.execute(f"{late} AND bonuses_at IS NULL").fetchone() == (0,)
    assert web.running()
