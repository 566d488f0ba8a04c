"""Each sheet as its files in an archive of everything somebody has, and its row of the index."""

from __future__ import annotations

import json

from django.utils import timezone

from games.files import as_csv, as_json
from games.files.writing import no_formula
from games.history.words import rules_name
from scoring import chips
from scoring.archive import Written
from scoring.ledger import SheetReading

# Players of a third and fourth seat follow behind.
HEADING = (
    "file", "sheet", "started", "ended", "played", "rules", "how it ended", "winner",
    "player", "points", "player", "points",
)  # fmt: skip


def written(sheet: SheetReading) -> Written:
    """A JSON that can be imported again, and a CSV; times of the index are the reader's."""
    started, staked = timezone.localtime(sheet.started_at), chips.outcome(sheet.id)
    name = f"{started:%Y-%m-%d}-{sheet.id}"
    ended = timezone.localtime(sheet.ended_at) if sheet.ended_at else None
    winner = sheet.standing.winner
    names = [no_formula(one) for one in sheet.names]
    scores = [
        text
        for one, points in zip(names, sheet.standing.totals, strict=True)
        for text in (one, str(points))
    ]
    return Written(
        files={
            f"json/{name}.json": _json(as_json(sheet, staked)),
            f"csv/{name}.csv": as_csv(sheet, staked),
        },
        row=(
            name,
            str(sheet.id),
            started.isoformat(timespec="seconds"),
            ended.isoformat(timespec="seconds") if ended else "",
            sheet.source,
            rules_name(str(sheet.rules.get("preset", ""))),
            sheet.ended.how if sheet.ended else "",
            "" if winner is None else names[winner],
            *scores,
        ),
        at=started,
    )


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1)
