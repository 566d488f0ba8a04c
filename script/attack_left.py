"""Sockets that are opened and left, by waves; and as many thousands as there may be, held open.

Nothing of them may stay. What a process keeps of freed memory is chance, so objects are counted: of
whatever a wave is made of while it is open, the later waves may leave next to nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import ClassVar

from script.attack_ground import HOST, WAITED, Ground, Person

AT_ONCE = 40  # being opened
EMPTIED_WITHIN, A_SECOND = 25.0, 100  # seconds, and that many more sockets for each further one
SHARE = 4  # a leak leaves all of something; chance, and what honest play adds, not a quarter
LEAST_KB = 8_000  # a process may grow by in play, whatever else
CLOSED = b"\x88\x82\0\0\0\0\x03\xe8"  # a farewell


class Line(asyncio.Protocol):
    """A socket opened by hand, as cheap as can be: it passes over what it hears, but for pings."""

    transport: asyncio.Transport
    open_now: ClassVar[int] = 0
    most: ClassVar[int] = 0  # open at the same time

    def __init__(self) -> None:
        self.head = asyncio.get_running_loop().create_future()
        self.came = b""
        self.code: int | None = None  # with which the site closed it
        self.gone = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.came += data
        if not self.head.done():
            head, found, self.came = self.came.partition(b"\r\n\r\n")
            if not found:
                self.came = head
                return
            self.head.set_result(head)
            Line.open_now += 1
            Line.most = max(Line.most, Line.open_now)
        while (frame := self._frame()) is not None:
            kind, said = frame
            if kind == 9:
                self.transport.write(bytes([0x8A, 0x80 | len(said), 0, 0, 0, 0]) + said)
            elif kind == 8 and len(said) >= 2:
                self.code = int.from_bytes(said[:2], "big")

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame of what came."""
        if len(self.came) < 2:
            return None
        size, at = self.came[1], 2
        if size > 125:
            at = 4 if size == 126 else 10
            size = int.from_bytes(self.came[2:at], "big")
        if len(self.came) < at + size:
            return None
        kind, said, self.came = self.came[0] & 15, self.came[at : at + size], self.came[at + size :]
        return kind, said

    def connection_lost(self, _error: Exception | None) -> None:
        self.gone = True
        if not self.head.done():
            self.head.set_exception(ConnectionError("cut off"))
        elif not self.head.cancelled():
            Line.open_now -= 1


