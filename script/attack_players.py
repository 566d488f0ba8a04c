"""The honest players of script/attack, in a process of their own: they play on, whatever comes.

They are those of script/soak, and each message names its game, as a browser's does. Written down
besides: every message they send, how long each click took until both seats held the next view, and
when one of them was cut off.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TextIO

from websockets.asyncio.client import ClientConnection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from script.soak_players import Plan, Seat, play

Place = tuple[int, int, int, int]  # table, game, hand, ply


@dataclass
class Click:
    """A move that was sent, and who holds the view after it."""

    at: float
    begun: float
    seen: set[str] = field(default_factory=set)


@dataclass
class Honest(Seat):
    """A seat whose clicks are timed and whose messages are kept."""

    clicks: ClassVar[TextIO]
    sent_file: ClassVar[TextIO]
    waiting: ClassVar[dict[Place, Click]] = {}
    known: ClientConnection | None = None

    async def say(self, **message: object) -> None:
        of_a_game = "move" in message or message["verb"] in ("ready", "rematch", "resign")
        if self.view and of_a_game:
            message["game"] = self.view["game"]["id"]
        if message.get("verb") == "ready":
            message["hand"] = self.view["at"][0]
        if "move" in message:
            place = (self.table, self.view["game"]["id"], *self.view["at"])
            self.waiting.setdefault(place, Click(time.time(), time.perf_counter()))
        kept = {"at": time.time(), "table": self.table, "cookie": self.cookie, "said": message}
        self.sent_file.write(json.dumps(kept) + "\n")
        await super().say(**message)

    def see(self, view: dict[str, Any]) -> None:
        if self.line is not self.known:
            if self.known is not None:
                self.clicks.write(json.dumps({"at": time.time(), "cut": self.table}) + "\n")
            self.known = self.line
        now = (self.table, view["game"]["id"], *view["at"])
        for place in [one for one in self.waiting if one[0] == self.table and one < now]:
            click = self.waiting[place]
            click.seen.add(self.cookie)
            if len(click.seen) == 2:
                spent = (time.perf_counter() - click.begun) * 1000
                self.clicks.write(json.dumps({"at": click.at, "ms": spent}) + "\n")
                del self.waiting[place]
        super().see(view)


def over(rest: float) -> Callable[[Plan, str], Awaitable[None]]:
    """At SIGTERM they play no more; what was said last and the bells it rang may still come."""

    async def word(plan: Plan, phase: str) -> None:
        if phase == "rest":
            ended = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
            await ended.wait()
        else:
            await asyncio.sleep(rest)
        plan.phase = phase

    return word


def main(folder: Path, think: str, rest: str, *ports: str) -> None:
    told, Honest.clicks, Honest.sent_file = (
        (folder / f"{name}.jsonl").open("w", buffering=1) for name in ("told", "clicks", "sent")
    )
    places = json.loads((folder / "places.json").read_text())
    plan = Plan([int(port) for port in ports], float(think), told)
    seats: list[Seat] = [
        Honest(table, cookie, plan) for table, *cookies in places for cookie in cookies
    ]
    asyncio.run(play(plan, seats, folder / "seen.json", over(float(rest))))
    for click in Honest.waiting.values():
        Honest.clicks.write(json.dumps({"at": click.at, "ms": None}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
