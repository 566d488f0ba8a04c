"""The players of script/soak, in processes of their own: real sockets, kept as a browser keeps its.

What a view shows is the word given: each move one sent is written down once a view is past it, and
each move of anybody that a view tells of. Whoever is cut off comes back as static/js/socket.js
would, over a proxy as in deploy/nginx: each table has a web process of its own, another while that
one refuses. On its standard input a process is told to `rest` (play no more, let the table come to
rest) and to `look` (once more, and leave).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from games.engine.bots import habitue

# As static/js/socket.js and table.js.
PING_EVERY, ANSWER_WITHIN, CONNECT_WITHIN, LOOK_AFTER = 10.0, 5.0, 8.0, 3.0
FIRST_WAIT, LONGEST_WAIT, MADE_WAY, SPREAD = 0.2, 20.0, 4503, 2.0
CANNOT_TELL, CANNOT_TELL_WAIT, GO_HOME = 4500, 1.5, 4504
FINAL = (4401, 4403, 4404)
SETTLED_WITHIN = 60.0
COME_AT_ONCE = 10  # sockets each process opens at the same time in the beginning
GIVES_UP, CALLS_OFF, MINDLESS = 0.003, 0.002, 0.3  # of its turns
AWAY_FOR = (35.0, 75.0)  # seconds, of who leaves a table with a clock
ERRANDS = {"claim", "adjourn", "wait"}


@dataclass
class Plan:
    """What all players of a process share."""

    ports: list[int]
    think: float  # seconds, on average
    told: TextIO
    counts: bool = False  # whether each who comes is a line on standard output
    phase: str = "play"

    def tell(self, **said: object) -> None:
        self.told.write(json.dumps({"at": time.time(), **said}) + "\n")


@dataclass
class Seat:
    """One player at one table."""

    table: int
    cookie: str
    plan: Plan
    kind: dict[str, Any] = field(default_factory=dict)  # what script/soak_tables.py says of it
    line: ClientConnection | None = None
    port: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    sent: tuple[int, int, int, str] | None = None  # game, hand, ply, move
    sent_at: float = 0.0
    sent_on: ClientConnection | None = None
    pinged_at: float = 0.0
    looked_at: float = 0.0
    missed: int = 0
    attempt: int = 0
    act_at: float = 0.0
    away_until: float = 0.0
    shut_until: float = 0.0  # the page; one that is open comes back by itself
    lost_at: float = 0.0
    sent_home: bool = False  # to the process that is the table's own, which is there again
    told_of: tuple[int, int, int] = (0, 0, 0)  # the last move seen
    turn: tuple[int, int, int] = (0, 0, 0)  # the last that was thought about
    looked: bool = False
    shown_out: bool = False

    # --- the line

    async def live(self) -> None:
        """Follow the table until all is over, whatever happens to the line."""
        while not (self.plan.phase == "look" and self.looked) and not self.shown_out:
            if self.plan.phase == "play" and self.shut_until > time.time():
                await asyncio.sleep(1)
                continue
            code = await self._follow()
            if self.line is not None:
                self.sent_home = code == GO_HOME
                self.line, self.lost_at = None, self.lost_at or time.time()
            elif self.sent_home:
                self.sent_home = False  # it did not get there
            self.shown_out = code in FINAL
            if code == MADE_WAY:
                await asyncio.sleep(SPREAD * random.random())
            elif code == CANNOT_TELL:
                await asyncio.sleep(CANNOT_TELL_WAIT * random.uniform(0.7, 1.3))
            else:
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self.attempt)
                self.attempt += 1
                await asyncio.sleep(wait * random.uniform(0.7, 1.3))

    async def _follow(self) -> int | None:
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                line = await self._connected()
        except (OSError, WebSocketException, TimeoutError):
            return None
        self.line, self.missed = line, 0
        self.pinged_at = self.looked_at = time.time()
        try:
            while True:
                text = None
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.01, self.due() - time.time())):
                        text = await line.recv()
                if text is not None:
                    self.hear(json.loads(text))
                await self.tick()
        except (OSError, WebSocketException):
            return line.close_code
        finally:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                line.transport.abort()

    async def _connected(self) -> ClientConnection:
        """As behind nginx: a table has a process of its own, which is passed over if it refuses."""
        first = self.table % len(self.plan.ports)
        for port in self.plan.ports[first:] + self.plan.ports[:first]:
            try:
                self.port = port
                return await connect(
                    f"ws://localhost:{port}/ws/tables/{self.table}/", host="127.0.0.1", proxy=None,
                    origin=f"http://localhost:{port}", additional_headers={"Cookie": self.cookie},
                    compression=None, ping_interval=None, open_timeout=None, close_timeout=1,
                )  # fmt: skip
            except ConnectionRefusedError:
                continue
        raise ConnectionRefusedError

    # --- what is heard

    def hear(self, message: dict[str, Any]) -> None:
        self.missed = 0
        if message["type"] != "refused":
            self.attempt = 0
        if message["type"] == "table":
            self.see(message)
        elif message["type"] == "refused":
            self.sent = None
            self.act_at = max(self.act_at, time.time() + random.uniform(0.5, 1.0))
            self.plan.tell(kind="refused", table=self.table, code=message["code"])
        elif message["type"] == "reach":
            self._hear_reach(message)
        elif message["type"] == "pong" and message["version"] != self.view.get("version"):
            self.looked_at = 0.0  # a bell was lost: look

    def _hear_reach(self, message: dict[str, Any]) -> None:
        """What the site says it cannot reach: for the table of what was told."""
        gone = [one for one in ("bells", "database") if not message[one]]
        for one in gone:
            self.plan.tell(kind="told", table=self.table, code=f"no {one}")
        if not gone:
            self.plan.tell(kind="told", table=self.table, code="all well")

    def see(self, view: dict[str, Any]) -> None:
        if self.lost_at:
            kind = "home" if self.sent_home else "back"
            self.plan.tell(kind=kind, table=self.table, lost=self.lost_at)
            self.lost_at = 0.0
        first, self.view = not self.view, view
        self._tell_of(view)
        if self.sent is not None:
            now = (view["game"]["id"], *view["at"])
            if now > self.sent[:3]:
                if now[0] == self.sent[0] and not self._may_be_the_clock(view):
                    self._tell("acknowledged", *self.sent[:2], self.sent[2] + 1, self.sent[3])
                self.sent = None
            elif self.sent_on is not self.line or time.time() - self.sent_at > LOOK_AFTER:
                self.sent = None  # it was lost on the way: to be made again
        pace = self.plan.think / (8 if self.kind.get("quick") else 1)
        pause = random.uniform(0.0 if first else 0.5, 1.5) * pace
        self.act_at = max(self.away_until, time.time() + pause)
        # Between hands whoever looks later may deal: a table comes to rest in a hand or after all.
        self.looked = self.plan.phase == "look" and self.rests()

    def _tell_of(self, view: dict[str, Any]) -> None:
        for one in (view["hand"] or {}).get("log", ()):
            place = (view["game"]["id"], view["at"][0], one["ply"])
            if place > self.told_of:
                self.told_of = place
                self._tell("seen", *place, one["move"])

    def _tell(self, kind: str, game: int, hand: int, ply: int, move: str) -> None:
        self.plan.tell(kind=kind, table=self.table, game=game, hand=hand, ply=ply, move=move)

    def _may_be_the_clock(self, view: dict[str, Any]) -> bool:
        """Whether the turn may have been over by time, so that another move was made than was sent.

        Time-outs say so only until the game is taken up again, which the other may have done before
        one is back; the move itself says so as long as its hand lies there.
        """
        if view["pace"] != "30" or self.sent is None:
            return False
        _game, hand, ply, move = self.sent
        log = (view["hand"] or {}).get("log", ()) if view["at"][0] == hand else ()
        made = [one["move"].split()[:2] for one in log if one["ply"] == ply + 1]
        return made != [move.split()[:2]]

    def rests(self) -> bool:
        """Whether nothing happens here by itself any more, clocks apart."""
        view = self.view
        if not view or view["state"] == "finished" or view["adjourned"]:
            return bool(view)
        to_act = view["hand"]["to_act"] if view["state"] == "playing" else None
        return to_act is not None and not view["seats"][to_act]["bot"]

    # --- what is done

    def due(self) -> float:
        """When there is something to do at the latest."""
        ping = self.pinged_at + (ANSWER_WITHIN if self.missed > 1 else PING_EVERY)
        if self.sent is not None or not self.looked_at:
            return min(ping, max(self.sent_at, self.looked_at) + LOOK_AFTER)
        return min(ping, max(self.act_at, time.time() + 0.05), time.time() + 2)

    async def tick(self) -> None:
        """What a browser does by its timers, and its player by theirs."""
        now, play = time.time(), self.plan.phase == "play"
        if now >= self.pinged_at + (ANSWER_WITHIN if self.missed > 1 else PING_EVERY):
            if self.missed >= 2:
                raise ConnectionAbortedError  # two answers in a row were missed
            self.missed, self.pinged_at = self.missed + 1, now
            await self.say(verb="ping")
        if not self.view:
            return
        if not self.looked_at or (
            self.sent and min(now - self.sent_at, now - self.looked_at) > LOOK_AFTER
        ):
            self.looked_at = now
            await self.say(verb="look")
        elif play and self.sent is None and now >= self.act_at:
            await self.act()
        elif not play and now >= self.act_at and not self.looked:
            self.act_at = now + 1
            if self.view["state"] not in ("playing", "finished") and not self.view["adjourned"]:
                await self.say(verb="ready")
            elif self.plan.phase == "look":
                await self.say(verb="look")

    async def act(self) -> None:
        """Make the move, or leave the showdown, or begin again, or deal with who is away."""
        view, hand = self.view, self.view["hand"]
        self.act_at = time.time() + max(2.0, self.plan.think / (8 if self.kind.get("quick") else 1))
        if view["adjourned"]:
            await self.say(verb="resume")
        elif view["absence"]:
            await self.say(verb=random.choice(sorted(ERRANDS & set(view["absence"]["choices"]))))
        elif view["state"] == "finished":
            terms = (view.get("following") or {}).get("terms", "")
            await self.say(verb="rematch", game=view["game"]["id"], terms=terms)
        elif view["state"] != "playing":
            await self.say(verb="ready")
        elif view["call_off"] and view["call_off"]["by"] != view["seat"]:
            await self.say(verb="call_off", answer=random.choice(["accept", "refuse"]))
        elif hand["to_act"] == view["seat"] and not await self._wander():
            move = habitue(hand, lambda _number: 0)
            self.sent, self.sent_at = (view["game"]["id"], *view["at"], move), time.time()
            self.sent_on = self.line
            await self.say(move=move, at=view["at"])

    async def _wander(self) -> bool:
        """Once a turn: give up, offer to call off, or leave the clock to itself."""
        place = (self.view["game"]["id"], *self.view["at"])
        if place == self.turn:
            return False
        self.turn = place
        if random.random() < GIVES_UP:
            await self.say(verb="resign")
            return True
        if random.random() < CALLS_OFF:
            await self.say(verb="call_off", answer="offer")
            return True
        if self.kind.get("clock") and random.random() < MINDLESS:
            self.away_until = time.time() + random.uniform(*AWAY_FOR)
            self.act_at = self.away_until
            if random.random() < 0.5 and self.line is not None:
                self.lost_at, self.shut_until = 0.0, self.away_until
                await self.line.close()
                self.line = None
            return True
        return False

    async def say(self, **message: object) -> None:
        if self.line is not None:
            with contextlib.suppress(WebSocketException):  # live() notices
                await self.line.send(json.dumps(message))


async def play(
    plan: Plan, seats: list[Seat], result: Path, word: Callable[[Plan, str], Awaitable[None]]
) -> None:
    """Have all of them play until the words `rest` and `look` come; write what they see last."""
    lives = []
    for seat in seats:
        lives.append(asyncio.create_task(seat.live()))
        await _until(lambda: sum(not one.view for one in seats[: len(lives)]) < COME_AT_ONCE)
        if plan.counts:
            print("coming", flush=True)
    await _until(lambda: all(one.view for one in seats))
    if not all(one.view for one in seats):
        raise SystemExit("The site lets nobody in.")
    print("all there", flush=True)
    await word(plan, "rest")
    await _until(lambda: all(one.rests() for one in seats))
    print("resting", flush=True)
    await word(plan, "look")
    for seat in seats:
        seat.sent, seat.act_at = None, 0.0
    await _until(lambda: all(seat.looked or seat.shown_out for seat in seats))
    for task in lives:
        task.cancel()
    seen = [{"table": one.table, "looked": one.looked, "view": one.view} for one in seats]
    result.write_text(json.dumps(seen))
    print("seen", flush=True)


async def said(plan: Plan, phase: str) -> None:
    """Go on until the next word comes in; when nobody is there to say it, all is over."""
    while (word := (await asyncio.to_thread(sys.stdin.readline)).strip()) != phase:
        if not word:
            raise SystemExit(1)
    plan.phase = phase


async def _until(done: Callable[[], bool]) -> None:
    ends = time.time() + SETTLED_WITHIN
    while time.time() < ends and not done():
        await asyncio.sleep(0.02)


def main(folder: Path, number: int, of: int, think: float, ports: list[int]) -> None:
    def mine(kind: str) -> list[Any]:
        files = sorted(folder.glob(f"{kind}*.json"))
        return [one for file in files for one in json.loads(file.read_text())][number::of]

    with (folder / f"told-{number}.jsonl").open("w", buffering=1) as told:
        plan = Plan(ports, think, told, counts=True)
        seats = [
            Seat(table, cookie, plan, kind)
            for (table, *cookies), kind in zip(mine("places"), mine("kinds"), strict=True)
            for cookie in cookies
        ]
        asyncio.run(play(plan, seats, folder / f"seen-{number}.json", said))


if __name__ == "__main__":
    _, where, own, many, pace, *web = sys.argv
    main(Path(where), int(own), int(many), float(pace), [int(port) for port in web])
