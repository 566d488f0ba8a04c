"""Attacks on sockets by what is said over them: nonsense, and frames no browser would make."""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
from typing import Any

from websockets.exceptions import ConnectionClosed

from script.attack_ground import HOST, WAITED, Ground, Person
from script.attack_nonsense import raw

BENT, REAL = 28, 10  # messages over one socket: no more than it may say at once
BROKEN = ("broken", "unavailable")  # something of ours went wrong


def places(ground: Ground) -> list[tuple[str, Person]]:
    """Every kind of socket, as who may open it."""
    den, table = ground.people["den"], ground.people["den_table"]
    return [
        (f"tables/{table}", ground.mallory), (f"tables/{table}", ground.trudy),
        (f"tables/{ground.people['open_table']}", ground.charlie), ("lobby", ground.charlie),
        (f"rooms/{den}", ground.trudy), (f"rooms/{den}", ground.mallory),
    ]  # fmt: skip


async def say_all(ground: Ground, place: str, who: Person, said: list[str | bytes]) -> None:
    """Say all of this over one socket, and hear every answer."""
    last: Any = ""
    async with ground.socket(place, who) as line:
        try:
            for last in said:
                await line.send(raw(last), text=not isinstance(last, bytes))
            await line.send('{"verb": "ping"}')
            while True:
                answer = await ground.hear(line, who)
                if answer["type"] == "pong":
                    break
                if answer["type"] == "refused":
                    ground.tally.answers[answer["code"]] += 1
                    if answer["code"] in BROKEN:
                        told = " | ".join(ascii(one[:60]) for one in said[:40])
                        ground.tally.wrong[f"{answer['code']} at {place} after {told}"] += 1
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            ground.judge_close(code, f"{last[:80]!r} at {place}")
        ground.tally.thrown += len(said)


async def nonsense(ground: Ground) -> None:
    """Real messages bent by hypothesis, at every kind of socket."""

    async def attacker() -> None:
        place, who = ground.random.choice(places(ground))
        said = ground.random.sample(ground.bent, BENT)
        said += [json.dumps(one) for one in ground.random.sample(ground.people["said"], REAL)]
        ground.random.shuffle(said)
        await say_all(ground, place, who, said)

    await ground.many(6, attacker)


def frame(
    code: int, payload: bytes = b"", end: bool = True, masked: bool = True, rsv: int = 0,
    length: int | None = None,
) -> bytes:  # fmt: skip
    """One frame of a socket, whatever is wrong with it."""
    size = len(payload) if length is None else length
    head = bytes([(end << 7) | (rsv << 4) | code])
    if size < 126:
        head += bytes([masked << 7 | size])
    elif size < 1 << 16:
        head += struct.pack("!BH", masked << 7 | 126, size)
    else:
        head += struct.pack("!BQ", masked << 7 | 127, size)
    return head + (b"\0\0\0\0" if masked else b"") + payload


def odd_frames(ground: Ground) -> list[tuple[str, bytes]]:
    deep = b'{"nothing":' + b"[" * 2000 + b"]" * 2000 + b"}"
    ping = b'{"verb": "ping"}'
    pieces = frame(1, b"{", False) + frame(0, b" ", False) * 3000 + frame(0, b"}")
    return [
        ("a message of 20 kB", frame(1, b"x" * 20_000)),
        ("a message of 2 MB", frame(1, b"x" * 2_000_000)),
        ("a length of 2 to the 62", frame(1, b"x" * 100, length=2**62)),
        ("a length below nothing", frame(1, b"x", length=2**64 - 1)),
        ("deep JSON", frame(1, deep)), ("a message in 3,000 pieces", pieces),
        ("a piece of nothing", frame(0, ping)),
        ("two beginnings", frame(1, b"{", False) + frame(1, b"}")),
        ("no mask", frame(1, ping, masked=False)), ("an unknown kind", frame(5, ping)),
        ("a reserved bit", frame(1, ping, rsv=4)), ("no UTF-8", frame(1, b"\xff\xfe\xed\xa0\x80")),
        ("binary", frame(2, ground.random.randbytes(500))), ("a large ping", frame(9, b"x" * 200)),
        ("1,000 pings", frame(9, b"x" * 100) * 1000), ("a ping in pieces", frame(9, b"x", False)),
        ("a strange farewell", frame(8, b"\x00\x01bye")), ("half a farewell", frame(8, b"\x03")),
        ("many small messages", frame(1, b"1") * 400), ("nothing, often", frame(1) * 120),
        ("a pong of nobody", frame(10, b"x" * 50) * 50 + frame(1, ping)),
        ("half a frame", frame(1, ping)[:5]), ("no frame at all", b"GET / HTTP/1.1\r\n\r\n" * 50),
    ]  # fmt: skip


async def shaken(ground: Ground, place: str, who: Person, **more: str) -> tuple[Any, Any]:
    """A socket opened by hand, to send any bytes over; ConnectionError where it was not let in."""
    port = ground.port()
    reader, writer = await asyncio.open_connection(HOST, port)
    lines = {
        "Host": f"localhost:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13",
        "Origin": f"http://localhost:{port}", "Cookie": who.cookie, **more,
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    writer.write(f"GET /ws/{place}/ HTTP/1.1\r\n{head}\r\n".encode())
    async with asyncio.timeout(WAITED):
        answer = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in answer:
        writer.transport.abort()
        raise ConnectionError(answer[:40])
    return reader, writer


async def frames(ground: Ground) -> None:
    """Each odd frame by turns, at every kind of socket."""
    waiting: list[tuple[str, bytes]] = []

    async def attacker() -> None:
        if not waiting:
            waiting.extend(odd_frames(ground))
            ground.random.shuffle(waiting)
        what, sent = waiting.pop()
        place, who = ground.random.choice(places(ground))
        reader, writer = await shaken(
            ground, place, who, **{"Sec-WebSocket-Extensions": "permessage-deflate"}
        )
        try:
            with contextlib.suppress(ConnectionError):
                writer.write(sent)
                await writer.drain()
            came = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(1.5):
                    while _told(came) == "no word" and not reader.at_eof():
                        came += await reader.read(65536)
            ground.heard.take(came.decode(errors="replace"), who.number)
            ground.tally.count("hung up" if reader.at_eof() else _told(came))
            if any(f'"code":"{code}"'.encode() in came for code in BROKEN):
                ground.tally.wrong[f"broken by {what} at {place}"] += 1
            if b"\x88" in came and came[came.rfind(b"\x88") + 2 :][:2] == struct.pack("!H", 1011):
                ground.tally.wrong[f"1011 for {what} at {place}"] += 1
        finally:
            writer.transport.abort()

    await ground.many(8, attacker)


def _told(came: bytes) -> str:
    """What a socket answered, by its farewell or its refusal."""
    at = came.rfind(b"\x88")
    if at >= 0 and len(came) - at in range(4, 130):
        return f"closed {struct.unpack('!H', came[at + 2 : at + 4])[0]}"
    for code in ("malformed", "slow_down"):
        if f'"code":"{code}"'.encode() in came:
            return code
    return "no word"


