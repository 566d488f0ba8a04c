"""Sheets of games with real cards, for the browser: long, corrected, and one to be brought in.

Run inside the site (``manage.py shell``): ``tell`` prints where they are as JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from games import files, presets
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.rules import HandResult
from tests.browser.laid import WIDE, cookie, person

LONG = [HandResult(n % 2, "knock", 4, 5 + n % 3) for n in range(33)]
GAME = [
    HandResult(1, "knock", 4, 21), HandResult(0, "big_gin", 0, 13), HandResult(1, "undercut", 8, 5),
    HandResult(None, "void", idle=True), HandResult(0, "gin", 0, 40),
]  # fmt: skip


def written(names: tuple[str, str], keeper: Any, hands: list[HandResult], **options: Any) -> int:
    seats = [SeatEntry(names[0], keeper.pk), SeatEntry(names[1], kind="name")]
    rules = presets.rule_set(options).as_dict()
    sheet = ledger.open_sheet(rules, seats, source="paper", keeper_id=keeper.pk, first_dealer=0)
    for number, hand in enumerate(hands, 1):
        ledger.record_hand(sheet, number, hand)
    ledger.write_bonuses(sheet)
    return sheet


def tell() -> None:
    keeper = person("Solange")
    long = written(WIDE, keeper, [*LONG, HandResult(0, "gin", 0, 98)], target=110)
    longer = written(WIDE, keeper, [*LONG, *LONG[1:], HandResult(0, "gin", 0, 98)], target=180)
    old = written(("Solange", "Mamie"), keeper, GAME)
    ledger.write_correction(old, 1, -12, "Une carte était restée sous la boîte", "administrateur")
    changed = [HandResult(1, "knock", 4, 31), *GAME[1:3], HandResult(0, "gin", 0, 50)]
    game = files.as_json(ledger.read_sheet(old))
    new = ledger.edition(old, changed)
    open_ = written(("Solange", "Mamie"), keeper, [])
    sheets = {"long": long, "longer": longer, "old": old, "new": new, "open": open_}
    told = {name: f"/sheets/{number}/" for name, number in sheets.items()}
    sys.stdout.write(json.dumps({**told, "cookie": cookie(keeper), "game": game}))
