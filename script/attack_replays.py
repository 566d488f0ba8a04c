"""What honest players said, said again: by themselves or others, later, doubled, reordered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from script.attack_ground import HONEST, Ground, Person
from script.attack_messages import say_all

ONCE = 30  # messages over one socket


async def replays(ground: Ground, sent: Path) -> None:
    """Every message an honest player has sent so far, the latest of them while they play."""
    kept: dict[tuple[int, str], list[dict[str, Any]]] = {}
    read = 0

    def hear_more() -> None:
        nonlocal read
        lines = sent.read_text().splitlines()
        for line in lines[read : len(lines) - 1]:  # the last may be half written
            one = json.loads(line)
            kept.setdefault((one["table"], one["cookie"]), []).append(one["said"])
        read = max(read, len(lines) - 1)

    async def attacker() -> None:
        hear_more()
        table, cookie = ground.random.choice(list(kept))
        said = kept[table, cookie]
        how = ground.random.choice(("later", "doubled", "reordered", "the latest", "elsewhere"))
        some = said[-5:] * 6 if how == "the latest" else ground.random.choices(said, k=ONCE)
        if how == "doubled":
            some = [one for one in some for _ in (0, 1)][:ONCE]
        if how == "reordered":
            some.reverse()
        texts: list[str | bytes] = [json.dumps(one) for one in some]
        if how != "elsewhere":
            await say_all(ground, f"tables/{table}", Person(HONEST, cookie), texts)
            return
        who = ground.random.choice((ground.charlie, ground.trudy, ground.mallory))
        place = ground.people["open_table"] if who is ground.charlie else ground.people["den_table"]
        await say_all(ground, f"tables/{place}", who, texts)

    await ground.many(4, attacker)
