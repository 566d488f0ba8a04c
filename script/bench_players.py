"""The players of `script/bench live`: processes of their own, each with both seats of its tables.

A process does as it is told over a pipe, and answers with what it counted: a click is over when
both seats hold the next view, both read here, by one clock.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

import msgspec
from websockets.asyncio.client import ClientConnection, connect

Kind = Literal["game", "yardstick"]
KINDS: tuple[Kind, Kind] = ("game", "yardstick")
OPENED_AT_ONCE = 20

_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder().decode


@dataclass
class Pair:
    """Two open sockets at one table, of the game or of the yardstick."""

    lines: list[ClientConnection]
    views: list[dict[str, Any]] = field(default_factory=list)
    busy: bool = False

    async def begin(self) -> None:
        """Take in the first view on each line."""
        self.views = [_decode(await line.recv()) for line in self.lines]

    async def hear(self, done: Callable[[dict[str, Any]], bool]) -> None:
        """Listen until each line holds a view that will do."""
        for seat, line in enumerate(self.lines):
            while not done(self.views[seat]):
                message = _decode(await line.recv())
                if message["type"] == "table":
                    self.views[seat] = message
                elif message["type"] == "refused":
                    raise RuntimeError(message)

    async def say(self, seat: int, message: dict[str, Any]) -> None:
        await self.lines[seat].send(_encode(message).decode())

    async def click(self, mover: int, text: str) -> float:
        """Send a move; gives the milliseconds until both lines hold the next view."""
        at, stood = self.views[mover]["at"], self.views[mover]["version"]
        begun = time.perf_counter()
        await self.say(mover, {"move": text, "at": at})
        await self.hear(lambda view: view["version"] > stood)
        return (time.perf_counter() - begun) * 1000


async def _click_game(pair: Pair) -> float | None:
    """One move of whole games; between hands both are ready, and nothing is timed."""
    view = pair.views[0]
    if view["state"] != "playing":
        verb = "rematch" if view["state"] == "finished" else "ready"
        for seat in (0, 1):
            await pair.say(seat, {"verb": verb})
        await pair.hear(lambda view: view["state"] == "playing")
        return None
    mover = view["hand"]["to_act"]
    return await pair.click(mover, _choose(pair.views[mover]["hand"]))


def _choose(hand: dict[str, Any]) -> str:
    """What a player who does not think long would do."""
    if "big gin" in hand["legal"]:
        return "big gin"
    if hand["knocks"]:
        return f"knock {hand['knocks'][0]['card']}"
    if hand["best_discard"]:
        return f"discard {hand['best_discard']}"
    return "draw stock" if "draw stock" in hand["legal"] else str(hand["legal"][0])


async def _click_yardstick(pair: Pair) -> float:
    return await pair.click(random.randrange(2), "draw stock")


CLICKS: dict[Kind, Any] = {"game": _click_game, "yardstick": _click_yardstick}


class Table:
    """The players of one process: what they were told to open, and how they play on it."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = ports
        self.pairs: dict[Kind, list[Pair]] = {"game": [], "yardstick": []}

    async def open(self, kind: Kind, places: Sequence[Sequence[Any]]) -> None:
        """Sit down at these places: their number, the table's id and both cookies."""
        few = asyncio.Semaphore(OPENED_AT_ONCE)

        async def sit(place: Sequence[Any]) -> Pair:
            async with few:
                pair = Pair([await self._line(kind, place, seat) for seat in (0, 1)])
                await pair.begin()
                return pair

        self.pairs[kind] += await asyncio.gather(*map(sit, places))

    async def _line(self, kind: Kind, place: Sequence[Any], seat: int) -> ClientConnection:
        number, table_id, *cookies = place
        port = self.ports[number % len(self.ports)]  # as nginx shares them out
        path = f"tables/{table_id}/" if kind == "game" else f"yardstick/{number}/{seat}/"
        return await connect(
            f"ws://127.0.0.1:{port}/ws/{path}", origin=f"http://127.0.0.1:{port}",
            additional_headers={"Cookie": cookies[seat]} if kind == "game" else {},
            proxy=None, compression=None, ping_interval=None,
        )  # fmt: skip

    async def closed(self, kind: Kind, seconds: float) -> list[float]:
        """All pairs click as fast as they are answered; what each click took."""
        until, spent = time.perf_counter() + seconds, []

        async def play(pair: Pair) -> None:
            while time.perf_counter() < until:
                taken = await CLICKS[kind](pair)
                if taken is not None:
                    spent.append(taken)

        await asyncio.gather(*map(play, self.pairs[kind]))
        return spent

    async def paced(self, kind: Kind, seconds: float, a_second: float) -> list[float]:
        """So many clicks a second, each at a table that is not busy; what each took."""
        spent: list[float] = []
        due = time.perf_counter()
        until, clicks = due + seconds, set()

        async def play(pair: Pair) -> None:
            taken = await CLICKS[kind](pair)
            pair.busy = False
            if taken is not None:
                spent.append(taken)

        while due < until:
            due += 1 / a_second
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            free = [pair for pair in self.pairs[kind] if not pair.busy]
            if free:
                pair = random.choice(free)
                pair.busy = True
                clicks.add(asyncio.create_task(play(pair)))
        await asyncio.gather(*clicks)
        return spent


async def _obey(pipe: Connection, ports: Sequence[int]) -> None:
    table = Table(ports)
    while True:
        verb, *said = await asyncio.to_thread(pipe.recv)
        if verb == "leave":
            return
        pipe.send(await getattr(table, verb)(*said))


def _process(pipe: Connection, ports: Sequence[int]) -> None:
    # It holds what a thousand browsers would: collected now and then, that is a tenth of a second
    # in which none of them reads, and what they waited would be held against the site.
    gc.disable()
    asyncio.run(_obey(pipe, ports))


class Players:
    """All the processes of players, told the same thing at once."""

    def __init__(self, processes: int, ports: Sequence[int]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipes: list[Connection] = []
        for _ in range(processes):
            ours, theirs = spawn.Pipe()
            spawn.Process(target=_process, args=(theirs, ports), daemon=True).start()
            theirs.close()
            self.pipes.append(ours)

    def open(self, kind: Kind, places: Sequence[Sequence[Any]]) -> None:
        for number, pipe in enumerate(self.pipes):
            pipe.send(("open", kind, places[number :: len(self.pipes)]))
        self._answers()

    def closed(self, kind: Kind, seconds: float) -> list[float]:
        return self._all("closed", kind, seconds)

    def paced(self, kind: Kind, seconds: float, a_second: float) -> list[float]:
        return self._all("paced", kind, seconds, a_second / len(self.pipes))

    def _all(self, loop: str, *said: Any) -> list[float]:
        for pipe in self.pipes:
            pipe.send((loop, *said))
        return [taken for answer in self._answers() for taken in answer]

    def leave(self) -> None:
        for pipe in self.pipes:
            pipe.send(("leave",))

    def _answers(self) -> list[Any]:
        """Of all of them; EOFError where one has died."""
        return [pipe.recv() for pipe in self.pipes]
