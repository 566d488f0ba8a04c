"""What script/soak compares at the end, from the facts, within the site."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db.models import F, Sum

from accounts.refusal import Refusal
from games import table
from games.models import Clock, Game, GameSeat, Hand, Move, SeatTime
from games.table import Looker
from scoring.models import ChipPosting, ScoreLine, ScoreSheet
from script.soak_tables import lay

__all__ = ["calm", "check", "lay"]

BONUSES_WITHIN = 60  # seconds; the sweep comes every five
COMPARED = ("at", "version", "state", "game", "hand", "end", "sheet_id")
WON = ("target", "resigned", "claimed", "time")


def calm() -> None:
    """Wait until what follows by itself has followed, and let no clock play from now on."""
    until = time.monotonic() + BONUSES_WITHIN
    while _without_bonuses() and time.monotonic() < until:
        time.sleep(0.5)
    Clock.objects.exclude(deadline=None).update(deadline=F("deadline") + timedelta(hours=1))


def check(folder: str) -> None:
    """Print the findings as JSON: each is a count that should be 0, or how much was looked at."""
    seen = [one for file in Path(folder).glob("seen*.json") for one in json.loads(file.read_text())]
    calm()
    print(json.dumps({**_moves(_told(folder)), **_sheets(), **_chips(), **_views(seen)}))


def _told(folder: str) -> Iterator[dict[str, Any]]:
    for file in Path(folder).glob("told*.jsonl"):
        for line in file.read_text().splitlines():
            one = json.loads(line)
            if one.setdefault("kind", "acknowledged") in ("acknowledged", "seen"):
                yield one


def _without_bonuses() -> int:
    return ScoreSheet.objects.exclude(ended_at=None).filter(bonuses_at=None).count()


def _moves(told: Iterator[dict[str, Any]]) -> dict[str, int]:
    """Whatever a view showed must be there, once, as it was sent: the row was the word given."""
    hands = {(game, number): pk for pk, game, number in
             Hand.objects.values_list("pk", "game_id", "number")}  # fmt: skip
    stored: dict[tuple[int, int], list[str]] = {}
    for hand, ply, text in Move.objects.values_list("hand_id", "ply", "text"):
        stored.setdefault((hand, ply), []).append(text)
    counts = Counter(lost=0, acknowledged=0, seen=0)
    for one in told:
        rows = stored.get((hands.get((one["game"], one["hand"]), 0), one["ply"]), [])
        fitting = [text for text in rows if text.split()[:2] == one["move"].split()[:2]]
        counts[one["kind"]] += 1
        if not fitting:
            counts["lost"] += 1
            print(f"Lost: {one}; stored: {rows}", file=sys.stderr)
    doubled = sum(len(rows) > 1 for rows in stored.values())
    missing = sum((hand, ply - 1) not in stored for hand, ply in stored if ply > 1)
    return {"moves": sum(map(len, stored.values())), **counts, "doubled": doubled,
            "missing_between": missing}  # fmt: skip


def _sheets() -> dict[str, int]:
    ended = ScoreSheet.objects.exclude(ended_at=None)
    won = Game.objects.exclude(ended_at=None).filter(sheet__how__in=WON)
    bonuses = ScoreLine.objects.filter(hand=None, reason="")
    once = Counter(bonuses.values_list("sheet_id", "kind", "seat"))
    of_the_game = Counter(sheet for sheet, kind, _seat in once.elements() if kind == "game")
    owed = [number for number, rules in won.values_list("sheet_id", "rules")
            if rules.get("game_bonus")]  # fmt: skip
    return {
        "hands_over": Hand.objects.exclude(ended_at=None).count(),
        "games_over": Game.objects.exclude(ended_at=None).count(), "sheets": ended.count(),
        "without_bonuses": _without_bonuses(),
        "bonuses_not_once": sum(of_the_game[number] != 1 for number in owed)
        + sum(count > 1 for count in once.values()),
        "time_outs": sum(SeatTime.objects.values_list("timeouts", flat=True)),
        "resumed": Clock.objects.exclude(resumed_at=None).count(),
        "against_the_computer": GameSeat.objects.filter(user__bot__gt="").count(),
    }


def _chips() -> dict[str, int]:
    """Whatever one got another gave."""
    amounts = ChipPosting.objects
    left = amounts.aggregate(all=Sum("amount"))["all"] or 0
    return {"chips_moved": amounts.count(), "chips_out_of_nothing": int(left != 0)}


def _views(seen: list[dict[str, Any]]) -> dict[str, int]:
    """Each player saw last what the site would show them now."""
    out_of_step = unseen = 0
    for one in seen:
        view = one["view"]
        if not one["looked"] or not view:
            unseen += 1
            print(f"Table {one['table']}: somebody did not come back", file=sys.stderr)
            continue
        user = Game.objects.get(pk=view["game"]["id"]).seats.get(seat=view["seat"]).user_id
        try:
            (shown,) = table.look_together(one["table"], [Looker(user, "fr")])
        except Refusal as refusal:  # its moves cannot be replayed
            shown = {"why": refusal.code}
        now = json.loads(json.dumps(shown, default=str))
        differing = [key for key in COMPARED if now.get(key, "nothing") != view[key]]
        if differing:
            out_of_step += 1
            print(f"Table {one['table']} differs in {', '.join(differing)}", file=sys.stderr)
    return {"players": len(seen), "out_of_step": out_of_step, "not_back": unseen}
