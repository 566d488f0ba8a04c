"""The page of a history: finished games by month, those not finished, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import timezone

from accounts.called import called
from games.history.filters import HistoryForm, address
from games.history.words import moment, month, rules_name, shade
from games.reading import frames_of
from games.rooms.rows import rows_of
from scoring import history, pad
from scoring.history import Cursor, Entry, Opponent, Unfinished

SELECTS = ("against", "rules", "result", "period")  # in the first line of the form
RUNNING = ("playing", "between", "adjourned")


@dataclass(frozen=True, slots=True)
class Row:
    """A finished game as the list shows it. ``page_of``: whose page may be looked at."""

    sheet_id: int
    result: str
    name: str
    shade: str
    page_of: int | None
    rules: str
    source: str
    points: int
    opponent_points: int
    when: str


def laid_out(user_id: int, form: HistoryForm, after: Cursor | None) -> dict[str, Any]:
    """Everything the page of somebody's history shows."""
    wanted = form.wanted(timezone.get_current_timezone())
    page = history.page(user_id, wanted, after)
    everything = history.counted(user_id)
    first = after is None and wanted.all
    asked = form.asked()
    return {
        "form": form,
        "selects": [form[name] for name in SELECTS],
        "chips": list(form.chips()),
        "months": _by_month(page.entries),
        "everything": everything,
        "since": month(everything.since) if everything.since else "",
        "found": everything if wanted.all else history.counted(user_id, wanted),
        "filtered": not wanted.all,
        "older": page.older and address({**asked, "after": str(page.older)}),
        "newest": None if after is None else address(asked),
        "invitations": pad.invitations_for(user_id) if first else [],
        "running": _running(user_id) if first else [],
        "unfinished": _open_sheets(history.unfinished(user_id)) if first else [],
    }


def _by_month(entries: Sequence[Entry]) -> list[tuple[str, list[Row]]]:
    months = groupby(entries, lambda entry: month(entry.ended_at))
    return [(name, [_row(entry) for entry in found]) for name, found in months]


def _row(entry: Entry) -> Row:
    name = names_of(entry.opponents)
    shown = [one.user_id for one in entry.opponents if one.shows_page]
    return Row(
        sheet_id=entry.sheet_id,
        result=entry.result,
        name=name,
        shade=shade(name),
        page_of=shown[0] if len(entry.opponents) == 1 and shown else None,
        rules=rules_name(entry.preset),
        source=entry.source,
        points=entry.points,
        opponent_points=entry.opponent_points,
        when=moment(entry.ended_at),
    )


def names_of(opponents: Iterable[Opponent]) -> str:
    """Who sat on the other side, one or several."""
    return ", ".join(called(one.name, one.kind) for one in opponents)


def _running(user_id: int) -> list[dict[str, Any]]:
    """The games this person plays at a table now, or has put aside."""
    rows = rows_of(frames_of(player_id=user_id), user_id, lines=False)
    return [
        {**row, "name": ", ".join(row["others"]), "shade": shade(", ".join(row["others"]))}
        for row in rows
        if row["state"] in RUNNING
    ]


def _open_sheets(sheets: Iterable[Unfinished]) -> list[dict[str, Any]]:
    return [
        {
            "id": sheet.sheet_id,
            "name": ", ".join(sheet.names),
            "shade": shade(", ".join(sheet.names)),
            "rules": rules_name(sheet.preset),
            "since": moment(sheet.started_at),
            "ended": sheet.ended,
            "paper": sheet.source == "paper",
            "kept": sheet.kept,
        }
        for sheet in sheets
    ]