async def opened(port: int, place: str, who: Person) -> Line:
    """A socket at ``tables/7``; ConnectionError where it was not let in."""
    loop = asyncio.get_running_loop()
    _transport, line = await loop.create_connection(Line, HOST, port)
    lines = {
        "Host": f"localhost:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13",
        "Origin": f"http://localhost:{port}", "Cookie": who.cookie,
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    line.transport.write(f"GET /ws/{place}/ HTTP/1.1\r\n{head}\r\n".encode())
    try:
        async with asyncio.timeout(WAITED):
            answer = await line.head
    except TimeoutError:
        line.transport.abort()
        raise
    if b" 101 " not in answer:
        line.transport.abort()
        raise ConnectionError(answer[:40])
    return line


async def _open_all(ground: Ground, number: int, stay: bool = True) -> list[Line]:
    """So many, each person as many as one may hold: home pages, and some who watch a table.

    Unless they are to stay, every other is gone before it was shown anything.
    """
    table, den = ground.people["open_table"], ground.people["den"]
    lines: list[Line] = []
    waiting = iter(range(number))

    async def again() -> None:
        for one in waiting:
            port = ground.ports[one % len(ground.ports)]
            turn = one // len(ground.ports)
            who, place = ground.crowd[turn % len(ground.crowd)], "lobby"
            if turn % 25 == 0:
                place = f"tables/{table}"
            elif turn % 25 == 1 and turn < 500:
                who, place = ground.trudy, f"rooms/{den}"
            try:
                lines.append(await opened(port, place, who))
                if not stay and turn % 2:
                    lines[-1].transport.abort()
            except (OSError, TimeoutError) as error:
                ground.tally.answers[f"not let in ({type(error).__name__})"] += 1
            ground.tally.thrown += 1
            ground.tally.share = (one + 1) / number

    await asyncio.gather(*[again() for _ in range(AT_ONCE)])
    ground.tally.answers["opened"] += len(lines)
    return lines


async def _leave(lines: list[Line]) -> None:
    """Half of them say farewell."""
    for line in lines[::2]:
        line.transport.write(CLOSED)
    await asyncio.sleep(0.3)
    for line in lines:
        line.transport.abort()


async def _emptied(ground: Ground, there: Counter[str]) -> Counter[str]:
    """What lives once the site has noticed that everybody left, or should have."""
    until = time.time() + EMPTIED_WITHIN + Line.most / A_SECOND
    while True:
        await asyncio.sleep(0.5)
        now = await asyncio.to_thread(ground.living)
        if _sockets(now) <= _sockets(there) or time.time() > until:
            return now


def _sockets(living: Counter[str]) -> int:
    return sum(count for kind, count in living.items() if kind.endswith("Consumer"))


async def waves(ground: Ground) -> None:
    """The same wave of sockets opened and left, again and again."""
    there = await asyncio.to_thread(ground.living)
    made: Counter[str] = Counter()
    left: list[Counter[str]] = []
    sizes: list[int] = []
    for wave in range(ground.waves):
        lines = await _open_all(ground, ground.wave, stay=wave == 0)
        if wave == 0:
            made = await asyncio.to_thread(ground.living) - there
        await _leave(lines)
        left.append(await _emptied(ground, there))
        sizes.append(ground.memory())
    half = (ground.waves + 1) // 2
    for kind, count in made.items():
        stayed = min(one[kind] for one in left[half:]) - max(one[kind] for one in left[1:half])
        if count >= ground.wave // 2 and stayed > count // SHARE:
            ground.tally.wrong[f"{stayed} of {count} {kind} stay after each wave of sockets"] += 1
    told = " → ".join(f"{kb / 1024:.1f}" for kb in sizes)
    ground.tally.notes.append(f"private memory of the web processes after each wave: {told} MB")
    ground.tally.notes.append(f"objects: {' → '.join(f'{one.total():,}' for one in left)}")
    grown = min(sizes[half:]) - max(sizes[1:half])
    if grown > LEAST_KB * len(ground.ports):
        ground.tally.wrong[f"{grown} KB more stayed after the later waves of sockets"] += 1


async def thousands(ground: Ground) -> None:
    """As many sockets as there may be, open at the same time for a while, and left."""
    there, empty = await asyncio.to_thread(ground.living), ground.memory()
    began, spent, Line.most = time.time(), ground.spent(), Line.open_now
    lines = await _open_all(ground, ground.sockets)
    took, worked = time.time() - began, ground.spent() - spent
    each = (ground.memory() - empty) / max(1, Line.most)
    await asyncio.sleep(ground.seconds)
    for code, count in Counter(line.code for line in lines if line.gone).items():
        ground.tally.answers[f"closed {code}"] += count
    ground.tally.notes.append(
        f"{Line.most:,} open at once, {each:.0f} KB each; {len(lines) / took:.0f} a second, "
        f"{1000 * worked / max(1, len(lines)):.1f} ms of processor for each with all it brought"
    )
    if Line.most < 0.95 * ground.sockets:
        ground.tally.wrong[f"{Line.most} of {ground.sockets} sockets were open at once"] += 1
    await _leave(lines)
    stayed = _sockets(await _emptied(ground, there)) - _sockets(there)
    if stayed > 0:
        ground.tally.wrong[f"{stayed} sockets lived on after they were left"] += 1
    after = ground.memory() / 1024
    ground.tally.notes.append(f"private memory {empty / 1024:.0f} → {after:.0f} MB")
