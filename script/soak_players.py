"""The players of script/soak, in a process of their own: real sockets, moves as a browser's.

What a view shows is acknowledged: each move sent is written down once a view holds it. Whoever is
cut off connects again, to any of the web processes, and asks for nothing but what it sees. At
SIGTERM they play no more, look once, and write what each of them sees last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from games.engine.bots import habitue

PING_EVERY, ANSWER_WITHIN = 10.0, 5.0  # as static/js/socket.js
LOOK_AFTER = 3.0
SETTLED_WITHIN = 60.0
GIVES_UP = 0.002  # of its turns: a game that is resigned ends sooner


@dataclass
class Plan:
    """Where to play and how fast."""

    ports: list[int]
    think: float  # seconds, on average
    told: TextIO
    over: bool = False


@dataclass
class Seat:
    """One player at one table."""

    table: int
    cookie: str
    plan: Plan
    line: ClientConnection | None = None
    view: dict[str, Any] = field(default_factory=dict)
    sent: tuple[int, int, int, str] | None = None  # game, hand, ply, move
    sent_at: float = 0.0
    sent_on: ClientConnection | None = None
    heard_at: float = 0.0
    asked_at: float = 0.0
    act_at: float = 0.0
    looked: bool = False

    async def live(self) -> None:
        """Follow the table until all is over, whatever happens to the line."""
        while not (self.plan.over and self.looked):
            port = random.choice(self.plan.ports)
            try:
                async with connect(
                    f"ws://localhost:{port}/ws/tables/{self.table}/", open_timeout=8, proxy=None,
                    origin=f"http://localhost:{port}", additional_headers={"Cookie": self.cookie},
                    compression=None, ping_interval=None, close_timeout=1,
                ) as line:  # fmt: skip
                    self.line, self.heard_at, self.asked_at = line, time.time(), time.time()
                    async for text in line:
                        self.hear(json.loads(text))
            except (OSError, WebSocketException, TimeoutError):
                pass
            self.line = None
            await asyncio.sleep(random.uniform(0.1, 1.5))

    def hear(self, message: dict[str, Any]) -> None:
        self.heard_at = time.time()
        if message["type"] == "table":
            self.see(message)
        elif message["type"] == "refused":
            self.sent = None
            self.act_at = time.time() + random.uniform(0.5, 1.0)
        elif message["type"] == "pong" and message["version"] != self.view.get("version"):
            self.asked_at = 0.0  # a bell was lost: look

    def see(self, view: dict[str, Any]) -> None:
        self.view = view
        if self.sent is not None:
            game, hand, ply, move = self.sent
            now = (view["game"]["id"], *view["at"])
            if now > (game, hand, ply):
                told = {"at": time.time(), "table": self.table, "game": game, "hand": hand}
                self.plan.told.write(json.dumps({**told, "ply": ply + 1, "move": move}) + "\n")
                self.sent = None
            elif self.sent_on is not self.line or time.time() - self.sent_at > LOOK_AFTER:
                self.sent = None  # it was lost on the way: to be made again
        self.act_at = time.time() + random.uniform(0.5, 1.5) * self.plan.think
        # Between hands whoever looks later may deal: a table comes to rest in a hand or after all.
        self.looked = self.plan.over and view["state"] in ("playing", "finished")

    async def tick(self) -> None:
        """What a browser does by its timers, and its player by theirs."""
        line, now = self.line, time.time()
        if line is None:
            return
        if now - self.heard_at > PING_EVERY + 2 * ANSWER_WITHIN:
            await line.close()
        elif self.plan.over and not self.looked:
            if now >= self.act_at:
                self.act_at = now + 1
                resting = self.view.get("state") in (None, "playing", "finished")
                await self.say(verb="look" if resting else "ready")
        elif self.asked_at == 0.0 or (
            self.sent and min(now - self.sent_at, now - self.asked_at) > LOOK_AFTER
        ):
            self.asked_at = now
            await self.say(verb="look")
        elif now - self.asked_at > PING_EVERY:
            self.asked_at = now
            await self.say(verb="ping")
        elif self.sent is None and self.view and now >= self.act_at and not self.plan.over:
            await self.act()

    async def act(self) -> None:
        """Make the move, or leave the showdown, or begin again."""
        view, hand = self.view, self.view["hand"]
        self.act_at = time.time() + max(2.0, self.plan.think)
        if view["state"] == "finished":
            await self.say(verb="rematch")
        elif view["state"] != "playing":
            await self.say(verb="ready")
        elif hand["to_act"] == view["seat"]:
            if random.random() < GIVES_UP:
                await self.say(verb="resign")
                return
            move = habitue(hand, lambda _number: 0)
            self.sent, self.sent_at = (view["game"]["id"], *view["at"], move), time.time()
            self.sent_on = self.line
            await self.say(move=move, at=view["at"])

    async def say(self, **message: object) -> None:
        if self.line is not None:
            with contextlib.suppress(WebSocketException):  # live() notices
                await self.line.send(json.dumps(message))


async def play(
    plan: Plan, places: list[list[Any]], result: Path, kind: type[Seat] = Seat, rest: float = 3
) -> None:
    seats = [kind(table, cookie, plan) for table, *cookies in places for cookie in cookies]
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: setattr(plan, "over", True))
    lives = []
    for seat in seats:
        lives.append(asyncio.create_task(seat.live()))
        await asyncio.sleep(0.004)
    print("everybody is there", flush=True)
    ends = None
    while ends is None or (time.time() < ends and not all(seat.looked for seat in seats)):
        if plan.over and ends is None:
            await asyncio.sleep(rest)  # what was under way is over, and bells that come have come
            for seat in seats:
                seat.sent, seat.act_at, seat.looked = None, 0.0, False
            ends = time.time() + SETTLED_WITHIN
        for seat in seats:
            await seat.tick()
        await asyncio.sleep(0.05)
    await asyncio.sleep(rest)  # what was said last, and the bells it rang
    for task in lives:
        task.cancel()
    seen = [{"table": one.table, "looked": one.looked, "view": one.view} for one in seats]
    result.write_text(json.dumps(seen))


def main(folder: Path, think: str, *ports: str) -> None:
    with (folder / "told.jsonl").open("w", buffering=1) as told:
        plan = Plan([int(port) for port in ports], float(think), told)
        places = json.loads((folder / "places.json").read_text())
        asyncio.run(play(plan, places, folder / "seen.json"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
