"""What script/soak does within the site: lay the tables, and compare at the end, from the facts."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model

from games import rooms, table
from games.models import Game, Hand, Move, Table
from scoring.models import ScoreLine, ScoreSheet
from tests.sockets import cookie_of

STAKES = {"mode": "match", "amount": "5", "commission": "house"}
ONE_IN = 5  # of the rooms play for chips
BONUSES_WITHIN = 30  # seconds; the sweep comes every five
COMPARED = ("at", "version", "state", "game", "hand", "end", "sheet_id")


def lay(tables: int, folder: str) -> None:
    """Two people at each table, who have sat down."""
    people = get_user_model().objects
    places = []
    for number in range(tables):
        a, b = (people.create(username=f"{s} {number}", name_key=f"{s}{number}") for s in "ab")
        stakes = STAKES if number % ONE_IN == 0 else None
        room = rooms.open_room(a.pk, "Salle", {"preset": "complete"}, stakes=stakes)
        rooms.join_room(rooms.room_page(room, a.pk)["invite"], b.pk)
        place = Table.objects.get(room_id=room).pk
        table.sit_down(place, b.pk)
        places.append([place, cookie_of(a), cookie_of(b)])
    (Path(folder) / "places.json").write_text(json.dumps(places))


def check(folder: str) -> None:
    """Print the findings as JSON: each is a count that should be 0, or how much was looked at."""
    told = [json.loads(line) for line in (Path(folder) / "told.jsonl").read_text().splitlines()]
    seen = json.loads((Path(folder) / "seen.json").read_text())
    until = time.monotonic() + BONUSES_WITHIN
    while _without_bonuses() and time.monotonic() < until:
        time.sleep(0.5)
    print(json.dumps({**_moves(told), **_sheets(), **_views(seen)}))


def _without_bonuses() -> int:
    return ScoreSheet.objects.exclude(ended_at=None).filter(bonuses_at=None).count()


def _moves(told: list[dict[str, Any]]) -> dict[str, int]:
    """Whatever a view showed must be there, once, as it was sent: the row was the word given."""
    hands = {(game, number): pk for pk, game, number in
             Hand.objects.values_list("pk", "game_id", "number")}  # fmt: skip
    stored: dict[tuple[int, int], list[str]] = {}
    for hand, ply, text in Move.objects.values_list("hand_id", "ply", "text"):
        stored.setdefault((hand, ply), []).append(text)
    lost = doubled = 0
    for one in told:
        rows = stored.get((hands.get((one["game"], one["hand"]), 0), one["ply"]), [])
        fitting = [text for text in rows if text.split()[:2] == one["move"].split()[:2]]
        lost += not fitting
        doubled += len(rows) > 1
    return {"moves": sum(map(len, stored.values())), "acknowledged": len(told),
            "lost": lost, "doubled": doubled}  # fmt: skip


def _sheets() -> dict[str, int]:
    ended = ScoreSheet.objects.exclude(ended_at=None)
    won = Game.objects.exclude(ended_at=None).filter(sheet__how__in=("target", "resigned"))
    bonuses = list(ScoreLine.objects.filter(kind="game").values_list("sheet_id", flat=True))
    once = {sheet for sheet in bonuses if bonuses.count(sheet) == 1}
    not_once = sum(sheet not in once for sheet in won.values_list("sheet_id", flat=True))
    return {
        "games_over": Game.objects.exclude(ended_at=None).count(), "sheets": ended.count(),
        "without_bonuses": _without_bonuses(),
        "bonuses_not_once": not_once,
    }


def _views(seen: list[dict[str, Any]]) -> dict[str, int]:
    """Each player saw last what the site would show them now."""
    out_of_step = unseen = 0
    for one in seen:
        view = one["view"]
        if not one["looked"] or not view:
            unseen += 1
            continue
        user = Game.objects.get(pk=view["game"]["id"]).seats.get(seat=view["seat"]).user_id
        now = json.loads(json.dumps(table.look(one["table"], user)))
        differing = [key for key in COMPARED if now[key] != view[key]]
        if differing:
            out_of_step += 1
            print(f"Table {one['table']} differs in {', '.join(differing)}", file=sys.stderr)
    return {"players": len(seen), "out_of_step": out_of_step, "not_back": unseen}
