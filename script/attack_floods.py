"""Attacks by much of it, or by none at all: floods, slow clients, and sockets that are left."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed, WebSocketException

from script.attack_ground import FLOOD, Ground, Person
from script.attack_messages import shaken

BUSY = 429
SIGN_INS_AT_MOST = 30  # of one address in a minute, as ACCOUNT_RATE_LIMITS says
LEFT_AT_ONCE = 40  # sockets being opened


async def messages(ground: Ground) -> None:
    """Each socket says as much as it can until it is shown out."""

    async def attacker() -> None:
        who = ground.random.choice((ground.mallory, ground.trudy))
        move = '{"move": "pass", "at": [1, 0]}'
        said = ground.random.choice(('{"verb": "look"}', '{"verb": "ping"}', "{", move))
        async with ground.socket(f"tables/{ground.people['den_table']}", who) as line:
            try:
                for _ in range(1500):
                    await line.send(said)
                    ground.tally.thrown += 1
                while True:
                    await ground.hear(line, who)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                ground.judge_close(code, "a flood")
                if code not in (FLOOD, None, 1006):
                    ground.tally.wrong[f"a flood was answered with {code}"] += 1

    await ground.many(4, attacker)


async def talk(ground: Ground) -> None:
    """One person says as much as they can, over many sockets and the form at once."""
    den = ground.people["den"]

    async def attacker() -> None:
        who = ground.random.choice((ground.mallory, ground.trudy))
        if ground.random.random() < 0.3:
            body = urlencode({"text": "encore " * 20}).encode()
            ground.judge(await ground.ask("POST", f"/rooms/{den}/say/", who, body), "the talk form")
            return
        place = ground.random.choice((f"rooms/{den}", f"tables/{ground.people['den_table']}"))
        async with ground.socket(place, who) as line:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(30):
                    await line.send('{"verb": "chat", "text": "encore et encore"}')
                    ground.tally.thrown += 1
                await line.send('{"verb": "nothing"}')
                while (heard := await ground.hear(line, who)).get("code") != "malformed":
                    ground.tally.answers[heard.get("code", heard["type"])] += 1

    await ground.many(4, attacker)


async def sign_ins(ground: Ground) -> None:
    """Passwords guessed, from addresses made up: nobody may guess more often by that."""
    tried: list[float] = []

    async def attacker() -> None:
        guess = {"login": ground.random.choice(("a 0", "mallory", "nobody", "é" * 200)),
                 "password": f"guess {ground.random.random()}"}  # fmt: skip
        path = ground.random.choice(("/account/login/", "/account/login/", "/account/signup/"))
        if "signup" in path:
            guess = {"username": f"z{ground.random.random()}", "password1": "123"}
        forged = ".".join(str(ground.random.randrange(256)) for _ in range(4))
        answer = await ground.ask("POST", path, None, urlencode(guess).encode(),
                                  X_Forwarded_For=forged)  # fmt: skip
        ground.judge(answer, path)
        if answer.status == 302:
            ground.tally.wrong["a guess was let in"] += 1
        if "login" in path and answer.status != BUSY:
            tried.append(time.time())

    await ground.many(6, attacker)
    ground.tally.notes.append(f"{len(tried)} guesses were looked at")
    if len(tried) > SIGN_INS_AT_MOST + 1 and tried[-1] - tried[0] < 55:
        ground.tally.wrong[f"{len(tried)} guesses in a minute from one address"] += 1


async def pages(ground: Ground) -> None:
    """Pages as fast as they come, by many at once."""
    paths = ("/", "/rooms/", "/lobby/", "/history/", "/friends/", "/chips/", "/help/rules/",
             f"/rooms/{ground.people['den']}/", f"/tables/{ground.people['den_table']}/",
             f"/tables/{ground.people['open_table']}/", "/jsi18n/", "/nothing/")  # fmt: skip

    async def attacker() -> None:
        who = ground.random.choice((None, ground.mallory, ground.trudy, *ground.crowd))
        path = ground.random.choice(paths)
        ground.judge(await ground.ask("GET", path, who, seconds=60), f"GET {path}")

    await ground.many(ground.lines, attacker)


async def slow(ground: Ground) -> None:
    """Clients that begin and do not go on, and one that never reads while its table plays."""
    port = ground.port()
    host = f" HTTP/1.1\r\nHost: localhost:{port}\r\n".encode()
    halves = [
        b"", b"G", b"GET /" + host + b"X-a: b\r\n",
        b"POST /account/login/" + host + b"Content-Length: 900\r\n\r\nlogin=a",
        b"GET /ws/lobby/" + host + b"Upgrade: websocket\r\n",
    ]  # fmt: skip
    lines: list[Any] = []
    began = time.time()
    deaf = [await shaken(ground, f"tables/{ground.people['den_table']}", ground.mallory)
            for _ in range(5)]  # fmt: skip
    try:
        for number in range(ground.lines * 6):
            if not ground.going():
                break
            _reader, writer = lines_of = await asyncio.open_connection("localhost", ground.port())
            writer.write(halves[number % len(halves)])
            lines.append(lines_of)
            ground.tally.thrown += 1
        ground.tally.answers["held open"] = len(lines)
        while ground.going():
            for _reader, writer in lines[1::7]:
                with contextlib.suppress(ConnectionError):
                    writer.write(b"x")  # one letter, now and then
            for _reader, writer in deaf:
                with contextlib.suppress(ConnectionError):
                    writer.write(b"\x81\x90\0\0\0\0" + b'{"verb": "look"}')
            asked = time.time()
            ground.judge(await ground.ask("GET", "/healthz/"), "a page meanwhile")
            ground.tally.notes[:] = [f"a page meanwhile took {time.time() - asked:.2f} s"]
            await asyncio.sleep(0.3)
        ended = sum(reader.at_eof() or reader.exception() is not None for reader, _ in lines)
        ground.tally.answers[f"hung up on within {time.time() - began:.0f} s"] = ended
    finally:
        for _reader, writer in (*lines, *deaf):
            writer.transport.abort()


async def left(ground: Ground) -> None:
    """Thousands of sockets, opened and left, half of them without a farewell; and once more.

    What stays in memory after the second time, over the first, would stay again after every time.
    """
    sizes = [ground.memory()]
    for _round in range(2):
        opened = await _opened(ground, time.time() + ground.seconds * 1.5)
        full = ground.memory()
        for number, (_reader, writer) in enumerate(opened):
            if number % 2:
                writer.write(b"\x88\x82\0\0\0\0\x03\xe8")
            else:
                writer.transport.abort()
        await asyncio.sleep(0.3)
        for _reader, writer in opened:
            writer.transport.abort()
        ground.tally.notes.append(
            f"{len(opened):,} sockets, {(full - sizes[-1]) / max(1, len(opened)):.0f} KB each"
        )
        await _emptied(ground)
        sizes.append(ground.memory())
    ground.tally.notes.append("web processes " + " → ".join(f"{kb // 1024} MB" for kb in sizes))
    least = 12_000 * len(ground.ports)  # what a process grows by in any second of such a day
    grown, allowed = sizes[2] - sizes[1], max(least, (sizes[1] - sizes[0]) // 2, 4 * ground.sockets)
    if grown > allowed:
        ground.tally.wrong[f"{grown} KB stayed in memory when sockets were left again"] += 1


async def _opened(ground: Ground, until: float) -> list[tuple[Any, Any]]:
    """As many as may be in the time there is, each person as many as one may hold."""
    den, table = ground.people["den"], ground.people["den_table"]
    opened: list[tuple[Any, Any]] = []
    waiting = iter(range(ground.sockets))

    async def again() -> None:
        for number in waiting:
            if time.time() > until:
                return
            who = ground.crowd[number % len(ground.crowd)]
            place = "lobby"
            if number % 50 == 0:
                who, place = ground.trudy, f"tables/{table}" if number % 100 else f"rooms/{den}"
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                opened.append(await shaken(ground, place, who))
                ground.tally.thrown += 1

    await asyncio.gather(*[again() for _ in range(LEFT_AT_ONCE)])
    ground.tally.answers["opened"] += len(opened)
    return opened


async def _emptied(ground: Ground) -> None:
    """Until the site has noticed that everybody left."""
    until, before = time.time() + 20, -1
    while time.time() < until:
        await asyncio.sleep(0.5)
        now = ground.files()
        if now == before:
            return
        before = now


async def anonymous(ground: Ground) -> None:
    """Sockets of nobody, opened as fast as they are shut."""

    async def attacker() -> None:
        _reader, writer = await shaken(ground, "lobby", Person())
        ground.tally.count("opened")
        await asyncio.sleep(0)
        writer.transport.abort()

    await ground.many(20, attacker)

